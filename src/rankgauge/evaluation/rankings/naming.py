"""Which measures a list of names asks for, and what each is called in the result.

A name may stand for several measures: `P.5,10` and trec_eval's nicknames (`all_trec`, `official`)
in any convention; a bare `P` or `ndcg_cut` stands for its nine cutoffs where trec_eval's names rule.

Measures come in the order asked. trec_eval prints in an order of its own: `in_trec_order` is for its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rankgauge._text import Text
from rankgauge._words import as_meant
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.measures.base import Measure
from rankgauge.measures.grammar import as_list, parse_ranking

__all__ = [
    "ALL_TREC",
    "DEFAULT_MEASURES",
    "Named",
    "as_named",
    "asks_for_budget",
    "asks_for_shown",
    "asks_for_spans",
    "in_trec_order",
]

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100")
"""What is measured unless measures are named."""

Named = tuple[str, Measure]
"""What the user calls it, and what it is."""

_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_POINTS = tuple(f"{i / 10:.2f}" for i in range(11))
_TIMES = tuple(f"{i / 5:.2f}" for i in range(1, 11))

_LISTS: dict[str, tuple[str, ...]] = {
    **{
        name: tuple(f"{name}_{k}" for k in _CUTOFFS)
        for name in ("P", "recall", "ndcg_cut", "map_cut", "relative_P", "P_avgjg")
    },
    "success": ("success_1", "success_5", "success_10"),
    "unj": ("unj_5", "unj_10", "unj_20"),
    "iprec_at_recall": tuple(f"iprec_at_recall_{p}" for p in _POINTS),
    "Rprec_mult": tuple(f"Rprec_mult_{c}" for c in _TIMES),
    "Rprec_mult_avgjg": tuple(f"Rprec_mult_avgjg_{c}" for c in _TIMES),
}

_OFFICIAL = ["num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"]
_OFFICIAL += ["iprec_at_recall", "P"]
ALL_TREC = [
    *_OFFICIAL,
    *("relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G"),
    *("ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success"),
    *("set_P", "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"),
    *("rbp", "rbp_resid", "unj"),
]
"""The measures of trec_eval's `-m all_trec`, in its order."""

_NICKNAMES = {
    "official": _OFFICIAL,
    "all_trec": ALL_TREC,
    "set": [
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "utility",
        "set_P",
        "set_relative_P",
        "set_recall",
        "set_map",
        "set_F",
    ],
    "qrels_jg": ["num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"],
}
_NEW_IN_10 = ("rbp", "rbp_resid", "unj")
_ORDER = {
    name: i
    for i, name in enumerate(
        [
            *ALL_TREC[: ALL_TREC.index("ndcg")],
            "dcg",
            "ideal_dcg",
            *ALL_TREC[ALL_TREC.index("ndcg") : -3],
            "map_avgjg",
            "P_avgjg",
            "Rprec_mult_avgjg",
            "yaap",
            *_NEW_IN_10,
        ]
    )
}
_BY_LENGTH = sorted(_ORDER, key=len, reverse=True)
_SEVERAL = re.compile(r"^(?P<name>[A-Za-z_]\w*)\.(?P<values>-?[\d.]+(?:,-?[\d.]+)*)$")  # P.5,10


def as_named(measures: str | Measure | Iterable[str | Measure], convention: Convention) -> list[Named]:
    """The measures asked for, each under the name the user gave it; repeated ones only once."""
    out: dict[str, Measure] = {}
    for item in as_list(measures):
        for label in _expand(item, convention):
            out.setdefault(str(label), parse_ranking(label, convention.parameters))
    if not out:
        raise ParameterError(
            Text(
                "no measures given. Name at least one, such as 'nDCG@10'.",
                "没有给出指标。请至少给出一个，如 'nDCG@10'。",
            )
        )
    return _as_trec_eval(out) if convention.trec_names else list(out.items())


def asks_for_shown(wanted: Iterable[Named]) -> bool:
    """Whether a measure is about what is shown, and not only about what was judged."""
    return any("shown" in m.needs for _, m in wanted)


def asks_for_budget(wanted: Iterable[Named]) -> str:
    """The first measure that has a budget; nothing where none has."""
    return next((label for label, m in wanted if m.budget is not None), "")


def asks_for_spans(wanted: Iterable[Named]) -> str:
    """The first measure that is about spans of documents; nothing where none is."""
    return next((label for label, m in wanted if "spans" in m.needs), "")


def in_trec_order(labels: Iterable[str]) -> list[str]:
    """The labels in the order in which trec_eval prints them; those it does not know come last, as they were.

    >>> in_trec_order(["ndcg_cut_10", "mine", "P_5", "map"])
    ['map', 'P_5', 'ndcg_cut_10', 'mine']
    """
    return sorted(labels, key=lambda label: _ORDER.get(_base(label), len(_ORDER)))


def _base(label: str) -> str:
    """ndcg_cut for ndcg_cut_10; nothing for what trec_eval does not know."""
    return next((n for n in _BY_LENGTH if label == n or label.startswith(n + "_")), "")


def _as_trec_eval(measures: dict[str, Measure]) -> list[Named]:
    """A measure given with parameters replaces the one without (relstring.20)."""
    given = {base for label in measures if label != (base := _base(label))}
    return [(label, m) for label, m in measures.items() if label != (base := _base(label)) or base not in given]


def _expand(item: str | Measure, convention: Convention) -> list[str | Measure]:
    if not isinstance(item, str):
        return [item]
    name = as_meant(item).strip()
    if name in _NICKNAMES:
        older = convention.trec_names and convention.policy.get("scores") == "single"
        members = [m for m in _NICKNAMES[name] if not (older and m in _NEW_IN_10)]
        return [label for m in members for label in _LISTS.get(m, (m,))]
    if convention.trec_names and name in _LISTS:
        return list(_LISTS[name])
    several = _SEVERAL.match(name)
    if several and several["name"] in _LISTS:
        base, values = several["name"], sorted(set(several["values"].split(",")), key=float)
        if base in ("iprec_at_recall", "Rprec_mult", "Rprec_mult_avgjg"):
            return [f"{base}_{float(v):.2f}" for v in values]
        return [f"{base}_{int(float(v))}" for v in values]
    if convention.trec_names:  # utility.2,-1,0,0 is printed as utility_2,-1,0,0
        base, _, given = name.partition(".")
        name = f"{base}_{given}" if given and base in _ORDER else name  # but not in iprec_at_recall_0.10
    return [name]
