"""The door of verbs that take a live retriever for a run: it is asked first, and its run takes its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.collection.collecting import DEFAULT_K, CollectOptions, collect, retriever_of
from rankgauge.collection.pieces import reader_for
from rankgauge.data.questions import questions_of
from rankgauge.data.run_names import names_of
from rankgauge.errors import InputError, ParameterError, suggest
from rankgauge.integrations.retrievers import recognised

__all__ = ["answered", "refuse_other_options", "refuse_shared_file", "refuse_unasked"]


def answered(
    qrels: Any,
    run: Any,
    *,
    k: int | None = None,
    queries: Any = None,
    collect_options: CollectOptions | None = None,
    columns: Mapping[str, str] | None = None,
) -> tuple[Any, Any]:
    """Judgements and runs, where some of what was given are retrievers; everything else as it was."""
    systems = _systems(run)
    if systems is None:
        refuse_unasked(k, queries, collect_options)
        return qrels, run
    options: CollectOptions = collect_options or {}
    refuse_other_options(options)
    refuse_shared_file(options, sum(map(_is_retriever, systems.values())))
    judged, texts = questions_of(qrels, queries, columns)
    if (pieces := reader_for(judged)) is not None:
        options = {**options, "documents": pieces}
    depth = DEFAULT_K if k is None else k

    def one(name: str, given: Any) -> Any:
        return collect(texts, given, depth, name=name, **options) if _is_retriever(given) else given

    runs = {name: one(name, given) for name, given in systems.items()}
    return judged, runs[""] if set(runs) == {""} else runs


def refuse_unasked(k: int | None, queries: Any, collect_options: Mapping[str, Any] | None) -> None:
    """Raise where something is said of asking and nothing is asked."""
    given = {"k": k, "queries": queries, "collect": collect_options}
    if words := [f"{word}=" for word, value in given.items() if value is not None]:
        raise ParameterError(
            Text(
                f"{', '.join(words)} say how a retriever is asked, and a recorded run was given. Leave them out; a "
                "measure is cut by its own name, as nDCG@10.",
                f"{'、'.join(words)} 用于询问检索器，而这里给出的是已有的 run。请去掉；截断位置写在指标名中，如 "
                "nDCG@10。",
            )
        )


def refuse_shared_file(options: Mapping[str, Any], retrievers: int) -> None:
    """Raise where several retrievers would write their answers to one file."""
    if options.get("resume") is not None and retrievers > 1:
        raise ParameterError(
            Text(
                "`resume` names one file, and several retrievers need one each. Use rg.collect() for each.",
                "`resume` 只能指定一个文件，而多个检索器各需要一个。请分别使用 rg.collect()。",
            )
        )


def refuse_other_options(options: Any) -> None:
    """Raise for what is no option of `rg.collect`."""
    known = list(CollectOptions.__annotations__)
    if not isinstance(options, Mapping):
        raise ParameterError(
            Text(
                f"`collect` must be a dict of options of rg.collect(), got {show(options)}.",
                f"`collect` 必须是 rg.collect() 的选项组成的 dict，实际为 {show(options)}。",
            )
        )
    for name in options:
        if name not in known:
            hint = suggest(str(name), known)
            raise ParameterError(
                Text(
                    f"`collect` must hold options of rg.collect(), got {show(name)}.{hint} There are "
                    f"{', '.join(known)}.",
                    f"`collect` 中必须是 rg.collect() 的选项，实际为 {show(name)}。{zh(hint)}可用的有 "
                    f"{'、'.join(known)}。",
                )
            )


def _systems(run: Any) -> dict[str, Any] | None:
    """Retrievers by name, with the runs beside them; one without a name is alone. None where none is to be asked."""
    if _is_retriever(run):
        return {"": run}
    if isinstance(run, Mapping):
        return {str(name): given for name, given in run.items()} if any(map(_is_retriever, run.values())) else None
    if not isinstance(run, (list, tuple)) or not any(map(_is_retriever, run)):
        return None
    others = [given for given in run if not _is_retriever(given)]
    called = iter(names_of(others) if others else ())
    names = [retriever_of(given).name if _is_retriever(given) else next(called) for given in run]
    if len(set(names)) < len(names):
        raise InputError(
            Text(
                f"systems must have different names, got {', '.join(names)}. Pass a dict: {{name: retriever}}.",
                f"各系统的名称必须不同，实际为 {'、'.join(names)}。请传入 dict：{{名称: 检索器}}。",
            )
        )
    return dict(zip(names, run, strict=True))


def _is_retriever(given: Any) -> bool:
    return recognised(given) is not None
