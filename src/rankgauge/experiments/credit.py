"""Which of two interleaved rankings do users prefer?

    credit of a team      Σ weights of the events on its items (click 1 unless said otherwise)
    preference of a user  (B - A) / (B + A) over all that the user did, between -1 and 1

The preference is the mean over users who gave credit to anyone: a user counts once, however much he clicks. The winner
is decided by the interval of that mean; the sign test (users for B against users for A) stands beside it. The
statistic over requests is that of Chapelle, Joachims, Radlinski & Yue (TOIS 2012), (wins + ties/2)/requests - 1/2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isnan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import is_number, one_of, whole
from rankgauge._numbers import share, signed
from rankgauge._records import Record
from rankgauge._show import show, show_all
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.data.tabular import codes_of, named_numbers, need, numbers, refuse_rows, table_of
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.record import plain
from rankgauge.experiments.interleaving import NO_TEAM, Interleaving, assignment_frame
from rankgauge.statistics.clusters import t_interval_of, two_sided
from rankgauge.statistics.intervals import Interval, bootstrap_interval, check_level
from rankgauge.statistics.paired import sign_test

if TYPE_CHECKING:
    import polars as pl

__all__ = ["InterleavingResult", "credit"]

_WHERE = "credit"


@dataclass(frozen=True, eq=False, kw_only=True)
class InterleavingResult(
    Record,
    kind="interleaving",
    schema=1,
    not_stored={"per_user": Text("Credit the impressions again.", "请重新为曝光归功。")},
):
    """What the clicks on interleaved lists say; above 0 is for B."""

    a: str
    b: str
    preference: float
    """Mean over users of (B - A)/(B + A)."""
    low: float
    high: float
    p_value: float
    """Of the mean, by Student's t."""
    sign_p_value: float
    """Of more users for one than for the other."""
    winner: str | None
    verdict: str
    users: int
    """Users who gave credit to a team."""
    users_a: int
    users_b: int
    users_tied: int
    users_without: int
    """Users who gave none."""
    requests: int
    requests_a: int
    requests_b: int
    requests_tied: int
    """With equal credit, also with none."""
    request_preference: float
    """(wins of B + ties/2)/requests - 1/2; users who return count again."""
    credit_a: float
    credit_b: float
    uncredited: int
    """Shown items of no team, or that the assignment does not have."""
    events: Mapping[str, float]
    method: str
    confidence_level: float
    notes: tuple[str, ...] = ()
    per_user: pl.DataFrame = field(repr=False)
    """user_id, credit_a, credit_b, preference."""

    @property
    def interval(self) -> Interval:
        return Interval(self.low, self.high)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict with every number."""
        left = ("events", "notes", "per_user")
        return [{f.name: plain(getattr(self, f.name)) for f in fields(self) if f.name not in left}]

    def to_frame(self) -> pl.DataFrame:
        """One row with every number; `per_user` has the users."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())


