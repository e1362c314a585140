"""What is left out of a log, rule by rule, with a counter for each."""
