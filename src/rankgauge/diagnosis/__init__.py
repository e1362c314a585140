"""What numbers mean and what to do next, in English and Chinese."""

from rankgauge.diagnosis.order_and_probability import Reading, reading

__all__ = ["Reading", "reading"]
