"""Adapters to other tools, each one small file."""
