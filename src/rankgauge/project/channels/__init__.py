"""Where messages go, one small file each. A kind is a module here with `send`; `tables.CHANNELS` says what it needs."""
