"""What a gate asks: files, policy and rules, from a TOML file or from flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

import msgspec

from rankgauge._checks import is_number
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._words import as_meant
from rankgauge.data.activity import is_word
from rankgauge.data.settings import settings
from rankgauge.errors import InputError, RankgaugeError, suggest
from rankgauge.evaluation.policy_fields import fields_of, words_as_text
from rankgauge.evaluation.rankings.conventions import Convention
from rankgauge.evaluation.rankings.conventions import convention as convention_named
from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
from rankgauge.evaluation.rankings.suspicion import refuse_unknown
from rankgauge.gate.file import gate_file, laid_over, without_empty
from rankgauge.gate.limits import empty_lists, odd_alpha, odd_least, odd_limit, out_of_reach, refuse_no_tables
from rankgauge.gate.rules import CEILINGS, Limits, ceilings_of, each, floors_of, is_ceiling, margins_of
from rankgauge.measures.base import Measure
from rankgauge.measures.grammar import parse_ranking

__all__ = ["Gate", "GateCollect", "GateFields", "GatePolicy", "SliceRules"]

_PATHS = ("qrels", "run", "baseline", "standards", "train", "items", "documents", "queries", "chunks")
_WORDS = fields_of(Policy)

if TYPE_CHECKING:
    Source = Any  # in Python whatever `evaluate` takes
else:
    Source = str  # in a file a path


class _Convention(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    convention: str = "rankgauge"


if TYPE_CHECKING:
    from rankgauge.collection.collecting import CollectOptions
    from rankgauge.diagnosis.standards import Benchmark

    class GatePolicy(_Convention, frozen=True):
        def __init__(self, *, convention: str = "rankgauge", **words: Unpack[PolicyWords]) -> None: ...

    PolicyTable = GatePolicy | Policy | PolicyWords
else:
    GatePolicy = PolicyTable = msgspec.defstruct(
        "GatePolicy",
        [(name, (f.kind | dict[str, str] if f.by_measure else f.kind) | None, None) for name, f in _WORDS.items()],
        bases=(_Convention,),
        frozen=True,
        kw_only=True,
        omit_defaults=True,
        namespace={
            "__doc__": "The table `policy` of a gate: a convention, and policy words that change it one by one."
        },
    )


class SliceRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Rules that every large enough slice of queries must meet."""

    file: Annotated[str | tuple[str, ...], msgspec.Meta(examples=["queries.jsonl"])]
    """Attributes of queries: CSV, JSONL, Parquet with a query_id column; or `activity`, which is made of `train`; or a
    list of both."""
    attributes: tuple[str, ...] = ()
    """Attributes to slice by; all when empty."""
    floors: Limits = {}
    non_inferior: Limits = {}
    min_queries: int = 20
    """Smaller slices are not checked, and named."""


