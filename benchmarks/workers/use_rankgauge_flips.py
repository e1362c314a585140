"""rankgauge's paired randomisation test: `use_rankgauge_flips.py COLUMNS`."""

import sys

from protocol import per_query_values, serve

from rankgauge.statistics.flips import randomisation

a, b = per_query_values(int(sys.argv[1]))


def call() -> dict[str, float]:
    return {"p": float(randomisation(b - a, permutations=10_000, rng=1)[0])}


serve(call, ["p"])
