"""Tests of the ranking measures."""
