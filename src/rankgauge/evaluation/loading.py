"""Records that were stored as JSON: which kind is it, and who reads it back?"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from rankgauge._piped import as_given, path_of
from rankgauge._records import Record, class_of, read_back
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._places import within
from rankgauge.data.side import read_json
from rankgauge.errors import InputError
from rankgauge.evaluation.record import Evaluation, Evaluations

__all__ = ["beside", "is_evaluation", "load", "load_evaluation"]

_EXPECTED = Text(
    "an evaluation, a comparison, a funnel or another record, as its to_json() or `--json` writes it",
    "评测、比较、漏斗或其他记录，即 to_json() 或 `--json` 写出的内容",
)
_KINDS = {"rankings": "排序", "predictions": "预测", "classes": "类别"}
"""Kinds of evaluations, and what they are called in Chinese."""
_READERS = Text(
    "Runs and judgements are read by rg.read_run and rg.read_qrels.", "run 和标注用 rg.read_run 和 rg.read_qrels 读取。"
)


def load(path: str | PathLike[str]) -> Record:
    """Read what `to_json` or a command with `--json` wrote: an evaluation, several by name, a comparison, any record.

    Numbers are the stored ones, to the last bit, and texts are there in both languages. Result lists, judgements and
    logs are not stored, so what needs them (single queries, bounds over unjudged results) says so.
    """
    path = path_of(path)
    where = Text(f"stored record {show(as_given(path))}", f"存储的记录 {show(as_given(path))}")
    data = read_json(path, where, _EXPECTED, _READERS)
    if isinstance(data, Mapping):
        kind = data.get("kind")
        if isinstance(kind, str) and (found := class_of(kind)) is not None:
            return read_back(where, found.from_dict, data)
        if is_evaluation(data):
            return read_back(where, Evaluation.from_dict, data)
        if data and all(isinstance(v, Mapping) and is_evaluation(v) for v in data.values()):
            return _several(where, data)
    raise InputError(
        Text(
            f"{where} must hold {_EXPECTED}. Found: {_found(data)}. {_try(data)}",
            f"{zh(where)} 必须包含{zh(_EXPECTED)}。找到：{zh(_found(data))}。{zh(_try(data))}",
        )
    )


def beside(path: str | PathLike[str], kind: str) -> list[Record]:
    """Records of a kind that a command with `--json` stored within another one; none where there are none."""
    path = path_of(path)
    where = Text(f"stored record {show(as_given(path))}", f"存储的记录 {show(as_given(path))}")
    data = read_json(path, where, _EXPECTED, _READERS)
    stored = data.get(kind, []) if isinstance(data, Mapping) and data.get("kind") != kind else []
    found, made = [stored] if isinstance(stored, Mapping) else stored, class_of(kind)
    if made is None or not isinstance(found, list):
        return []
    return [read_back(within(where, kind), made.from_dict, one) for one in found if isinstance(one, Mapping)]


def is_evaluation(data: Mapping[str, Any]) -> bool:
    """Whether this is what `Evaluation.to_dict` gives, also in versions that named no kind."""
    return (
        "policy" in data and "measures" in data and data.get("kind", "rankings") in list(_KINDS)
    )  # a damaged kind may be anything


def load_evaluation(path: str | PathLike[str]) -> Evaluation:
    """The one evaluation that a file holds."""
    found = load(path)
    if isinstance(found, Evaluation):
        return found
    got = (
        Text(f"{len(found)} by name", f"{len(found)} 个（以名称为键）")
        if isinstance(found, Evaluations)
        else Text(f"a record of kind {found.kind}", f" {found.kind} 类型的记录")
    )
    raise InputError(
        Text(
            f"stored record {show(str(path))} must hold one evaluation, got {got}. Store one run alone.",
            f"存储的记录 {show(str(path))} 必须包含一个评测，实际为{zh(got)}。请只存储一个 run。",
        )
    )


def _several(where: str, data: Mapping[str, Any]) -> Record:
    members = {name: read_back(within(where, show(name)), Evaluation.from_dict, ev) for name, ev in data.items()}
    kinds = {kind: [name for name, ev in members.items() if ev.kind == kind] for kind in _KINDS}
    there = {kind: ", ".join(names) for kind, names in kinds.items() if names}
    if len(there) > 1:
        held = " and ".join(f"{kind} ({names})" for kind, names in there.items())
        in_chinese = "和".join(f"{_KINDS[kind]}（{names}）" for kind, names in there.items())
        raise InputError(
            Text(
                f"{where} must hold evaluations of one kind. Found: {held}. Store them in {len(there)} files.",
                f"{zh(where)} 中的评测必须是同一种。找到：{in_chinese}。请分 {len(there)} 个文件存储。",
            )
        )
    found = class_of(f"{next(iter(there))}_by_name")
    assert found is not None
    assert issubclass(found, Evaluations)
    return found.of_stored(members)


def _found(data: Any) -> str:
    if not isinstance(data, Mapping):
        known: dict[Any, str] = {list: Text("a list", "列表"), str: Text("a text", "文本"), type(None): "null"}
        return known.get(type(data)) or show(data)
    if "kind" in data:
        return Text(f"kind {show(data['kind'])}", f"类型 {show(data['kind'])}")
    keys = list(data)
    return (
        Text(
            f"an object with {show_all(keys[:4])}{'…' if len(keys) > 4 else ''}",
            f"含 {show_all(keys[:4])}{'…' if len(keys) > 4 else ''} 的对象",
        )
        if keys
        else "{}"
    )


def _try(data: Any) -> str:
    if not isinstance(data, Mapping) or ("rankgauge" not in data and not _SIGNS & data.keys()):
        return Text(
            "Store one with ev.to_json(path); runs and judgements are read by rg.read_run and rg.read_qrels.",
            "请用 ev.to_json(path) 存储；run 和标注用 rg.read_run 和 rg.read_qrels 读取。",
        )
    if isinstance(data.get("kind"), str):
        return Text(
            "This version does not know that kind: update rankgauge.", "这个版本不认识这种类型：请更新 rankgauge。"
        )
    if {"baseline", "contrasts"} <= data.keys():  # before comparisons were stored whole
        return Text("Compare again and store that.", "请重新比较并存储。")
    return Text(
        "It was written before records said their kind: compute it again and store that.",
        "它写于记录还没有注明类型的版本：请重新计算并存储。",
    )


_SIGNS = {"contrasts", "confidence_level", "findings", "verdict", "raw", "identifiability", "is_identified", "models"}
"""Keys of records that were stored without a kind."""
