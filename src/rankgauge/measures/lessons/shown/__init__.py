"""Lessons of the measures of what is shown."""
