"""What a funnel and its channels are given: lists by name, how much of each counts, and which policy is followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from rankgauge._checks import number
from rankgauge._piped import path_of
from rankgauge._show import show
from rankgauge._text import Text, composed, spaced, zh
from rankgauge.data.many_runs import listed, several
from rankgauge.errors import ParameterError, suggest
from rankgauge.evaluation.policy_fields import check_policy, fields_of
from rankgauge.evaluation.rankings.policy import CHOICES, DEEPEST_RANK, Policy

__all__ = ["CHANNELS", "STAGES", "Lists"]

_TIES = [word for word in CHOICES["ties"] if word != "expected"]
"""How tied results may stand: in one order."""

_FOLLOWED = ("ties", "rel", "scores")


@dataclass(frozen=True)
class Lists:
    """Who takes several lists, and what they are called there."""

    caller: str
    argument: str
    one: Text
    cut: str
    """The argument that says how many results count."""
    needs: Text
    example: str

    def rules(self, policy: Policy | None, rel: Any, ties: Any) -> Policy:
        """What of a policy lists are read under; the rest of it must be what is done anyway."""
        check_policy(policy, Policy, self.caller)
        if rel is not None:
            number("rel", rel, above=0, caller=self.caller)
        rules = policy or Policy()
        ties = rules.ties if ties is None else ties
        if ties not in _TIES:
            why: str = (
                Text(" An item has one fate, so it needs one rank.", "一个条目只有一种去向，因此需要唯一的排名。")
                if ties == "expected"
                else suggest(str(ties), _TIES)
            )
            words = ("{}: `ties` must be one of {}, got {}.{}", "{}：`ties` 必须是 {} 之一，实际为 {}。{}")
            raise ParameterError(composed(*words, self.caller, ", ".join(_TIES), show(ties), why))
        for name, f in fields_of(Policy).items():
            if name not in _FOLLOWED and (value := getattr(rules, name)) != f.default:
                raise ParameterError(
                    Text(
                        f"{self.caller}: `policy` must have {name}={show(f.default)}, which is what is done here, got "
                        f"{show(value)}. Pass ties= and rel= instead.",
                        f"{self.caller}：`policy` 必须是 {name}={show(f.default)}，这里正是这样做的，实际为 "
                        f"{show(value)}。请改为传入 ties= 和 rel=。",
                    )
                )
        return rules.replace(rel=rel, ties=ties)

    def named(self, given: Any) -> dict[str, Any]:
        """The lists, unread, by name."""
        if isinstance(given, Mapping):
            runs = {str(name): path_of(r) if isinstance(r, (str, PathLike)) else r for name, r in given.items()}
            found = runs if listed(runs) is not None else None
        else:
            found = None if isinstance(given, (str, PathLike)) else several(given)
        if not found:
            raise ParameterError(
                composed(
                    "{}: `{}` must be {}, {}. Pass {}.",
                    "{}：`{}` 必须是{}，{}。请传入 {}。",
                    self.caller,
                    self.argument,
                    self.needs,
                    Text(f"got {_kind(given)}", spaced("实际为", zh(_kind(given)))),
                    self.example,
                )
            )
        return found

    def depths(self, cut: Any, names: Sequence[str]) -> dict[str, int]:
        """How many results count, for each list that is cut."""
        if cut is None:
            return {}
        depths = dict(cut) if isinstance(cut, Mapping) else dict.fromkeys(names, cut)
        for name, depth in depths.items():
            if name not in names:
                hint = suggest(str(name), names)
                raise ParameterError(
                    Text(
                        f"{self.caller}: `{self.cut}` names the {self.one.en} {show(name)}, {self.argument} are "
                        f"{', '.join(names)}.{hint}",
                        f"{self.caller}：`{self.cut}` 中的{self.one.zh} {show(name)} 不存在，现有{self.one.zh}为 "
                        f"{', '.join(names)}。{zh(hint)}",
                    )
                )
            if isinstance(depth, bool) or not isinstance(depth, (int, np.integer)) or not 1 <= depth <= DEEPEST_RANK:
                raise ParameterError(
                    Text(
                        f"{self.caller}: `{self.cut}` must be a positive integer, got {show(depth)} for {self.one.en} "
                        f"{show(name)}.",
                        f"{self.caller}：`{self.cut}` 必须是正整数，实际{self.one.zh} {show(name)} 为 {show(depth)}。",
                    )
                )
        return {name: int(depth) for name, depth in depths.items()}


def _kind(given: Any) -> str:
    if isinstance(given, (Mapping, list, tuple)) and not given:
        return Text("nothing", "空值")
    return Text("one run", "一个 run") if isinstance(given, Mapping) else type(given).__name__


STAGES = Lists(
    "funnel",
    "stages",
    Text("stage", "阶段"),
    "cut",
    Text(
        "a dict of runs by name, the first stage first, or a list of paths",
        "以名称为键的 run 的 dict（第一阶段在前），或路径的列表",
    ),
    '{"recall": run200, "final": run10}',
)
CHANNELS = Lists(
    "channels",
    "channels",
    Text("channel", "召回通道"),
    "k",
    Text("a dict of runs by name, or a list of paths", "以名称为键的 run 的 dict，或路径的列表"),
    '{"cf": cf_run, "ann": ann_run}',
)
