"""How far a number can be trusted: intervals, tests, corrections, power. Knows arrays only."""
