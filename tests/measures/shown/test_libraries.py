"""The numbers that other libraries compute of the same lists: equal where a record says so, another where it says why.

`libraries.json` holds lists, what users had before, and the figures of each library in the version that it names. The
lists of "full" and "seen" have five items each, those of "uneven" one to five, for users whom train does not have as
well; "seen" shows items that users had before.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.measures.grammar import parse

GIVEN = json.loads((Path(__file__).parent / "libraries.json").read_text(encoding="utf-8"))
RESULTS = [
    pytest.param(each["library"], r, id=f"{each['library']}-{r['data']}-{r['measure']}")
    for each in GIVEN["libraries"]
    for r in each["results"]
]
OTHERS = {
    ("RecTools", "ILD", "uneven"),  # lists of one item count as 0
    ("Recommenders", "Coverage", "full"),  # items that are not in train count
    ("Recommenders", "Coverage", "uneven"),
    ("Recommenders", "SelfInformation", "full"),  # items that are not in train count 0
    ("Recommenders", "SelfInformation", "uneven"),
    ("RePlay", "CategoryRecall", "full"),  # over k, not over all categories
    ("RePlay", "CategoryRecall", "uneven"),
    ("RePlay", "CategoryRecall", "seen"),
    ("RePlay", "Surprisal", "uneven"),  # short lists are divided by k
    ("RePlay", "Unexpectedness", "uneven"),
    ("Elliot", "APLT", "full"),  # items of equal popularity at the border of head and tail
    ("Elliot", "APLT", "seen"),
    ("Elliot", "ACLT", "full"),
    ("Elliot", "ACLT", "seen"),
    ("Elliot", "Entropy", "uneven"),  # every list has the same weight, however short
    ("Evidently", "Personalisation", "uneven"),  # overlaps of short lists are divided by k
    *(("Evidently", "MIUF", data) for data in GIVEN["data"]),  # items that are not in train are left out
    *(("Evidently", "ARP", data) for data in GIVEN["data"]),
    *(("Evidently", "ItemGini", data) for data in GIVEN["data"]),  # of the items that are shown at all
    *(("Evidently", "ILD", data) for data in GIVEN["data"]),  # over the length of the list
    *(("Evidently", "Serendipity", data) for data in GIVEN["data"]),  # over the length of the history
}
"""Where the definitions differ on purpose: the record of the measure says why."""


def ours(result: dict[str, Any]) -> float:
    """The number of rankgauge for the same input."""
    data, measure = GIVEN["data"][result["data"]], result["measure"]
    test, recs, train = (
        {user: [str(i) for i in ids] for user, ids in data[name].items()} for name in ("test", "recs", "train")
    )
    items: Any = data["group"]
    if result.get("items") == "train":
        items = None
    elif "cosine" in measure:
        items = data["vectors"]
    elif "hamming" in measure:
        items = {i: [float(x) for x in flags] for i, flags in data["flags"].items()}
    return rg.evaluate(test, recs, measure, train=train, items=items, no_relevant="zero")[measure]


@pytest.mark.parametrize(("library", "result"), RESULTS)
def test_numbers_are_those_of_the_library_or_others_for_a_reason(library: str, result: dict[str, Any]):
    m = parse(result["measure"])
    tolerance = 1e-6 if library == "LensKit" and m.name == "ExposureGini" else 1e-12  # single precision there
    is_same = ours(result) == pytest.approx(result["value"], rel=tolerance, abs=tolerance)

    assert is_same == ((library, m.name, result["data"]) not in OTHERS)


@pytest.mark.parametrize(("library", "result"), RESULTS)
def test_records_say_which_libraries_agree_and_which_do_not(library: str, result: dict[str, Any]):
    m = parse(result["measure"])
    agrees = (library, m.name, result["data"]) not in OTHERS
    told = [*m.same, *(m.differs if not agrees or "count=users" in str(m) or "1 - Gini" in result["function"] else ())]

    assert any(library in name for name in told)


def test_every_reason_is_of_a_figure_that_is_there():
    there = {(p.values[0], parse(p.values[1]["measure"]).name, p.values[1]["data"]) for p in RESULTS}

    assert there >= OTHERS