def credit(
    impressions: Any,
    assignment: Any = None,
    events: Mapping[str, float] | None = None,
    *,
    user: str = "user_id",
    interval: str = "t",
    resamples: int = 10_000,
    rng: Any = 0,
    confidence_level: float = 0.95,
) -> InterleavingResult:
    """Credit for what happened to interleaved lists, and a test over users.

    `impressions` has a row per item shown: request_id, item_id, the column `user` if users are known, and a column per
    event (`click`, or those of `events={"click": 1, "purchase": 5}`, true or a count). `assignment` is the
    `Interleaving` that was shown, or its file or frame, joined by request_id where it has one and by query_id else;
    None where the impressions have a column `team` themselves. `interval` is t or bootstrap.
    """
    import polars as pl

    check_level(confidence_level)
    weights = {"click": 1.0} if events is None else named_numbers(events, "events")
    if not weights or not all(is_number(v) and v > 0 for v in weights.values()):
        raise ParameterError(
            Text(
                f"`events` must give each event a weight above 0, got {show(events or {})}.",
                f"`events` 必须给每个事件一个大于 0 的权重，实际为 {show(events or {})}。",
            )
        )
    interval = one_of("interval", interval, ("t", "bootstrap"))
    whole("resamples", resamples)
    frame = table_of(impressions, _WHERE)
    if "request_id" not in frame.columns and "query_id" in frame.columns:
        frame = frame.with_columns(pl.col("query_id").alias("request_id"))
    need(
        frame, ["request_id", "item_id", *weights], _WHERE, Text("renaming them, or events=", "改列名的方式或 events=")
    )
    if not frame.height:
        raise InputError(
            Text(f"{_WHERE}: must have at least one impression, got none.", f"{_WHERE}：至少要有一次曝光，实际没有。")
        )
    names, frame, notes = _teams(frame, assignment)
    value = np.zeros(frame.height)
    for event, weight in weights.items():
        happened = numbers(frame, event, _WHERE)
        refuse_rows(
            ~((happened >= 0) & np.isfinite(happened)),
            happened,
            event,
            Text("true, false or a count", "是 true、false 或次数"),
            _WHERE,
        )
        value += weight * happened
    team = frame["team"].to_numpy()
    request = codes_of(frame, "request_id", _WHERE)
    of_user = request
    if user in frame.columns:
        of_user = codes_of(frame, user, _WHERE)
    else:
        notes.append(
            Text(
                f"no column {show(user)}: requests count as users, which makes the interval too narrow where users "
                "return",
                f"没有 {show(user)} 列：把请求当作用户，用户多次出现时区间会偏窄",
            )
        )
    lost = int(np.count_nonzero(value[team == NO_TEAM]))
    if lost:
        notes.append(
            Text(f"{lost:,} events on items of no team give no credit", f"{lost:,} 个事件不属于任何一方，不计分")
        )
    sides = [np.where(team == side, value, 0.0) for side in "AB"]
    of_requests = [np.bincount(request, side) for side in sides]
    of_users = [np.bincount(of_user, side) for side in sides]
    labels = frame[user] if user in frame.columns else frame["request_id"]
    first = np.unique(of_user, return_index=True)[1]
    return _result(
        names,
        of_requests,
        of_users,
        labels.gather(first),
        uncredited=int(np.count_nonzero(team == NO_TEAM)),
        events=weights,
        method=interval,
        draws=(resamples, rng),
        confidence_level=confidence_level,
        notes=tuple(notes),
    )


def _teams(frame: pl.DataFrame, assignment: Any) -> tuple[tuple[str, str], pl.DataFrame, list[str]]:
    """The impressions with the team of each item."""
    import polars as pl

    if assignment is None:
        need(frame, ["team"], _WHERE, "assignment=")
        team = frame["team"].cast(pl.String).fill_null(NO_TEAM)
        if unknown := sorted(set(team.to_list()) - {"A", "B", NO_TEAM}):
            raise InputError(
                Text(
                    f"{_WHERE}: team must be A, B or none, got {show_all(unknown[:5])}.",
                    f"{_WHERE}：team 必须是 A、B 或 none，实际为 {show_all(unknown[:5])}。",
                )
            )
        return ("A", "B"), frame.with_columns(team.alias("team")), []
    names, notes = ("A", "B"), []
    if isinstance(assignment, Interleaving):
        names, assignment = (assignment.a, assignment.b), assignment.frame
    stored = assignment_frame(assignment)
    key = "request_id" if "request_id" in stored.columns else "query_id"
    need(frame, [key], _WHERE, Text("renaming it: the assignment is by it", "改列名的方式（分配表以它为准）"))
    keyed = frame.with_columns(pl.col(key, "item_id").cast(pl.String)).drop("team", strict=False)
    joined = keyed.join(stored.select(key, "item_id", "team"), on=[key, "item_id"], how="left", maintain_order="left")
    unknown_rows = int(joined["team"].null_count())
    if unknown_rows > joined.height / 2:
        raise InputError(
            Text(
                f"{_WHERE}: {unknown_rows:,} of {joined.height:,} shown items are not in the assignment. "
                f"It must be that of the lists that were shown, with the same {key} and item_id.",
                f"{_WHERE}：{joined.height:,} 个展示的物品中有 {unknown_rows:,} 个不在分配表中。"
                f"分配表必须对应展示过的列表，且有相同的 {key} 和 item_id。",
            )
        )
    if unknown_rows:
        notes.append(
            Text(
                f"{unknown_rows:,} of {joined.height:,} shown items are not in the assignment",
                f"{joined.height:,} 个展示条目中有 {unknown_rows:,} 个不在分配表中",
            )
        )
    return names, joined.with_columns(pl.col("team").fill_null(NO_TEAM)), list(notes)