class GateCollect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table `collect` of a gate: how its retriever is asked, in the words of `rg.collect`."""

    id: str | None = None
    """Where the id of a document is: a key of its metadata, a field, or `text`."""
    concurrency: int | None = None
    timeout: float | None = None
    """Seconds that a call may take."""
    retries: int | None = None
    rate: float | None = None
    """Calls per second at most."""
    warm_up: int | None = None
    resume: str | None = None
    """A file that each answer is added to; with it only what is missing is asked."""


if TYPE_CHECKING:
    CollectTable = GateCollect | CollectOptions
else:
    CollectTable = GateCollect


class GateFields(TypedDict, total=False):
    """The fields of a gate but for its rules, for those who make one of flags."""

    qrels: Any
    run: Any
    retriever: str | None
    k: int | None
    queries: Any
    collect: CollectTable | Mapping[str, Any]
    chunks: Any
    by: str | None
    reach: float | None
    not_found: str | None
    baseline: Any
    train: Any
    items: Any
    documents: Any
    tokenizer: Any
    measures: Sequence[str]
    alpha: float
    certain: bool
    allow_inconclusive: bool
    accept: Sequence[str]
    policy: Policy | PolicyTable | Mapping[str, Any]
    standard: str | None
    level: str | None
    standards: str | None
    columns: Mapping[str, str] | None


class Gate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What must hold before a release goes out: `run_gate(Gate.from_toml("gate.toml"))`.

    `floors` are means that must be reached (for measures where lower is better: not exceeded), `non_inferior` losses
    against the baseline that do not matter, `ceilings` limits on what is wrong with the input. Each is a number, or a
    list of numbers where one measure has several rules: all are checked.
    """

    qrels: Annotated[Source, msgspec.Meta(examples=["qrels.txt"])]
    run: Annotated[Source | None, msgspec.Meta(examples=["new.run"])] = None
    """Left out where `qrels` holds the lists as well, or a `retriever` is asked. In Python it may be a retriever."""
    retriever: Annotated[str | None, msgspec.Meta(examples=["search:find"])] = None
    """A live retriever by its name, `module:object`: it is asked the questions of `qrels`."""
    k: int | None = None
    """Results that a retriever is asked for; 20 unless said."""
    queries: Source | None = None
    """What a retriever is asked, as texts by id, where `qrels` are judgements without any."""
    collect: CollectTable = GateCollect()
    """How a retriever is asked: id, concurrency, timeout, retries, rate, warm_up, resume."""
    chunks: Source | None = None
    """Where chunks are, for retrievers and runs that give their ids: chunk_id, doc_id, start, end (or text)."""
    by: str | None = None
    """`spans` or `ids`: what results are judged by; else spans where `qrels` quote what answers or say where it stands,
    and results that are recorded say where they stand, too."""
    reach: float | None = None
    """The share of a span that must be retrieved for it to be found; 1 unless said."""
    not_found: str | None = None
    """`error` (unless said) or `skip`: what becomes of gold texts that stand in no document."""
    baseline: Source | None = None
    """A run, or an evaluation stored as JSON."""
    train: Source | None = None
    """Interactions before, for measures of what is shown and for slices by activity."""
    items: Source | None = None
    """The catalogue, for measures of what is shown."""
    documents: Source | None = None
    """Texts by id, for measures with a budget (`R(budget=2000t)`) and for gold that is spans of documents."""
    tokenizer: Source | None = None
    """What counts tokens: `module:callable`, a tokenizer.json or an encoding of tiktoken; in Python also itself."""
    measures: tuple[str, ...] = ()
    """Measures to show besides those of the rules."""
    alpha: float = 0.05
    """Risk of a wrong decision of one rule; intervals have the level 1 - 2·alpha."""
    certain: bool = False
    """Whether floors ask that the whole interval reaches them, not only the mean."""
    allow_inconclusive: bool = False
    """Whether rules that the queries do not settle let the release pass."""
    accept: tuple[str, ...] = ()
    """Suspicions about the input that may stand, by their codes: `["worst-first"]`. Others make it inconclusive."""
    policy: PolicyTable = GatePolicy()
    """Policy words and a convention; or a whole `Policy`, such as that of an evaluation."""
    standard: str | None = None
    """Figures that the means must reach, as floors: `production` (of a `level`), or the benchmarks of a scenario."""
    level: str | None = None
    """Of production: minimum (unless said), good or excellent."""
    standards: str | None = None
    """A TOML file that replaces shipped figures."""
    floors: Limits = {}
    """Rules about a measure take the place of what the standard asks of it."""
    non_inferior: Limits = {}
    ceilings: Limits = {}
    slices: SliceRules | None = None
    columns: dict[str, str] = {}
    """Columns of the input under other names: `{"docno": "doc_id"}`."""

    def __post_init__(self) -> None:
        refuse_no_tables({name: getattr(self, name) for name in ("floors", "non_inferior", "ceilings", "columns")})
        if not isinstance(self.policy, GatePolicy):
            msgspec.structs.force_setattr(self, "policy", _policy_table(self.policy))
        problems = _problems(self)
        if problems:
            raise InputError.collect(Text("gate: ", "门禁："), problems)

    @classmethod
    def from_toml(cls, path: str | PathLike[str], changes: Mapping[str, Any] | None = None) -> Gate:
        """The gate of a file, whose paths are relative to its folder; `changes` are laid over it."""
        data, folder, where = gate_file(path)
        placed, given = _placed(data, folder), _by_measure(data, changes or {})
        return settings(cls, laid_over(placed, given, _meaning), where)

    @classmethod
    def from_flags(
        cls,
        *,
        floors: Iterable[str] = (),
        non_inferior: Iterable[str] = (),
        ceilings: Iterable[str] = (),
        slice_floors: Iterable[str] = (),
        slice_non_inferior: Iterable[str] = (),
        slices: Mapping[str, Any] | None = None,
        file: str | PathLike[str] | None = None,
        **fields: Unpack[GateFields],
    ) -> Gate:
        """A gate from rules as texts (`nDCG@10>=0.40`, `nDCG@10:0.01`, `missing_queries<=0`) and other fields.

        Laid over the gate of `file` when one is given: rules for the same measure replace those of the file.

        >>> Gate.from_flags(qrels="qrels.txt", run="new.run", floors=["nDCG@10>=0.40"]).floors
        {'nDCG@10': 0.4}
        """
        of_slices = {
            **(slices or {}),
            "floors": floors_of(slice_floors),
            "non_inferior": margins_of(slice_non_inferior),
        }
        given = {
            **fields,
            "floors": floors_of(floors),
            "non_inferior": margins_of(non_inferior),
            "ceilings": ceilings_of(ceilings),
            "slices": of_slices,
        }
        given = without_empty(given)
        return cls.from_toml(file, given) if file is not None else settings(cls, given, "gate")

    @property
    def convention(self) -> Convention:
        """The convention that the policy words start from."""
        return convention_named(self.words["convention"])

    @property
    def asked(self) -> Limits:
        """The floors with those of the standard, which come first."""
        mine = {_meaning(name, self.convention) for name in self.floors}
        of_standard = {b.measure: b.value for b in self.figures if _meaning(b.measure, self.convention) not in mine}
        return {**of_standard, **self.floors}

    @property
    def figures(self) -> tuple[Benchmark, ...]:
        """What the standard asks for."""
        from rankgauge.gate.standard import figures_of

        return figures_of(self.standard, self.level, self.standards)

    @property
    def how(self) -> dict[str, Any]:
        """What is said of how a retriever is asked, as `rg.collect` takes it."""
        told: Any = self.collect
        given = dict(told) if isinstance(told, Mapping) else msgspec.structs.asdict(told)
        return {name: value for name, value in given.items() if value is not None}

    @property
    def words(self) -> dict[str, Any]:
        """The convention and the policy words as `evaluate` takes them."""
        return msgspec.structs.asdict(self.policy)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """The gate as plain values, without what is left at its default."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


# from plain data


def _placed(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The same with paths as seen from the current folder."""
    out = {k: str(folder / v) if k in _PATHS and isinstance(v, str) and v != "-" else v for k, v in data.items()}
    collect = out.get("collect")
    if isinstance(collect, Mapping) and isinstance(collect.get("resume"), str):
        out["collect"] = {**collect, "resume": str(folder / collect["resume"])}
    slices = out.get("slices")
    if isinstance(slices, Mapping) and "file" in slices:
        given = slices["file"]

        def placed(file: Any) -> Any:
            return str(folder / file) if isinstance(file, str) and not is_word(file) else file

        out["slices"] = {**slices, "file": [placed(f) for f in given] if isinstance(given, list) else placed(given)}
    return out


