"""Failures that are known and being mended. The list is meant to be empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["KNOWN", "Known", "known"]


class Known(NamedTuple):
    """A failure by its seed, its mutation and what it says, as regular expressions."""

    item: str
    seed: str
    mutation: str
    failure: str


UNSAID = "^a number without a word"
KNOWN: tuple[Known, ...] = (
    Known("2: letters that are not ASCII in names of measures", "rankgauge", r"words\.spelling", "^another number"),
    Known("3: folders with several kinds of files", "", r"folders\.(another_file_beside|part_below)", ""),
    Known("4: matrices of whole numbers, of numbers that are none", "labels", "matrices", ""),
    Known("8: times that cannot be read", "log|predictions", "^(log|predictions):", UNSAID),
    Known("9: empty input", "", r"objects\.(no_rows|strange_table|strange_entry)", f"{UNSAID}|query_attributes"),
    Known("10: a query on two lines of JSONL", "", r"^(qrels|run|run_b):lines\.(repeated|twice_the_file)", UNSAID),
    Known(
        "10: lines with more than six fields",
        "",
        "^(run|run_b):(lines|bytes|fields|archives)",
        f"{UNSAID}|^another number",
    ),
    Known("17: stored records", "", r":records\.", "exit code 70|Traceback|has no attribute"),
    Known("17: settings", "", r":settings\.", "Traceback|exit code 70"),
    Known("17: side inputs", "", "^(documents|texts|slices):", "exit code 70|without a word|^refused"),
    Known("18: absurd cutoffs and bins", "", "words", "OverflowError: Python int too large"),
    Known("18: an empty name for the output", "rankgauge", "words", "has an empty name"),
    Known("18: columns of one name", "", r"objects\.column_twice", "exit code 70"),
    Known("18: a Series", "", r"objects\.strange_(table|entry)", "SchemaError"),
    Known(
        "18: odd objects",
        "",
        r"objects\.",
        "exit code 70.*data/(mappings|frames|_pandas|predictions|table|_arrays|several)",
    ),
    Known("18: odd objects as ids", "", r"^(qrels|run|run_b):objects\.", UNSAID),
)


def known(report: Mapping[str, Any]) -> str:
    """Which of the known ones a failure is, if any."""
    return next(
        (
            k.item
            for k in KNOWN
            if re.search(k.seed, report["seed"])
            and re.search(k.mutation, report["mutation"])
            and re.search(k.failure, report["failure"])
        ),
        "",
    )
