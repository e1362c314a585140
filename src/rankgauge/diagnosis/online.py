"""What was seen online, in whatever form it is at hand, as changes that rules can ask.

    {"ctr": 0.0002}                                      a difference
    {"ctr": (0.031, 0.0312)}                             before and after
    {"ctr": ((3100, 100_000), (3120, 100_000))}          counts of both arms: then there is an interval
    {"ctr": rg.behavior.compare_ratios(control, new)}    an experiment, with users as units
    "experiment.json", "online.csv"                      a stored experiment; a table with metric, before and after

On the command line: `--online ctr=+0.0002`, `ctr=0.031:0.0312`, `ctr=3100/100000:3120/100000`, or a file. All of them
are numbers of which more is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from os import PathLike
from pathlib import Path
from typing import Any

from rankgauge._checks import is_number
from rankgauge._claims import Claim, Statement, phrase
from rankgauge._numbers import short
from rankgauge._piped import is_there
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.diagnosis.figures import figure
from rankgauge.errors import InputError, ParameterError
from rankgauge.experiments.ratios import RatioChange, change_of
from rankgauge.statistics.intervals import Interval

__all__ = ["FLAT", "OnlineChange", "online_changes", "online_of_texts"]

_UNKNOWN = Interval(nan, nan)

FLAT = 0.01
"""A relative change below this is called flat where nothing says what chance does."""


@dataclass(frozen=True)
class OnlineChange:
    """How one number of the live system changed; NaN for what is not known."""

    name: str
    difference: float
    before: float = nan
    after: float = nan
    interval: Interval = _UNKNOWN
    """Of the difference."""

    @property
    def is_up(self) -> bool:
        """Whether it rose: with its whole interval, or where there is none, by more than is called flat."""
        if not isnan(self.interval.low):
            return self.interval.low > 0
        if not isnan(self.before):
            return self.difference > FLAT * abs(self.before)
        return self.difference > 0

    @property
    def words(self) -> Statement:
        """`ctr 0.031 → 0.0312 (difference between -0.0013 and 0.0017)`."""
        if isnan(self.before):
            said = phrase("{} {}", "{} {}", self.name, self._given("", self.difference))
        else:
            ends = (self._given(" before", self.before), self._given(" after", self.after))
            said = phrase("{} {} → {}", "{} {} → {}", self.name, *ends)
        low, high = self.interval
        if isnan(low) or isnan(high):
            return said
        told = ("{} (difference between {} and {})", "{}（差值在 {} 与 {} 之间）")
        return phrase(*told, said, self._given(" low", low, 3), self._given(" high", high, 3))

    def _given(self, what: str, value: float, digits: int = 6) -> Statement:
        return figure(Claim("given", value, self.name + what), short, digits)


def online_changes(given: Any) -> tuple[OnlineChange, ...]:
    """Changes from a mapping, a record of an experiment, or a file of either."""
    if given is None:
        return ()
    if isinstance(given, RatioChange):
        return (_of("ctr", given),)
    if isinstance(given, (str, PathLike)):
        return _of_file(Path(given))
    if not isinstance(given, Mapping):
        raise ParameterError(
            Text(
                f"`online` must map names to what was seen, or be a file, got {show(given)}. Pass "
                '{"ctr": (0.031, 0.0312)}.',
                f"`online` 必须是名称到线上结果的映射，或一个文件，实际为 {show(given)}。例如 "
                '{"ctr": (0.031, 0.0312)}。',
            )
        )
    return tuple(_of(str(name), value) for name, value in given.items())


def _of(name: str, value: Any) -> OnlineChange:
    if isinstance(value, OnlineChange):
        return value
    if isinstance(value, RatioChange):
        return OnlineChange(name, value.difference, value.control, value.treatment, value.interval)
    if is_number(value):
        return OnlineChange(name, float(value))
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        before, after = value
        if is_number(before) and is_number(after):
            return OnlineChange(name, float(after) - float(before), float(before), float(after))
        if _is_counted(before) and _is_counted(after):
            return _of(name, change_of(_proportion(before), _proportion(after), 0.95))
    raise ParameterError(
        Text(
            f"online {show(name)}: must be a difference, a pair (before, after) or counts ((clicks, views), (clicks, "
            f"views)), got {show(value)}.",
            f"线上指标 {show(name)}：必须是差值、(之前，之后) 或计数 ((点击，曝光)，(点击，曝光))，"
            f"实际为 {show(value)}。",
        )
    )


def _is_counted(arm: Any) -> bool:
    """Whether it says of so many views how many were clicked."""
    if not (isinstance(arm, Sequence) and not isinstance(arm, str) and len(arm) == 2):
        return False
    return all(is_number(x) for x in arm) and 0 <= arm[0] <= arm[1] and arm[1] > 1


def _proportion(arm: Sequence[float]) -> tuple[float, float, int]:
    """Value, variance and units, each view one: clicks of a user go together, so the interval is rather too narrow."""
    clicks, views = arm
    p = clicks / views
    return p, p * (1 - p) / views, int(views)


# as typed


def online_of_texts(texts: Iterable[str]) -> tuple[OnlineChange, ...]:
    """`ctr=0.031:0.0312`, `ctr=+0.0002`, `ctr=3100/100000:3120/100000`, or the name of a file.

    >>> [(x.name, x.is_up) for x in online_of_texts(["ctr=0.031:0.0312", "cvr=0.02:0.03"])]
    [('ctr', False), ('cvr', True)]
    """
    out: list[OnlineChange] = []
    for text in texts:
        name, eq, value = (part.strip() for part in text.partition("="))
        if not eq or is_there(text):
            out += _of_file(Path(text))
            continue
        arms = [_arm(part) for part in value.split(":")]
        if not name or len(arms) > 2 or None in arms:
            raise ParameterError(
                Text(
                    f"--online must look like ctr=0.031:0.0312, ctr=+0.0002 or ctr=3100/100000:3120/100000, or name a "
                    f"file, got {show(text)}.",
                    f"--online 必须形如 ctr=0.031:0.0312、ctr=+0.0002 或 ctr=3100/100000:3120/100000，或是一个文件，"
                    f"实际为 {show(text)}。",
                )
            )
        out.append(_of(name, arms[0] if len(arms) == 1 else arms))
    names = [x.name for x in out]
    if twice := [n for n in dict.fromkeys(names) if names.count(n) > 1]:
        raise ParameterError(
            Text(f"--online: {show(twice[0])} is there twice.", f"--online：{show(twice[0])} 出现了两次。")
        )
    return tuple(out)


def _arm(text: str) -> Any:
    """`0.031`, or `3100/100000` as a pair; None for anything else."""
    parts = [_number(part) for part in text.split("/")]
    if any(isnan(x) for x in parts) or len(parts) > 2:
        return None
    return parts[0] if len(parts) == 1 else tuple(parts)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return nan
    return value if isfinite(value) else nan


# from files

_NAMES = ("metric", "measure", "name", "指标")
_BEFORE, _AFTER = (
    ("before", "control", "old", "base", "之前", "对照组"),
    ("after", "treatment", "new", "之后", "实验组"),
)


def _of_file(path: Path) -> tuple[OnlineChange, ...]:
    """A stored experiment, named after its file; or a table with a row for each metric."""
    from rankgauge.data.any_table import open_table
    from rankgauge.data.side import read_json
    from rankgauge.data.table import stem
    from rankgauge.evaluation.loading import load

    where = show(path.name)
    if path.suffix == ".json":
        data = read_json(path, Text(f"online {where}", f"线上文件 {where}"))
        if isinstance(data, Mapping) and data.get("kind") == RatioChange.kind:
            return (_of(stem(path), load(path)),)
        if isinstance(data, Mapping) and "kind" not in data:
            return online_changes({k: tuple(v) if isinstance(v, list) else v for k, v in data.items()})
        raise InputError(
            Text(
                f"online {where} must hold an experiment (ratio_change), or names with [before, after].",
                f"线上文件 {where} 必须是一个实验（ratio_change），或名称到 [之前，之后] 的映射。",
            )
        )
    rows = open_table(path, "table").read().to_dicts()
    return tuple(_of_row({str(k).strip().casefold(): v for k, v in row.items()}, where) for row in rows)


def _of_row(row: Mapping[str, Any], where: str) -> OnlineChange:
    name, before, after = (next((row[k] for k in keys if k in row), None) for keys in (_NAMES, _BEFORE, _AFTER))
    numbers = [_number(str(x)) for x in (before, after)]
    if name is None or any(isnan(x) for x in numbers):
        raise InputError(
            Text(
                f"online {where}: columns metric, before and after expected (low and high of the difference besides), "
                f"with numbers; got {show(dict(row))}.",
                f"线上文件 {where}：需要 metric、before、after 列（可另有差值的 low、high），且为数字；"
                f"实际为 {show(dict(row))}。",
            )
        )
    ends = [_number(str(row.get(k))) for k in ("low", "high")]
    interval = Interval(*ends) if not any(isnan(x) for x in ends) else _UNKNOWN
    return OnlineChange(str(name), numbers[1] - numbers[0], numbers[0], numbers[1], interval)
