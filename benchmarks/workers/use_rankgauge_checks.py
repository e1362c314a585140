"""rankgauge with and without its looks at the input, call by call: `use_rankgauge_checks.py FOLDER dicts|files`.

Both in one process: two processes differ by more than the looks cost.
"""

import sys
from itertools import chain, cycle
from pathlib import Path
from typing import Any

from protocol import MEASURES, load, serve

import rankgauge as rg
from rankgauge.evaluation import of_rankings
from rankgauge.evaluation.rankings import measuring, recording

folder, kind = Path(sys.argv[1]), sys.argv[2]
qrels: Any = folder / "qrels.txt"
run: Any = folder / "run.txt"
if kind == "dicts":
    qrels, run = load(folder / "qrels.pickle"), load(folder / "run.pickle")

LOOKS: dict[Any, tuple[str, ...]] = {
    measuring: ("evidence",),
    recording: ("suspicions_of_tally", "suspicions_of_measures"),
    of_rankings: ("suspicions_of_lists",),
}
REAL = {(module, name): getattr(module, name) for module, names in LOOKS.items() for name in names}
turns = chain([True], cycle([True, False]))  # the warm-up, then in turns


def call() -> dict[str, float]:
    looking = next(turns)
    for (module, name), real in REAL.items():
        setattr(module, name, real if looking else lambda *given: {})
    evaluation = rg.evaluate(qrels, run, MEASURES)
    return {name: evaluation[name] for name in MEASURES}


serve(call)
