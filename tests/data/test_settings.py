"""Settings against structs: every mistake at once, with its key, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest

from rankgauge._text import Text
from rankgauge.data.settings import dotted, settings
from rankgauge.errors import InputError


class Inner(msgspec.Struct, frozen=True):
    size: Annotated[int, msgspec.Meta(ge=1), Text("a whole number of 1 or more", "不小于 1 的整数")]
    colour: Literal["red", "green"] = "red"


class Outer(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(examples=["shop"])]
    inner: Inner
    parts: tuple[Inner, ...] = ()
    by_name: dict[str, Inner] = {}
    words: tuple[str, ...] = ()
    share: float | None = None
    limit: int | float | tuple[int | float, ...] = 0
    is_on: bool = False

    def mistakes(self) -> Iterator[tuple[str, str]]:
        if self.share is not None and self.share > 1:
            yield "share", f"must be at most 1, got {self.share:g}."


GOOD: dict[str, Any] = {"name": "x", "inner": {"size": 2}}


def problems(**changes: Any) -> tuple[str, ...]:
    with pytest.raises(InputError) as e:
        settings(Outer, {**GOOD, **changes}, "file 'a.toml'")
    assert str(e.value).startswith("file 'a.toml': ")
    return e.value.problems


def test_what_is_right_becomes_the_struct():
    found = settings(
        Outer,
        {**GOOD, "parts": [{"size": 1}, {"size": 3, "colour": "green"}], "by_name": {"a b": {"size": 4}}, "share": 1},
        "here",
    )

    assert found == Outer("x", Inner(2), (Inner(1), Inner(3, "green")), {"a b": Inner(4)}, share=1.0)
    assert settings(Outer, {**GOOD, "limit": 3}, "here").limit == 3
    assert settings(Outer, {**GOOD, "limit": [3, 0.5], "parts": []}, "here").limit == (3, 0.5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nam": 1}, "unknown key `nam`. Did you mean name? Known: name, inner, parts, by_name, words, share, limit,"),
        ({"inner": {"size": 1, "colr": 1}}, "unknown key `inner.colr`. Did you mean colour? Known: size, colour."),
        ({"inner": {}}, "`inner.size` is missing: must be a whole number of 1 or more."),
        ({"inner": 3}, "`inner` must be a table, got 3."),
        ({"inner": {"size": 0}}, "`inner.size` must be a whole number of 1 or more, got 0."),
        ({"inner": {"size": True}}, "`inner.size` must be a whole number of 1 or more, got True."),
        ({"inner": {"size": 1, "colour": "gren"}}, "`inner.colour` must be one of red, green, got 'gren'. Did you me"),
        ({"parts": {"size": 1}}, "`parts` must be a list of tables, got {'size': 1}."),
        ({"parts": [{"size": 1}, 7]}, "`parts #2` must be a table, got 7."),
        ({"parts": [{"size": 1}, {"size": "x"}]}, "`parts #2.size` must be a whole number of 1 or more, got 'x'."),
        ({"by_name": []}, "`by_name` must be a table, got []."),
        ({"by_name": {"a b": {"size": "x"}}}, '`by_name."a b".size` must be a whole number of 1 or more, got'),
        ({"words": "x"}, "`words` must be a list of texts, got 'x'."),
        ({"share": "half"}, "`share` must be a number, got 'half'."),
        ({"share": 2}, "`share` must be at most 1, got 2."),
        ({"limit": "x"}, "`limit` must be a number, or a list of numbers, got 'x'."),
        ({"is_on": 1}, "`is_on` must be true or false, got 1."),
        ({"name": 1}, "`name` must be a text, got 1."),
    ],
)
def test_a_mistake_is_named_with_its_key_and_what_it_must_be(changes: dict[str, Any], message: str):
    found = problems(**changes)

    assert len(found) == 1
    assert found[0].startswith(message)


def test_what_is_missing_has_an_example_where_there_is_one():
    with pytest.raises(InputError) as e:
        settings(Outer, {"inner": {"size": 1}}, "here")

    assert e.value.problems == ('`name` is missing. Add a line such as name = "shop".',)


def test_all_mistakes_come_at_once_in_the_order_of_the_fields():
    found = problems(extra=1, inner={"size": 0}, parts=[7], share="x")

    assert [p.partition("`")[2].partition("`")[0] for p in found] == ["extra", "inner.size", "parts #1", "share"]


def test_names_of_keys_are_those_of_toml():
    assert dotted("a_b", "c-d", "nDCG@10", "查询") == 'a_b.c-d."nDCG@10"."查询"'


def test_half_a_character_is_no_number():
    assert problems(share="\udcff") == (f"`share` must be a number, got {chr(0xDCFF)!r}.",)
