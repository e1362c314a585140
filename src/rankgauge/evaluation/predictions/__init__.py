"""Labels and scores: totals over rows, the record, thresholds, states that add up."""
