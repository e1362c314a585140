"""Ratings of users are no hits: from which rating on is an item relevant?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.columns import Rated
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy

__all__ = ["refuse_ratings"]


def refuse_ratings(notes: Iterable[str], wanted: Sequence[Named], rules: Policy) -> None:
    """Raise where judgements are what users rated, and nobody has said which ratings are good ones.

    The policy may say it, each measure may, or the caller may say that ratings are grades, by `columns`.
    """
    note = next((n for n in notes if isinstance(n, Rated)), None)
    if note is None or rules.rel is not None or all(m.params.get("rel") and m.rel != 1 for _, m in wanted):  # type: ignore[attr-defined]
        return
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
