"""From counted behaviour to graded judgements, and whether another map of grades would change the answer."""
