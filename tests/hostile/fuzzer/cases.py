"""A number → one case: a seed, its valid input with one mutation, and the check of the answer."""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .checks import Failure, Outcome, clean, left_out_of, said_of, same_numbers, words_of
from .files import canonical_file
from .meanings import CLEAN, LEFT_OUT, OPEN, SAME, Given, Meaning, Meant
from .mutations import mutations_of
from .mutations.documents import toml_text
from .mutations.folders import FOLDERS
from .mutations.registry import Place
from .mutations.words import options_changed, words_changed
from .objects import canonical_object
from .oracle import check_with_oracle
from .seeds import SEEDS, Seed
from .sources import source
from .tables import DATA_SETS, Table

__all__ = ["Case", "Report", "draw", "run", "shown"]

WEIGHTED = tuple(seed for seed in SEEDS.values() for _ in range(seed.weight))


@dataclass(frozen=True)
class Case:
    """What a number stands for, before anything is written."""

    number: int
    seed: Seed
    data: int
    slot: str  # which input is mutated; empty where words or arguments are
    mutation: str


@dataclass(frozen=True)
class Report:
    case: int
    seed: str
    mutation: str
    meaning: str = ""
    failure: str = ""


def draw(number: int) -> tuple[Case, random.Random]:
    """The case of a number. Consecutive numbers go through all seeds."""
    rng = random.Random(f"case {number}")
    seed = WEIGHTED[number % len(WEIGHTED)]
    slots = [s for s in seed.slots if s not in seed.fixed]
    slot = rng.choice(slots) if slots else ""
    if (seed.words or seed.options) and (not slots or rng.random() < 0.15):
        slot = ""
    mutation = ""
    if slot:
        mutation = str(rng.choice(mutations_of(_way(rng, seed, slot))))
    return Case(number, seed, rng.randrange(DATA_SETS), slot, mutation), rng


def _way(rng: random.Random, seed: Seed, slot: str) -> str:
    """How a slot is given: as a file, a folder, an object …"""
    value = source(slot, 0)
    if not isinstance(value, Table):
        return (
            "matrix" if slot in ("labels", "scores") else "toml" if slot in ("gate", "project", "standards") else "json"
        )
    if seed.objects and rng.random() < (0.75 if seed.of in TAKES_FILES else 1.0):
        return "object"
    return "folder" if value.kind in FOLDERS and rng.random() < 0.12 else "file"


TAKES_FILES = {
    "evaluate",
    "compare",
    "audit",
    "funnel",
    "evaluate_predictions",
    "calibrate",
    "reliability",
    "behavior.read_log",
}
"""Public functions that take paths as well as objects."""


def run(number: int, folder: Path) -> Report:
    """Run one case in an empty folder, which is left empty."""
    case, rng = draw(number)
    work = folder / "case"
    work.mkdir()
    mutation, meaning, failure = case.mutation, Meaning(""), ""
    try:
        with contextlib.chdir(work):
            inputs, options, mutation, meaning = _made(case, rng)
            outcome = case.seed.call(inputs, options)
        _check(case, meaning, outcome, folder)
    except Failure as e:
        failure = str(e) or "failed"
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Report(number, case.seed.name, f"{case.slot}:{mutation}", meaning.name, failure)


def shown(number: int, folder: Path) -> str:
    """The mutated input of a case, to look at."""
    case, rng = draw(number)
    work = folder / "shown"
    work.mkdir()
    with contextlib.chdir(work):
        inputs, options, mutation, meaning = _made(case, rng)
        value = inputs.get(case.slot, options)
        text = f"{case.seed.name}\n{case.slot}:{mutation}, {meaning}\n{value!r}"
        files = (
            [value] if isinstance(value, Path) and value.is_file() else sorted(work.glob(f"{case.slot or '-'}/**/*"))
        )
        return "\n".join([text, *(f"{f}: {f.read_bytes()[:3000]!r}" for f in files if f.is_file())])


