"""What commands that ask live retrievers share: who is asked, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.cli.options import Input
from rankgauge.cli.places import Grown, refuse_inputs, refuse_numbered
from rankgauge.cli.style import click
from rankgauge.cli.types import Choice, Number
from rankgauge.errors import ParameterError

__all__ = [
    "HOW",
    "asked_for",
    "asking_options",
    "collected",
    "gate_asking_options",
    "journals_of",
    "judging_options",
    "placed_options",
    "retriever_named_in",
    "retrievers_of",
    "sweep_asking_options",
    "taken_out",
]

F = TypeVar("F", bound=Callable[..., Any])
HOW = ("id", "concurrency", "timeout", "retries", "rate", "warm_up")
"""The options that say how a retriever is asked: keywords of `rg.collect`."""


def asking_options(command: F) -> F:
    """Who is asked, how many results for, how many at a time, and what becomes of failures."""
    return _added(command, (_retriever(multiple=True, required=True), *_before(), _DOCUMENTS, *_how(), _JOURNAL))


def gate_asking_options(command: F) -> F:
    """The same for a gate, whose file may say all of it: nothing is said unless it is typed, and one is asked."""
    return _added(command, (_retriever(), *_before(False), *_how(False), _JOURNAL, *_judging(False)))


def sweep_asking_options(command: F) -> F:
    """The same for a command that may ask retrievers: nothing is said unless it is typed."""
    return _added(command, (_retriever(multiple=True), *_before(False), *_how(False), _JOURNAL, *_judging(False)))


def judging_options(command: F) -> F:
    """By what the answers of a retriever are judged."""
    return _added(command, _judging())


def placed_options(command: F) -> F:
    """By what stored results are judged."""
    return _added(command, _judging(False))


def _added(command: F, options: Sequence[Callable[[F], F]]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def _default(value: Any, shown: bool) -> dict[str, Any]:
    """A value unless said, as a command or as a file has it."""
    return {"default": value, "show_default": True} if shown else {"default": None}


def _told(en: str, zh: str, value: Any, shown: bool) -> Text:
    """Help that says what holds unless said, where Click cannot."""
    return Text(en, zh) if shown else Text(f"{en} [default: {value}]", f"{zh}[默认：{value}]")


def _retriever(**how: Any) -> Callable[[F], F]:
    return click.option(
        "--retriever",
        "retrievers" if how.get("multiple") else "retriever",
        default=None,
        metavar="[NAME=]MODULE:OBJECT",
        help=Text(
            "What is asked: search:find is find in search.py of this folder. A function query → results, a "
            "retriever of LangChain, LlamaIndex, Haystack, PyTerrier or Pyserini, or a function without parameters "
            "that makes one.",
            "要询问的检索器：search:find 即当前文件夹 search.py 中的 find。可以是函数（query → 结果），LangChain、"
            "LlamaIndex、Haystack、PyTerrier、Pyserini 的检索器，或不带参数、返回检索器的函数。",
        ),
        **how,
    )


def _before(shown: bool = True) -> tuple[Callable[[F], F], ...]:
    """How much is asked for."""
    return (
        click.option(
            "-k",
            "k",
            type=click.IntRange(1),
            **_default(20, shown),
            help=_told("Results that are asked for.", "每个问题要多少条结果。", 20, shown),
        ),
    )


_DOCUMENTS = click.option(
    "--documents",
    type=Input(),
    default=None,
    help=Text(
        "The documents, as texts by id: JSONL, CSV, Parquet, a folder of BEIR. With them results are pieces: "
        "document and offsets, or text that is located.",
        "文档（按 id 给出的文本）：JSONL、CSV、Parquet、BEIR 文件夹。给出后结果按文本块处理："
        "文档加偏移，或在文档中定位的文本。",
    ),
)
_JOURNAL = click.option(
    "--journal",
    type=Grown(),
    default=None,
    metavar="FILE",
    help=Text(
        "A file that each answer is added to; the same command again asks only what is missing, and with --retries "
        "what failed. Of several retrievers each has its own: FILE-NAME.",
        "逐条记录结果的文件；再次运行同一命令只问缺少的部分，给出 --retries 时也再问失败的部分。有多个检索器时各有"
        "一个：FILE-名称。",
    ),
)


def _how(shown: bool = True) -> tuple[Callable[[F], F], ...]:
    """What is asked, and how."""
    return (
        click.option(
            "--query-texts",
            type=Input(),
            default=None,
            help=Text(
                "What is asked, as texts by id, where QUESTIONS are judgements without any.",
                "问题的文本（按 id 给出），用于 QUESTIONS 是不带文本的标注时。",
            )
            if shown
            else Text(
                "What is asked, as texts by id, where QRELS are judgements without any.",
                "问题的文本（按 id 给出），用于 QRELS 是不带文本的标注时。",
            ),
        ),
        click.option(
            "--id",
            "id",
            default=None,
            metavar="KEY",
            help=Text(
                "Where the id of a document is: a key of its metadata, a field, or text.",
                "文档 id 在哪里：元数据的键、字段，或 text（以文本为 id）。",
            ),
        ),
        click.option(
            "--concurrency",
            type=click.IntRange(1, 10_000),
            **_default(1, shown),
            help=_told("Queries that are asked at a time.", "同时询问多少个查询。", 1, shown),
        ),
        click.option(
            "--timeout",
            type=Number(0, None, min_open=True),
            default=None,
            help=Text("Seconds that a call may take.", "一次调用最多多少秒。"),
        ),
        click.option(
            "--retries",
            type=click.IntRange(0),
            **_default(0, shown),
            help=_told("Further attempts where a call fails.", "调用失败后再试几次。", 0, shown),
        ),
        click.option(
            "--rate",
            type=Number(0, None, min_open=True),
            default=None,
            help=Text("Calls per second at most.", "每秒最多调用多少次。"),
        ),
        click.option(
            "--warm-up",
            type=click.IntRange(0),
            **_default(0, shown),
            help=_told("Queries that are asked before anything counts.", "先问多少个查询作预热，不计入。", 0, shown),
        ),
    )


def _judging(shown: bool = True) -> tuple[Callable[[F], F], ...]:
    """By what answers are judged."""
    return (
        click.option(
            "--chunks",
            type=Input(),
            default=None,
            help=Text(
                "Where chunks are, for retrievers and runs that give their ids: a table of chunk_id, doc_id, start, "
                "end (or text).",
                "文本块的位置，用于只给出文本块 id 的检索器和结果文件：带 chunk_id、doc_id、start、end（或 text）"
                "的表。",
            ),
        ),
        click.option(
            "--by",
            type=Choice(["spans", "ids"]),
            default=None,
            help=Text(
                "spans: judge by the parts of documents that answer; ids: by ids of documents. Unless said, spans "
                "where questions quote what answers or say where it stands, and stored results do so too.",
                "spans：按文档中回答问题的片段评判；ids：按文档 id 评判。不给出时，若问题引用了原文或给出了偏移"
                "（已有的结果也是如此），则按片段评判。",
            ),
        ),
        click.option(
            "--reach",
            type=Number(0, 1, min_open=True),
            **_default(1.0, shown),
            help=_told(
                "The share of what answers that must be retrieved for it to be found; for spans.",
                "答案片段要检索到多大比例才算找到；用于片段。",
                1.0,
                shown,
            ),
        ),
        click.option(
            "--not-found",
            type=Choice(["error", "skip"]),
            **_default("error", shown),
            help=_told(
                "What becomes of gold texts that stand in no document: skip leaves them out and counts them.",
                "在文档中找不到的标准答案文本怎么办：skip 略去并计数。",
                "error",
                shown,
            ),
        ),
    )


def retriever_named_in(word: str) -> tuple[str, str]:
    """What a retriever is called and what is asked, of `[NAME=]MODULE:OBJECT`; no name where none was given."""
    name, eq, rest = word.partition("=")
    if eq and not (name and rest):
        raise ParameterError(
            Text(
                f"--retriever with a name must look like new=search:find, got {show(word)}.",
                f"带名称的 --retriever 必须写成 new=search:find 的形式，实际为 {show(word)}。",
            )
        )
    return (name, rest) if eq else ("", word)


def retrievers_of(words: Sequence[str]) -> dict[str, Any]:
    """Retrievers by the names that were given to them, or those of their objects."""
    from rankgauge.collection.named import file_of, retriever_named

    found: dict[str, Any] = {}
    for word in words:
        given, typed = retriever_named_in(word)
        name = given or word.rpartition(":")[2] or word
        if name in found:
            raise ParameterError(
                Text(
                    f"two retrievers are called {show(name)}. Name them: --retriever old=… --retriever new=…",
                    f"有两个检索器都叫 {show(name)}。请分别命名：--retriever old=… --retriever new=…",
                )
            )
        found[name] = retriever_named(typed)
        refuse_inputs(file_of(typed))
    return found


def journals_of(journal: Path | None, names: Sequence[str]) -> dict[str, Path | None]:
    """The file of each retriever; one that is alone has the file itself."""
    if journal is None or len(names) == 1:
        return dict.fromkeys(names, journal)
    for name in names:
        if any(c in name for c in '/\\:*?"<>|'):
            raise ParameterError(
                Text(
                    f"--journal makes a file for each retriever, and {show(name)} cannot be part of its name. Name it "
                    "otherwise: --retriever new=…",
                    f"--journal 为每个检索器各写一个文件，而 {show(name)} 不能用作文件名。请换一个名称："
                    "--retriever new=…",
                )
            )
    return {name: journal.with_name(f"{journal.stem}-{name}{journal.suffix}") for name in names}


def asked_for(options: dict[str, Any]) -> dict[str, Any]:
    """What `asking_options` were told of how to ask, taken out of the options: keywords of `rg.collect`."""
    return {name: options.pop(name) for name in HOW}


def taken_out(options: dict[str, Any]) -> dict[str, Any]:
    """What was typed of `sweep_asking_options`, taken out of the options."""
    names = ("retrievers", "k", "query_texts", "journal", "chunks", "by", "reach", "not_found", *HOW)
    return {name: value for name in names if (value := options.pop(name)) not in (None, ())}


def collected(
    texts: Mapping[str, str], retrievers: Mapping[str, Any], k: int, journal: Path | None, **how: Any
) -> dict[str, Any]:
    """The run of each retriever, asked one after the other."""
    from rankgauge.collection import collect

    files = journals_of(journal, list(retrievers))
    refuse_numbered({"journal": [file for file in files.values() if file is not None]})
    return {name: collect(texts, each, k, name=name, resume=files[name], **how) for name, each in retrievers.items()}
