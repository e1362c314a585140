"""How much each position is looked at, and relevance without it."""
