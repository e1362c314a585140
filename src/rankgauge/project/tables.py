"""The tables of a project file, as structs: what each key may hold, and what no type can say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from rankgauge._text import Text
from rankgauge.gate.rules import Bounds, Limits

__all__ = ["CHANNELS", "Channel", "Dataset", "GateRules", "SliceTable", "System", "is_variable"]

Problem = tuple[str, Text]

_PATH_OR_PATHS = Text("a path, or a table of paths by dataset", "路径，或按数据集列出路径的表")
_PATH_OR_COLUMNS = Text("a path, or a list of columns", "路径，或列名的列表")
_NAMES = Text("a list of names", "名称的列表")


class SliceTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Rules that every large enough slice must meet: of queries by their attributes, of rows by their columns."""

    attributes: Annotated[tuple[str, ...], _NAMES] = ()
    """Attributes of queries, or columns of rows; all that the dataset names when empty."""
    floors: Limits = {}
    bounds: Bounds = {}
    non_inferior: Limits = {}
    min_queries: int = 20
    min_positives: int = 50


class GateRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The tables of gate.toml. Rules about rankings hold for rankings, those about labels and scores for these."""

    baseline: str | None = None
    """`previous`, `acknowledged`, `tag:NAME`, `entry:ID`, or a file."""
    alpha: float = 0.05
    certain: bool = False
    allow_inconclusive: bool = False
    accept: tuple[str, ...] = ()
    standard: str | None = None
    level: str | None = None
    standards: str | None = None
    floors: Limits = {}
    bounds: Bounds = {}
    non_inferior: Limits = {}
    ceilings: Limits = {}
    slices: SliceTable | None = None

    def mistakes(self) -> Iterator[Problem]:
        sliced = {} if self.slices is None else self.slices.non_inferior
        if (self.non_inferior or sliced) and self.baseline is None:
            yield (
                "baseline",
                Text(
                    'is missing, and `non_inferior` needs it: "previous", "acknowledged", "tag:NAME", "entry:ID" or a '
                    "file.",
                    '缺失，而 `non_inferior` 需要它："previous"、"acknowledged"、"tag:NAME"、"entry:ID" 或文件。',
                ),
            )


class Dataset(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What systems are measured on: judgements, questions with what is relevant to them, or labels and scores."""

    qrels: str | None = None
    questions: str | None = None
    """Texts to ask live retrievers; with what is relevant to them they are the judgements as well."""
    documents: str | None = None
    tokenizer: str | None = None
    predictions: str | None = None
    slices: Annotated[str | tuple[str, ...], _PATH_OR_COLUMNS] | None = None
    """Of rankings a file of attributes of queries (or `activity`), of labels and scores their columns."""
    train: str | None = None
    items: str | None = None
    label: str | None = None
    group: str | None = None
    weight: str | None = None
    time: str | None = None
    positive: Annotated[str | int | float | bool, Text("a text or a number", "文本或数字")] | None = None
    scale: str | None = None
    negatives_kept: float | None = None
    measures: tuple[str, ...] = ()
    """In place of those of the project."""
    columns: dict[str, str] = {}
    gate: GateRules | None = None
    """In place of the gate of the project."""

    @property
    def is_of_rows(self) -> bool:
        return self.predictions is not None

    @property
    def judged(self) -> str:
        """The file of judgements."""
        return self.qrels or self.questions or ""

    def mistakes(self) -> Iterator[Problem]:
        if not (self.qrels or self.questions or self.predictions):
            yield (
                "qrels",
                Text(
                    "is missing: a dataset has `qrels`, `questions` with what is relevant to them, or `predictions`.",
                    "缺失：数据集要有 `qrels`、带相关文档的 `questions`，或 `predictions`。",
                ),
            )
        own = _ROWS if self.is_of_rows else _RANKINGS
        for name in sorted((_ROWS | _RANKINGS) - own):
            if getattr(self, name) is not None:
                yield name, _NOT_OF_ROWS if self.is_of_rows else _NOT_OF_RANKINGS
        if self.slices is not None and self.is_of_rows == isinstance(self.slices, str):
            yield (
                "slices",
                Text(
                    'must be a list of columns of `predictions`, such as ["device"].',
                    '必须是 `predictions` 的列名列表，例如 ["device"]。',
                )
                if self.is_of_rows
                else Text(
                    "must be a file with attributes of queries, such as queries.jsonl.",
                    "必须是含查询属性的文件，例如 queries.jsonl。",
                ),
            )


_RANKINGS = frozenset({"qrels", "questions", "documents", "tokenizer", "train", "items"})
_ROWS = frozenset({"predictions", "label", "group", "weight", "time", "positive", "scale", "negatives_kept"})
_NOT_OF_ROWS = Text(
    "is about rankings, and this dataset has `predictions`. Make it a dataset of its own.",
    "用于排序，而此数据集有 `predictions`。请另立一个数据集。",
)
_NOT_OF_RANKINGS = Text(
    "is about labels and scores, and this dataset has no `predictions`. Leave it out.",
    "用于标签与得分，而此数据集没有 `predictions`。请去掉。",
)


