"""From behaviour logs to judgements: clicks, carts, purchases, and their biases."""
