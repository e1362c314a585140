"""The same numbers on Spark: the driver plans and adds up, executors align and measure what lies with them."""
