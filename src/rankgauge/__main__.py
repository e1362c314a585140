"""`python -m rankgauge`."""

from rankgauge.cli import run

run()