def _result(
    names: tuple[str, str],
    of_requests: list[Array],
    of_users: list[Array],
    labels: pl.Series,
    *,
    draws: tuple[int, Any],
    **kept: Any,
) -> InterleavingResult:
    import polars as pl

    a, b = of_users
    total = a + b
    gave = total > 0
    each = np.divide(b - a, total, out=np.zeros(len(a)), where=gave)
    preferences, n, level = each[gave], int(gave.sum()), kept["confidence_level"]
    mean = float(preferences.mean()) if n else float("nan")
    error = float(preferences.std(ddof=1)) / sqrt(n) if n > 1 else float("nan")
    if kept["method"] == "bootstrap":
        found = bootstrap_interval(preferences, level, resamples=draws[0], rng=draws[1])
    else:
        found = t_interval_of(mean, error, n, level)
    difference = of_requests[1] - of_requests[0]
    wins = [int(np.count_nonzero(d)) for d in (difference < 0, difference > 0, difference == 0)]
    # a spread of 0 would call one lucky handful certain
    winner = None
    if n > 1 and error > 0 and not found.low <= 0 <= found.high:
        winner = names[1] if mean > 0 else names[0]
    sign_p = float(sign_test(preferences)[0]) if n else float("nan")
    if n > 1 and not error and mean and sign_p < 1 - level:  # all users agree: only the sign test has an answer
        winner = names[1] if mean > 0 else names[0]
    return InterleavingResult(
        a=names[0],
        b=names[1],
        preference=mean,
        low=found.low,
        high=found.high,
        p_value=two_sided(mean, error, n) if error else float("nan"),
        sign_p_value=sign_p,
        winner=winner,
        verdict=_verdict(names, winner, mean, found, n, level),
        users=n,
        users_a=int(np.count_nonzero(preferences < 0)),
        users_b=int(np.count_nonzero(preferences > 0)),
        users_tied=int(np.count_nonzero(preferences == 0)),
        users_without=len(a) - n,
        requests=len(difference),
        requests_a=wins[0],
        requests_b=wins[1],
        requests_tied=wins[2],
        request_preference=(wins[1] + wins[2] / 2) / len(difference) - 0.5,
        credit_a=float(a.sum()),
        credit_b=float(b.sum()),
        per_user=pl.DataFrame(
            {"user_id": labels, "credit_a": a, "credit_b": b, "preference": np.where(gave, each, np.nan)}
        ),
        **kept,
    )


def _verdict(names: tuple[str, str], winner: str | None, mean: float, found: Interval, n: int, level: float) -> Text:
    if isnan(mean) or n < 2:
        return Text(
            f"No winner: {n} users gave credit, at least 2 are needed.",
            f"无胜者：只有 {n} 个用户有计分，至少需要 2 个。",
        )
    figures = f"{signed(mean, 3)} [{signed(found.low, 3)}, {signed(found.high, 3)}]"
    if winner is None:
        return Text(
            f"No winner: the preference for {names[1]} over {names[0]} is {figures} over {n:,} users, "
            f"and its {share(level, 0)} interval holds 0.",
            f"无胜者：{n:,} 个用户对 {names[1]} 相对 {names[0]} 的偏好为 {figures}，{share(level, 0)} 区间包含 0。",
        )
    loser = names[0] if winner == names[1] else names[1]
    return Text(
        f"{winner} wins over {loser}: the preference for {names[1]} is {figures} over {n:,} users.",
        f"{winner} 胜过 {loser}：{n:,} 个用户对 {names[1]} 的偏好为 {figures}。",
    )
