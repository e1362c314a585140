"""Independent definitions of the measures, and the published numbers they are checked with."""
