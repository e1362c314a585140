"""Can this input be trusted? Everything suspicious in judgements and runs, before any number is computed.

    print(rg.audit(qrels, run))
    rg.audit(qrels, {"bm25": a, "dense": b}).raise_if_found()

One module per theme. Importing this package imports them all, so a new module needs no entry anywhere.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from rankgauge.data.audit.record import Audit, Problem, audit

__all__ = ["Audit", "Problem", "audit"]

# findings that weigh the same are told in this order; those of other modules follow
_FIRST = ("repeats", "values", "ids", "order", "coverage", "training")

for _name in dict.fromkeys((*_FIRST, *sorted(_file.stem for _file in Path(__file__).parent.glob("[a-z]*.py")))):
    import_module(f"{__name__}.{_name}")
