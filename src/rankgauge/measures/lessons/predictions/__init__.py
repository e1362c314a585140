"""Lessons of the measures of labels and scores."""
