"""Judgements and runs: policies and conventions, what is measured, the record, and what is asked of it."""
