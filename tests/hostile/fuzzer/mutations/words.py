"""Words of a command and arguments of a function: other spellings, other types, absurd values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from fuzzer.meanings import CLEAN, SAME_OR_ERROR, Meaning

from .objects import strange_values

__all__ = ["options_changed", "words_changed"]

# Paths among these stay inside the folder of the case.
WORDS = (
    *(
        "",
        " ",
        "-",
        "--",
        "nan",
        "inf",
        "-inf",
        "1e308",
        "1e-320",
        "-1",
        "0",
        "1",
        "0.5",
        "1.5",
        "1e999",
        "999999999999",
    ),
    *(
        "１０",
        "²",
        "x",
        "nDCG",
        "nDCG@",
        "nDCG@0",
        "nDCG@-1",
        "nDCG@1e9",
        "nDCG@99999999999999999999",
        "P@5@5",
        "RR(",
        "()",
    ),
    *(
        "ERR(max_grade=0)",
        "RBP(p=2)",
        "nDCG(gain=exp)@10",
        "AP(rel=nan)",
        "AUC",
        "nope/file.txt",
        "no.csv",
        "a=b",
        "=",
        ",",
    ),
    *(
        "q1",
        "=1+1",
        "a\nb",
        "\x1b[31m",
        "\u202e",
        "\udcff",
        "x" * 5000,
        "é" * 40,
        "*",
        "?",
        "[",
        "%s",
        "{run}",
        "$HOME",
        "`id`",
    ),
    *("click=nan", "click=1,click=2", "score=score", "nDCG@10>=nan", "nDCG@10>=0.5", "nDCG@10:-1", "x<=1", "RR>=1e999"),
)
LOOK_ALIKES = {"n": "ｎ", "R": "Ｒ", "P": "Р", "A": "А", "1": "１", "0": "０", "@": "＠", "5": "５", "C": "С"}
# Spark and browsers are no part of a fuzzer.
NEVER = {"--open", "--master", "--engine"}


def words_changed(rng: random.Random, words: Sequence[str]) -> tuple[str, list[str], Meaning]:
    """The command with one word changed, and what that does to its meaning."""
    spots = [i for i, word in enumerate(words) if i and not word.startswith("-") and "{" not in word]
    measures = [i for i in spots if words[i - 1] == "-m" or words[i] == "nDCG@10"]
    out = list(words)
    roll = rng.random()
    if measures and roll < 0.35:
        at = rng.choice(measures)
        out[at] = _spelled(rng, out[at])
        return "spelling", out, SAME_OR_ERROR
    if spots and roll < 0.55:
        out[rng.choice(spots)] = rng.choice(WORDS)
        return "another_word", out, CLEAN
    if roll < 0.62:
        del out[rng.randrange(1, len(out)) if len(out) > 1 else 0]
        return "word_lost", out, CLEAN
    if roll < 0.68:
        out.insert(rng.randint(0, len(out)), rng.choice(WORDS))
        return "word_added", out, CLEAN
    return "option_added", [*out, *_option(rng, words[0])], CLEAN


def _spelled(rng: random.Random, name: str) -> str:
    """Another spelling of a name: what it stands for, or nobody knows it."""
    how = rng.choice(["look-alike", "blank", "mark", "case"])
    at = rng.randrange(len(name))
    if how == "look-alike":
        known = [i for i, c in enumerate(name) if c in LOOK_ALIKES]
        at = rng.choice(known) if known else at
        return name[:at] + LOOK_ALIKES.get(name[at], "é") + name[at + 1 :]
    if how == "blank":
        return name[:at] + rng.choice([" ", "\t", "\u3000", "\u200b", "\u00ad"]) + name[at:]
    if how == "mark":
        return name + rng.choice(["²", "é", "̈", "中", "ｎ", "\u0301", "№"])
    return name.swapcase()


def _option(rng: random.Random, command: str) -> list[str]:
    import click

    from rankgauge.cli.app import app

    known = app.get_command(click.Context(app), command)
    assert known is not None
    options = [p for p in known.params if isinstance(p, click.Option) and not NEVER & set(p.opts)]
    if not options:
        return [rng.choice(["--no-such-option", "-z", "--help"])]
    option = rng.choice(options)
    if option.is_flag:
        return [option.opts[0]]
    if isinstance(option.type, click.Choice) and rng.random() < 0.6:
        return [option.opts[0], str(rng.choice(list(option.type.choices)))]
    return [option.opts[0], rng.choice(WORDS)]


def options_changed(rng: random.Random, options: dict[str, Any]) -> tuple[str, dict[str, Any], Meaning]:
    """The arguments with one of them something else; or a part of one."""
    name = rng.choice(list(options))
    value: Any = options[name]
    strange = rng.choice(
        [*strange_values(), *WORDS, 0, -1, 10**12, -0.5, 1.0, "auto", ["x"], {"x": 1}, [None], ("a", 1)]
    )
    if isinstance(value, list | tuple) and value and rng.random() < 0.6:
        parts = list(value)
        parts[rng.randrange(len(parts))] = strange
        strange = type(value)(parts)
    elif isinstance(value, dict) and value and rng.random() < 0.6:
        strange = {**value, rng.choice(list(value)): strange}
    return f"argument_{name}", {**options, name: strange}, CLEAN