class System(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is measured: files of lists, a live retriever, or a column of scores."""

    run: Annotated[str | dict[str, str], _PATH_OR_PATHS] | None = None
    retriever: str | None = None
    """`module:object`, looked for in the folder of the file first."""
    score: str | None = None
    """The column of a dataset of labels and scores."""
    datasets: Annotated[tuple[str, ...], _NAMES] = ()
    """Those it is measured on; all that it fits when empty."""
    version: str = ""
    labels: dict[str, str] = {}
    k: int = 20
    id: str | None = None
    concurrency: int = 1
    timeout: float | None = None
    retries: int = 0
    rate: float | None = None
    warm_up: int = 0

    @property
    def is_of_rows(self) -> bool:
        return self.score is not None

    @property
    def asking(self) -> dict[str, Any]:
        """How a retriever is asked, as `rg.collect` takes it."""
        names = ("id", "concurrency", "timeout", "retries", "rate", "warm_up")
        return {name: getattr(self, name) for name in names}

    def mistakes(self) -> Iterator[Problem]:
        given = [name for name in ("run", "retriever", "score") if getattr(self, name) is not None]
        if len(given) != 1:
            got = ", ".join(given)
            yield (
                given[1] if given else "run",
                Text(
                    "is missing: a system has a `run`, a `retriever` or a `score`."
                    if not given
                    else f"is one too many: a system has a `run`, a `retriever` or a `score`, got {got}.",
                    "缺失：系统要有 `run`、`retriever` 或 `score`。"
                    if not given
                    else f"多余：系统只能有 `run`、`retriever`、`score` 之一，实际有 {got}。",
                ),
            )


CHANNELS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "file": (("path",), ()),
    "webhook": (("url_env",), ("token_env",)),
    "slack": (("url_env",), ()),
    "feishu": (("url_env",), ("secret_env",)),
    "dingtalk": (("url_env",), ("secret_env",)),
    "wecom": (("url_env",), ()),
    "email": (("host", "sender", "to"), ("port", "security", "user_env", "password_env")),
}
"""Where messages can go: what each needs, and what else it takes."""
_OF_ALL = ("kind", "timeout", "attempts", "language")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


def is_variable(name: object) -> bool:
    """Whether it can be the name of an environment variable."""
    return isinstance(name, str) and _VARIABLE.fullmatch(name) is not None


class Channel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where messages go. Whatever is secret is the name of an environment variable."""

    kind: Literal["file", "webhook", "slack", "feishu", "dingtalk", "wecom", "email"]
    url_env: str | None = None
    secret_env: str | None = None
    token_env: str | None = None
    path: str | None = None
    host: str | None = None
    port: int | None = None
    security: Literal["starttls", "tls", "none"] | None = None
    sender: str | None = None
    to: Annotated[tuple[str, ...], Text("a list of addresses", "地址的列表")] | None = None
    user_env: str | None = None
    password_env: str | None = None
    timeout: float = 10.0
    attempts: int = 3
    language: Literal["en", "zh"] | None = None

    def mistakes(self) -> Iterator[Problem]:
        needs, takes = CHANNELS[self.kind]
        given = {f.name for f in msgspec.structs.fields(self) if getattr(self, f.name) != f.default}
        for name in needs:
            if not getattr(self, name):
                what = f"a channel of kind {self.kind} needs it"
                yield name, Text(f"is missing: {what}.", f"缺失：{self.kind} 渠道需要它。")
        for name in sorted(given - {*needs, *takes, *_OF_ALL}):
            yield (
                name,
                Text(
                    f"is nothing that a channel of kind {self.kind} takes. Leave it out.",
                    f"不适用于 {self.kind} 渠道。请去掉。",
                ),
            )
        if not 0 < self.timeout <= 300:
            yield "timeout", Text("must be more than 0 and at most 300 seconds.", "必须大于 0 且不超过 300 秒。")
        if not 1 <= self.attempts <= 10:
            yield "attempts", Text("must be between 1 and 10.", "必须在 1 与 10 之间。")
        if self.port is not None and not 1 <= self.port <= 65535:
            yield "port", Text("must be between 1 and 65535.", "必须在 1 与 65535 之间。")
        if self.password_env is not None and self.security == "none":
            yield (
                "security",
                Text(
                    'must be "starttls" or "tls" where there is a password: "none" would send it for all to read.',
                    '有密码时必须是 "starttls" 或 "tls"："none" 会明文发送密码。',
                ),
            )
        if (self.password_env is None) != (self.user_env is None):
            name = "user_env" if self.user_env is None else "password_env"
            yield name, Text("is missing: user and password go together.", "缺失：用户名和密码要一起给出。")