def _made(case: Case, rng: random.Random) -> tuple[dict[str, Any], Mapping[str, Any], str, Meaning]:
    """The inputs, one of them mutated; or other words."""
    seed = case.seed
    inputs = {slot: plainest(seed, slot, source(slot, case.data)) for slot in seed.slots if slot != case.slot}
    if case.slot:
        mutation = next(
            m
            for of in ("file", "folder", "object", "json", "toml", "matrix")
            for m in mutations_of(of)
            if str(m) == case.mutation
        )
        given: Given = mutation.mutate(rng, source(case.slot, case.data), Place(Path(), case.slot))
        return {**inputs, case.slot: given.value}, {}, case.mutation, given.meaning
    if seed.words:
        name, words, meaning = words_changed(rng, seed.words)
        return inputs, {"argv": words}, f"words.{name}", meaning
    if not seed.options:
        return inputs, {}, "words.none", SAME
    name, options, meaning = options_changed(rng, dict(seed.options))
    return inputs, options, f"words.{name}", meaning


def plainest(seed: Seed, slot: str, value: Any) -> Any:
    """An input in the form that others are compared with."""
    if isinstance(value, Table):
        file = not seed.objects or slot in seed.fixed
        return canonical_file(value, Path(), slot, seed.plainest) if file else canonical_object(value)
    if slot in ("labels", "scores"):
        return value
    if slot in ("gate", "project", "standards"):
        path = Path(f"{slot}.toml")
        path.write_text(toml_text(value), encoding="utf-8")
        return path
    from json import dumps

    path = Path(f"{slot}.json")
    path.write_text(dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def answer(seed: Seed, data: int, folder: Path, changed: Mapping[str, Any] | None = None) -> Outcome:
    """The answer to valid input in its plainest form; some of it may be other tables."""
    work = folder / "plain"
    work.mkdir()
    try:
        with contextlib.chdir(work):
            values = {slot: (changed or {}).get(slot, source(slot, data)) for slot in seed.slots}
            return seed.call({slot: plainest(seed, slot, v) for slot, v in values.items()}, {})
    finally:
        shutil.rmtree(work, ignore_errors=True)


@cache
def base(name: str, data: int, folder: Path) -> Outcome:
    """The answer to the unmutated input."""
    outcome = answer(SEEDS[name], data, folder)
    if outcome.code not in SEEDS[name].promised - {2}:
        raise AssertionError(f"the seed {name!r} is not valid: {outcome.error}")
    check_with_oracle(SEEDS[name], {slot: source(slot, data) for slot in SEEDS[name].slots}, outcome)
    return outcome


def _check(case: Case, meaning: Meaning, outcome: Outcome, folder: Path) -> None:
    clean(outcome, case.seed.promised)
    if meaning == CLEAN or (outcome.is_error and (meaning != SAME or case.seed.picky)):
        return
    if outcome.is_error:
        raise Failure(f"refused, but it means the same: {outcome.error[:500]}")
    expected = base(case.seed.name, case.data, folder)
    if meaning in (OPEN, LEFT_OUT):
        if case.seed.mute or _remarks(outcome) != _remarks(expected):
            return
        if meaning == LEFT_OUT or same_numbers(outcome.result, expected.result):
            raise Failure(f"a number without a word about the input: {_short(outcome)}")
        return
    if case.seed.mirrors and meaning != SAME:
        return
    if isinstance(meaning, Meant):
        if case.seed.of == "convert" and isinstance(meaning.value, Table) and meaning.value.is_settled:
            return  # every row is written as it stands
        expected = answer(case.seed, case.data, folder, {case.slot: meaning.value})
        if expected.is_error:
            raise Failure(f"a number, but what it means is refused: {expected.error[:500]}")
    if outcome.code != expected.code:
        raise Failure(f"exit code {outcome.code} instead of {expected.code}")
    difference = same_numbers(outcome.result, expected.result, named=bool(case.slot))
    if difference:
        raise Failure(f"another number: {difference}")


def _remarks(outcome: Outcome) -> tuple[Any, ...]:
    texts = [t for t in (outcome.result, outcome.said) if isinstance(t, str)]
    return said_of(outcome.result), [words_of(t) for t in texts], [left_out_of(t) for t in texts]


def _short(outcome: Outcome) -> str:
    return str(outcome.result)[:300]
