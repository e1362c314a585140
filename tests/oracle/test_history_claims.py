"""Nothing that is said of a history is false: trends and alerts of random ones, claim by claim."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge._claims import Claim, claims_of
from rankgauge._text import LANGUAGES, in_language
from rankgauge.history.moments import moment
from rankgauge.reporting import sections

from .history_claims import CHECKERS_OF_HISTORIES, Kept, Stored

QUICK, LONG = 8, 200
LISTS = {1.0: ["a"], 0.5: ["x", "a"], 0.0: ["x"]}
DEVICES = ("phone", "desk")


def history_of(seed: int, place: Path) -> tuple[rg.History, dict[str, Stored]]:
    """A few weeks of one or two systems: fixed queries that change now and then, or fresh ones that drop or not."""
    rng = random.Random(seed)
    h = rg.History(place)
    kept: dict[str, Stored] = {}
    for system in ("bm25", "web")[: rng.choice([1, 2])]:
        is_fresh = rng.random() < 0.5
        n, weeks = rng.choice([3, 8, 30]), rng.choice([1, 2, 5, 16, 20])
        drop = rng.choice([0.0, 0.5])
        values: dict[str, float] = {}
        for w in range(weeks):
            if is_fresh or not values or rng.random() < 0.3:
                names = [f"{w if is_fresh else 0}q{i}" for i in range(n + (rng.random() < 0.1))]
                share = 0.8 - (drop if w > 13 else 0.0)
                values = {q: 1.0 if rng.random() < share else rng.choice([0.5, 0.0]) for q in names}
            parts = {q: {"device": DEVICES[i % 2]} for i, q in enumerate(values)}
            ev = rg.evaluate(
                {q: {"a": 1} for q in values}, {q: LISTS[v] for q, v in values.items()}, "RR", slices=parts
            )
            at = datetime(2026, 1, 5, tzinfo=UTC) + timedelta(weeks=w)
            entry = h.add(ev, system=system, dataset="d", at=at)
            kept[entry.id] = Stored(moment(at), {"RR": dict(values)}, parts)
    return h, kept


def wrong_in(text: str, x: Kept) -> list[str]:
    out = [f"false: {c} in {text}" for c in claims_of(text) if not holds(c, x)]
    en, zh = (sorted(re.findall(r"\d+(?:\.\d+)?", in_language(text, language))) for language in LANGUAGES)
    if en != zh:
        out.append(f"other numbers in Chinese: {text!r} {in_language(text, 'zh')}")
    return [*out, *(f"broken: {text}" for language in LANGUAGES if "nan" in in_language(text, language).lower())]


def holds(c: Claim, x: Kept) -> bool:
    if c.what == "benchmark":
        return isinstance(c.value, (int, float))
    return CHECKERS_OF_HISTORIES[c.what](c, x)


def check(seed: int, folder: Path) -> list[str]:
    h, kept = history_of(seed, folder / f"{seed}.db")
    wrong: list[str] = []
    with h:
        trend = rg.trend(h, slices="device")
        for s in trend.series:
            counted = {"break": sum(bool(p.breaks) for p in s.points), "step": len(s.steps)}
            wrong += wrong_in(s.sentence, Kept(kept, counted=counted))
        rules: list[Any] = [
            rg.StreamRule(measures=("RR",), slices=("device",)),
            rg.StreamRule(measures=("RR",), against=0.6, name="line"),
            rg.ReleaseRule(measures=("RR",), slices=("device",)),
            rg.ReleaseRule(measures=("RR",), against=0.6, name="line"),
        ]
        found = rg.alerts(h, rules)
        x = Kept(kept, states=[(a.kind, a.state) for a in found.items])
        wrong += [w for a in found.items for w in wrong_in(a.sentence, x)]
        wrong += wrong_in(found.decision, x)
        for shown in (trend, found):
            assert sections(shown)
    return [f"{seed}: {w}" for w in wrong]


@pytest.mark.parametrize("seed", range(QUICK))
def test_nothing_that_is_said_of_a_history_is_false(seed: int, tmp_path: Path):
    assert check(seed, tmp_path)[:5] == []


@pytest.mark.long("searches for a false sentence, thousands of inputs each")
def test_nothing_that_is_said_of_many_histories_is_false(tmp_path: Path):
    assert [w for seed in range(QUICK, QUICK + LONG) for w in check(seed, tmp_path)][:5] == []


def test_a_planted_falsehood_is_found():
    kept = {"e1": Stored("2026-01-05", {"RR": {"q": 1.0, "r": 0.5}})}
    for what, value in (
        ("stored value", 0.7),
        ("stored n", 3),
        ("at", "2026-02-01"),
        ("mean of entries", 0.1),
        ("wider", 2.0),
        ("allowed", 0.1),
    ):
        assert not holds(Claim(what, value, "RR", "e1"), Kept(kept)), what
