"""Lessons of the measures of spans."""
