"""Ratings of users are no hits: from which rating on is an item relevant?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankgauge._claims import Statement, claimed, phrase
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.columns import MayBeRated, Rated, role_of
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.measures.base import Measure

__all__ = ["all_are_hits", "of_ratings"]


def of_ratings(
    notes: Iterable[str], wanted: Sequence[Named], rules: Policy, *, has_train: bool = False
) -> Sequence[Named]:
    """What is measured of these judgements: where they are what users rated, no measure counts a rating below `rel`.

    The policy may say it, each measure may, or the caller may say that ratings are grades, by `columns`. Raises where
    nobody has. Grades below `rel` are of use elsewhere, so there nDCG has its own word; a low rating is of use nowhere.
    Beside interactions that came before (`has_train`) whatever is called a rating is one of users.
    """
    note = _note(notes, has_train)
    if note is None or all(_says(m) for _, m in wanted):
        return wanted
    if rules.rel is not None:
        return [(label, m if _says(m) or "rel" not in m.params else m.replace(rel=rules.rel)) for label, m in wanted]
    name = show(note.column)
    asked = f'columns={{"{note.column}": "grade"}}'
    raise ParameterError(
        Text(
            f"{name} holds what users rated, and a low rating is no hit. Say from which rating on an item is relevant, "
            f"such as rel=4; or that ratings are grades: {asked}.",
            f"{name} 是用户的评分，低分不是命中。请说明从几分起算相关，如 rel=4；如果评分就是相关性等级，请写 "
            f"{asked}。",
        )
    )


def all_are_hits(
    judged: Iterable[str],
    columns: Mapping[str, str] | None,
    wanted: Sequence[Named],
    counts: Mapping[str, Any],
    system: str,
    *,
    has_train: bool = False,
) -> list[Statement]:
    """What is said where ratings are judgements and the lowest of them is relevant; `judged` are the notes on them."""
    named = any(role == "grade" and role_of(name, "interactions") == "rating" for name, role in (columns or {}).items())
    n = counts["relevant"]
    asked = any("rel" in m.params and not _says(m) for _, m in wanted)
    if not asked or not n or n < counts["judgements"] or not (named or _note(judged, has_train)):
        return []
    told = (
        "all {} ratings count as relevant, the lowest as well; from which rating on an item is a hit, `rel` says",
        "全部 {} 个评分都算相关，最低分也算；从几分起算命中，可用 `rel` 指定",
    )
    return [phrase(*told, claimed(f"{n:,}", "count", n, "relevant", system))]


def _note(notes: Iterable[str], has_train: bool) -> MayBeRated | None:
    """The note on ratings of users, if judgements are some."""
    return next((n for n in notes if isinstance(n, MayBeRated if has_train else Rated)), None)


def _says(m: Measure) -> bool:
    """Whether the measure itself says from which grade on an item counts."""
    return "rel" in m.params and m.rel != m.params["rel"].default  # type: ignore[attr-defined]
