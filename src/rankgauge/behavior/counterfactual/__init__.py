"""What another policy would have got, from a log of propensities."""
