"""From text to measures: `nDCG@10`, `AP(norm=hits)@6`, `ndcg_cut_10`, `recall@5`, `Hit Rate@3`, `map@100-l2`.

    measure  =  name [ "(" parameter { "," parameter } ")" ] [ "@" value ] [ "-l" level ]
             |  name ( "_" | "." ) value                    as trec_eval and pytrec_eval print it
    parameter =  word "=" value

Every name that trec_eval, pytrec_eval, ranx and ir_measures accept or print is understood; case,
blanks, hyphens and underscores do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rankgauge.errors import ParameterError, UnknownName, suggest
from rankgauge.measures.base import ALIASES, REGISTRY, Measure, fold

__all__ = ["parse", "parse_many", "unknown"]

_SHAPE = re.compile(r"^\s*(?P<name>[^()@]*?)\s*(?:\((?P<params>.*)\))?\s*(?:@\s*(?P<at>[^@()]*?))?\s*$", re.DOTALL)
_LEVEL = re.compile(r"^(?P<rest>.*\S)\s*-l\s*(?P<level>\d+(?:\.\d+)?)$")  # ranx: map@100-l2
_SUFFIX = re.compile(r"^(?P<name>.*?[A-Za-z)])[_.](?P<value>[-\d.][-\d.,=]*|[a-z]=[\d.]+)$")  # P_5, rbp.95, rbp_p=.8


Defaults = Mapping[str, Mapping[str, Any]]
"""Parameters that a measure has unless the text says otherwise, by canonical name."""


def parse(text: str | Measure | type[Measure], defaults: Defaults | None = None) -> Measure:
    """The measure that a text names; `defaults` change what unsaid parameters mean.

    >>> parse("recall@5"), parse("ndcg_cut_10"), parse("ndcg_burges@3"), parse("Hit Rate@3")
    (R@5, nDCG@10, nDCG(gain=exponential)@3, Hit@3)
    >>> parse("nDGC@10")
    Traceback (most recent call last):
    rankgauge.errors.UnknownName: unknown measure 'nDGC@10'. Did you mean nDCG@10?
    """
    if isinstance(text, Measure):
        return text
    if isinstance(text, type) and issubclass(text, Measure):
        return text()
    if not isinstance(text, str):
        raise ParameterError(f"a measure must be a text such as 'nDCG@10' or a Measure, got {text!r}.")
    found = _parse(text, defaults or {})
    if found is None:
        raise unknown(text)
    return found


def parse_many(texts: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """Measures from a list of texts, or from one text."""
    if isinstance(texts, (str, Measure)):
        texts = [texts]
    return [parse(t) for t in texts]


def _parse(text: str, defaults: Defaults) -> Measure | None:
    extra: dict[str, Any] = {}
    body = text.strip()
    if (level := _LEVEL.match(body)) and fold(body) not in ALIASES:
        body, extra = level["rest"], {"rel": level["level"]}
    shape = _SHAPE.match(body)
    if shape is None:
        return None
    entry = ALIASES.get(fold(shape["name"]))
    if entry is not None:
        name, implied = entry
        given = dict(implied)
        given.update(_params(name, shape["params"], text))
        if shape["at"] is not None:
            given[_at(name, text)] = shape["at"]
        return REGISTRY[name](**{**defaults.get(name, {}), **given, **extra})
    if shape["params"] is None and shape["at"] is None and (suffix := _SUFFIX.match(body)):
        entry = ALIASES.get(fold(suffix["name"]))
        if entry is not None:
            name, implied = entry
            given = {**implied, **_suffix(name, suffix["value"], text)}
            return REGISTRY[name](**{**defaults.get(name, {}), **given, **extra})
    return None


def _params(name: str, text: str | None, whole: str) -> dict[str, Any]:
    """`rel=2, gain={1: 3, 2: 9}` → a dict; commas inside braces do not separate."""
    out: dict[str, Any] = {}
    for part in re.split(r",(?![^{]*\})", text or ""):
        if not part.strip():
            continue
        key, eq, value = part.partition("=")
        if not eq:
            raise ParameterError(f"{whole!r}: a parameter must be written name=value, got {part.strip()!r}.")
        cls = REGISTRY[name]
        out[cls._param_name(key.strip())] = value.strip().strip("'\"")
    return out


def _at(name: str, whole: str) -> str:
    for key, p in REGISTRY[name].params.items():
        if p.at:
            return key
    raise ParameterError(f"{whole!r}: {name} takes nothing behind '@'.")


def _suffix(name: str, value: str, whole: str) -> dict[str, Any]:
    """What stands behind the underscore or dot in trec_eval's and ranx's names."""
    cls = REGISTRY[name]
    if re.match(r"^[a-z]=", value):  # rbp_p=.8
        return _params(name, value, whole)
    if "=" in value:  # ndcg_1=3,2=9
        return {"gain": value}
    own = cls.suffix(value)
    return own if own is not None else {_at(name, whole): value}


def unknown(text: str) -> UnknownName:
    """An error that names the nearest measure, written as the user wrote it."""
    shape = _SHAPE.match(text.strip())
    name, rest = (shape["name"], text.strip()[len(shape["name"]) :]) if shape else (text, "")
    if not rest and (m := re.match(r"^(.*?)([_@.]\d+)$", name)):
        name, rest = m[1], m[2]
    names = [*REGISTRY, *(a for cls in REGISTRY.values() for a in cls.aliases)]
    hint = suggest(name, names)
    if hint:
        hint = hint[:-1] + rest + "?"
    return UnknownName(f"unknown measure {text!r}.{hint} `rankgauge measures` lists them all.")