def _by_measure(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes with what the file says of other measures, where a policy word is said by measure."""
    mine, theirs = data.get("policy"), changes.get("policy")
    if not isinstance(mine, Mapping) or not isinstance(theirs, Mapping):
        return dict(changes)
    both = [name for name, f in _WORDS.items() if f.by_measure and name in mine and name in theirs]
    told = {name: words_as_text(mine[name], theirs[name]) for name in both}
    return {**changes, "policy": {**theirs, **told}}


def _meaning(name: str, convention: Convention | None = None) -> Any:
    """What a rule is about: the measure, or the name where it is none."""
    try:
        return parse_ranking(name, None if convention is None else convention.parameters)
    except RankgaugeError:
        return as_meant(name)


_PAIRED = ("mean", "run")
"""Numbers that are paired with those of a baseline: means over queries, and those of a whole run, by its queries."""
_SUMMARIES = {
    "sum": Text("a sum over queries", "对查询的总和"),
    "geometric": Text("a geometric over queries", "对查询的几何平均"),
    "none": Text("a none over queries", "没有均值的文本"),
    "run": Text("a number of the whole run", "整个 run 的数值"),
}


class _WithPolicy(msgspec.Struct, frozen=True):
    policy: GatePolicy


def _policy_table(given: Any) -> GatePolicy:
    """The words of a policy, or those of a dict, as the table that a file has."""
    if not isinstance(given, (Policy, Mapping)):
        raise InputError(
            Text(
                f"gate: policy must be a Policy, or a dict of policy words, got {show(given)}.",
                f"门禁：policy 必须是 Policy，或策略词的 dict，实际为 {show(given)}。",
            )
        )
    words = given.to_dict() if isinstance(given, Policy) else given
    return settings(_WithPolicy, {"policy": words}, Text("gate", "门禁")).policy


# what no gate can mean


def _problems(gate: Gate) -> list[str]:
    out = [*_policy(gate), *_standard(gate), *_ceilings(gate), *_accepted(gate), *odd_alpha(gate.alpha)]
    out += _asking(gate)
    tables: list[tuple[str, Limits]] = [("floors", gate.floors), ("non_inferior", gate.non_inferior)]
    rules = [gate.floors, gate.non_inferior, gate.ceilings]
    if gate.slices is not None:
        tables += [("slices.floors", gate.slices.floors), ("slices.non_inferior", gate.slices.non_inferior)]
        rules += [gate.slices.floors, gate.slices.non_inferior]
        out += odd_least("slices.min_queries", gate.slices.min_queries)
        if not (gate.slices.floors or gate.slices.non_inferior):
            out.append(
                Text(
                    "`slices` has no rules. Add slices.floors or slices.non_inferior.",
                    "`slices` 没有规则。请加上 slices.floors 或 slices.non_inferior。",
                )
            )
    if not any(rules) and gate.standard is None:
        out.append(
            Text(
                "there are no rules. Add `floors`, `non_inferior`, `ceilings` or a `standard`.",
                "没有规则。请加上 `floors`、`non_inferior`、`ceilings` 或 `standard`。",
            )
        )
    for table, limits in tables:
        out += [p for name, limit in each(limits) for p in _limit(gate, table, name, limit)]
        out += empty_lists(table, limits)
    out += [p for name in gate.measures for p in _measure(gate, "measures", name)[1]]
    if any(limits for table, limits in tables if table.endswith("non_inferior")) and gate.baseline is None:
        out.append(
            Text(
                "`non_inferior` needs a `baseline`: a run, or an evaluation stored as JSON.",
                "`non_inferior` 需要 `baseline`：一个 run，或存为 JSON 的评测。",
            )
        )
    return out


def _policy(gate: Gate) -> list[str]:
    words = {k: v for k, v in gate.words.items() if k != "convention"}
    try:
        policy = gate.convention.applied(**words)
    except RankgaugeError as e:
        return [Text(f"policy: {e.text}", f"policy：{zh(e.text)}")]
    decided = ((name, f, getattr(policy, name)) for name, f in fields_of(Policy).items())
    return [
        Text(
            f"policy: `{name}` must be {' or '.join(f.typed)}, got {show(value)}: a gate has no {f.beside[value]}.",
            f"policy：`{name}` 必须是 {' 或 '.join(f.typed)}，实际为 {show(value)}：门禁没有{zh(f.beside[value])}。",
        )
        for name, f, value in decided
        if value in f.beside
    ]


def _standard(gate: Gate) -> list[str]:
    try:
        gate.figures  # noqa: B018 - it says what is wrong
    except RankgaugeError as e:
        return [e.text]
    return []


def _accepted(gate: Gate) -> list[str]:
    try:
        refuse_unknown(gate.accept)
    except RankgaugeError as e:
        return [Text(f"accept: {e.text}", f"accept：{zh(e.text)}")]
    return []


def _asking(gate: Gate) -> list[str]:
    """What is said of a live retriever and can mean nothing."""
    out: list[str] = []
    if gate.retriever is not None and gate.run is not None:
        out.append(
            Text(
                "a gate decides on a `run` or on a live `retriever`, got both. Leave one of them out.",
                "门禁裁决一个 `run` 或一个在线的 `retriever`，实际两者都给出了。请去掉其中之一。",
            )
        )
    if isinstance(gate.collect, Mapping):
        from rankgauge.collection.answering import refuse_other_options

        try:
            refuse_other_options(gate.collect)
        except RankgaugeError as e:
            out.append(e.text)
    for name, words in (("by", ("spans", "ids")), ("not_found", ("error", "skip"))):
        if (said := getattr(gate, name)) is not None and said not in words:
            out.append(
                Text(
                    f"`{name}` must be {' or '.join(words)}, got {show(said)}.{suggest(str(said), words)}",
                    f"`{name}` 必须是 {' 或 '.join(words)}，实际为 {show(said)}。{zh(suggest(str(said), words))}",
                )
            )
    if gate.k is not None and (not isinstance(gate.k, int) or isinstance(gate.k, bool) or gate.k < 1):
        out.append(Text(f"`k` must be 1 or more, got {show(gate.k)}.", f"`k` 必须不小于 1，实际为 {show(gate.k)}。"))
    if gate.reach is not None and not (is_number(gate.reach) and 0 < gate.reach <= 1):
        out.append(
            Text(
                f"`reach` must be a share above 0 and up to 1, got {show(gate.reach)}.",
                f"`reach` 必须是大于 0、不超过 1 的比例，实际为 {show(gate.reach)}。",
            )
        )
    return out


def _ceilings(gate: Gate) -> list[str]:
    out = empty_lists("ceilings", gate.ceilings)
    for name, limit in each(gate.ceilings):
        share = as_meant(name).startswith("unjudged")
        if not is_ceiling(name):
            out.append(
                Text(
                    f"ceilings: {show(name)} must be one of {', '.join(CEILINGS)}.{suggest(name, CEILINGS)}",
                    f"ceilings：{show(name)} 必须是 {', '.join(CEILINGS)} 之一。{zh(suggest(name, CEILINGS))}",
                )
            )
        elif not is_number(limit):
            out.append(
                Text(
                    f"ceilings: {name} must have a finite number, got {show(limit)}.",
                    f"ceilings：{name} 必须是有限的数字，实际为 {show(limit)}。",
                )
            )
        elif share and not 0 <= limit <= 1:
            out.append(
                Text(
                    f"ceilings: {name} must be a share between 0 and 1, got {show(limit)}.",
                    f"ceilings：{name} 必须是 0 与 1 之间的比例，实际为 {show(limit)}。",
                )
            )
        elif not share and (not limit >= 0 or (isinstance(limit, float) and limit >= 1)):
            out.append(
                Text(
                    f"ceilings: {name} must be a whole number, or a share below 1 such as 0.01, got {show(limit)}.",
                    f"ceilings：{name} 必须是整数，或小于 1 的比例（如 0.01），实际为 {show(limit)}。",
                )
            )
    return out


def _limit(gate: Gate, table: str, name: str, limit: float) -> list[str]:
    m, out = _measure(gate, table, name)
    out += odd_limit(table, name, limit)
    if m is None:
        return out
    is_margin = table.endswith("non_inferior")
    if far := out_of_reach(table, name, m, limit) if is_margin or m.summary in _PAIRED else []:
        out += far
    elif table.startswith("slices.") and m.summary == "run":
        out.append(
            Text(
                f"{table}: {name} is a number of the whole run, of which slices have none. Ask it of all users.",
                f"{table}：{name} 是整个 run 的数值，切片没有。请对全部用户设置规则。",
            )
        )
    elif is_margin and m.summary not in _PAIRED:
        what = _SUMMARIES[m.summary]
        out.append(
            Text(
                f"{table}: {name} must be a mean over queries to be paired with the baseline, it is {what}.",
                f"{table}：{name} 必须是对查询的平均才能与基线配对，而它是{zh(what)}。",
            )
        )
    elif m.summary == "run" and table == "slices.floors":
        out.append(
            Text(
                f"{table}: {name} is a number of the whole run, and slices have none. Make it one of `floors`.",
                f"{table}：{name} 是整个 run 的数值，切片没有这样的值。请写入 `floors`。",
            )
        )
    elif m.summary == "none":
        out.append(
            Text(f"{table}: {name} has no mean that could reach a floor.", f"{table}：{name} 没有可以达到下限的均值。")
        )
    return out


def _measure(gate: Gate, table: str, name: str) -> tuple[Measure | None, list[str]]:
    try:
        if table == "measures":  # may stand for several
            from rankgauge.evaluation.rankings.naming import as_named

            as_named(name, gate.convention)
            return None, []
        return parse_ranking(name, gate.convention.parameters), []
    except RankgaugeError as e:
        return None, [] if "convention" in e.text else [Text(f"{table}: {e.text}", f"{table}：{zh(e.text)}")]
