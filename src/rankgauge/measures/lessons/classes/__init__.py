"""Lessons of the measures of several classes."""
