"""Where the same numbers are computed: in memory, in pieces from disk, on a cluster."""
