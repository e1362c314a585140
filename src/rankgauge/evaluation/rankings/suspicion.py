"""What casts doubt on a number: cheap looks at the input that go with every evaluation.

`rg.audit` looks at everything; this looks at what an alignment shows anyway, so that no number is printed beside an
error that is known. The counts it needs (`evidence`) add up over parts of the queries: they are the same in memory, in
pieces and on Spark. Some looks need the lists themselves, and are taken only where the counts give a reason to
(`suspicions_of_lists`): whether ids are written in two ways, whether candidates were sampled, and whether lists that
seem to be upside down are so many lists, or one for all. What a recommender learned from is looked at where it is given
(`learning.py`).

An *error* says that the numbers are not what they seem, a *warning* that they are doubtful; what the user *accepted*
is said and stops nothing. Codes are those of the audit, and `failed-calls` of what a live retriever did not answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from numbers import Integral
from string import Formatter
from typing import Any, Literal

import numpy as np

from rankgauge._claims import Claim, Statement, claimed, phrase
from rankgauge._numbers import counted, number
from rankgauge._plain_data import damaged, read_fields
from rankgauge._show import show
from rankgauge._text import Text, in_language
from rankgauge.alignment import Alignment
from rankgauge.data.collected import Collected
from rankgauge.data.direction import SAMPLE, Direction, direction_of, n_distinct
from rankgauge.data.qrels import HUGE, MOST_MISSING
from rankgauge.data.spelling import (
    change_of,
    chunk_of,
    cuts,
    is_of_chunks,
    prefixes,
    respelled,
    said_change,
    spelling_key,
)
from rankgauge.data.table import Table
from rankgauge.errors import UnknownName, among

__all__ = [
    "EVIDENCE",
    "NOT_LOOKED_AT",
    "SUSPICIONS",
    "Severity",
    "Suspicion",
    "accepting",
    "errors_of",
    "evidence",
    "not_looked_at",
    "refuse_unknown",
    "suspicions_of_calls",
    "suspicions_of_lists",
    "suspicions_of_measures",
    "suspicions_of_pieces",
    "suspicions_of_tally",
    "together",
]

Severity = Literal["error", "warning", "accepted"]

_LOOKED_AT = 8  # lists that are looked at for ids in another spelling
_IDS = 1_000  # of each of them
_BLIND = 0.5  # share of lists without anything judged from which on spelling is looked at
_HARDLY_ANY = 0.9  # the same where they cannot be looked at and it can only be said
_DEEP_TARGETS = 5  # targets in the second half of their lists, of which none is lost: one in 100 by chance (e^-5)


@dataclass(frozen=True)
class Said:
    """A suspicion in words: what is seen (from its numbers), and what to do.

    `{missing}` is a number, `{missing:is|are}` the words that go with one of it, or with several.
    """

    en: str
    zh: str
    try_: Text
    one: str = ""
    """The English words where there is one of what is counted, in all (`_TOTALS`)."""
    sample: Text | None = None
    """What is added where an id of each side is at hand (`judged_id`, `run_id`)."""


_TOTALS = ("queries", "lists", "pairs", "rows", "places")

SAMPLED = "sampled-candidates"

SUSPICIONS = {
    "worst-first": Said(
        "relevant results lie at the end of the lists ({against} of {lists}): the run seems to be stored worst "
        "first, and then these are the numbers of the reversed ranking.",
        "相关结果集中在列表末尾（{lists} 个列表中有 {against} 个）：结果似乎是从差到好存放的，"
        "那么这些数值就属于颠倒的排序。",
        Text(
            "Are the lists in reversed order? They must begin with the best result: turn them around if they are "
            "stored last to first; where there are scores, higher must be better: negate distances. If the order is "
            "right, the relevant results are found late: accept worst-first (--accept worst-first of evaluate, "
            "diagnose and gate; the argument accept in Python).",
            "列表的顺序是不是反了？列表应当从最好的结果开始：如果是倒着存放的，请翻转；如有得分，应当越高越好：距离请取负。"
            "如果顺序没有错，说明相关结果排得靠后：请接受 worst-first（evaluate、diagnose 和 gate 用 "
            "--accept worst-first，Python 用参数 accept）。",
        ),
    ),
    "id-mismatch": Said(
        "judged {what} match the run only after {change} ({example}): nothing judged was found for {blind} of "
        "{lists} queries.",
        "标注的{what}要在{change}之后才能与结果对上（{example}）：{lists} 个查询中有 {blind} 个"
        "没有找到任何已标注条目。",
        Text("Write the ids of both sides in the same way.", "让两边的 id 写法一致。"),
    ),
    "missing-queries": Said(
        "{missing} of the {queries} judged queries {missing:is|are} not in the run: empty lists decide its numbers.",
        "{queries} 个已标注查询中有 {missing} 个不在结果中：数值主要由空列表决定。",
        Text(
            "Check that judgements and run are about the same queries, under the same ids (of records with an id and a "
            "question the id counts, not the question); run what was not asked, or pass missing='skip' to leave it "
            "out.",
            "确认标注与结果是同一批查询，且 id 相同（记录同时有 id 和问题时以 id 为准，"
            "而不是问题）；补跑没有运行的查询，或用 missing='skip' 将其排除。",
        ),
        one="there is {queries} judged query, and it is not in the run.",
        sample=Text(" {judged_id} is judged, {run_id} is in the run.", "标注中如 {judged_id}，结果中如 {run_id}。"),
    ),
    "failed-calls": Said(
        "{failed} of {queries} queries got no answer from the retriever, which failed or took too long: the numbers "
        "count them as empty lists.",
        "检索器对 {queries} 个查询中的 {failed} 个没有给出结果（出错或超时）：数值把它们计为空列表。",
        Text(
            "Mend what fails (run.collected.errors has the error of each query), or ask again with retries and a "
            "longer timeout. If numbers that count failures as empty lists are what is wanted, accept failed-calls "
            "(--accept failed-calls of gate; the argument accept of a gate, ev.accepting('failed-calls') in Python).",
            "请解决出错的原因（run.collected.errors 给出每个查询的错误），或用 retries 和更长的 timeout 重新询问。"
            "如果要的正是把失败计为空列表的数值，请接受 failed-calls（gate 用 --accept failed-calls；"
            "Python 中用 gate 的 accept，或 ev.accepting('failed-calls')）。",
        ),
        one="there is {queries} query, and it got no answer from the retriever, which failed or took too long.",
    ),
    "unknown-documents": Said(
        "{unknown} of {places} retrieved pieces {unknown:is|are} of documents that are not among those given "
        "({example}): such pieces cover nothing.",
        "检索到的 {places} 个文本块中有 {unknown} 个所属的文档不在给出的文档中（{example}）："
        "这样的文本块不覆盖任何内容。",
        Text(
            "Write the ids of documents in the same way on both sides, or give the documents that were searched.",
            "让两边的文档 id 写法一致，或给出被检索的那些文档。",
        ),
        one="there is {places} retrieved piece, and it is of a document that is not among those given ({example}): it "
        "covers nothing.",
    ),
    "no-relevant": Said(
        "none of the {queries} judged queries has a relevant item: no ranking could be told from another.",
        "{queries} 个已标注查询都没有相关条目：无法区分任何排序。",
        Text(
            "Check the grades: 1 or more is relevant unless `rel` says so.",
            "检查等级：除非用 `rel` 指定，1 及以上为相关。",
        ),
        one="there is {queries} judged query, and it has no relevant item: no ranking could be told from another.",
    ),
    "judged-ids-never-retrieved": Said(
        "none of the {lists} lists holds anything that is judged: the system fails everywhere, or judgements and run "
        "are not about the same items.",
        "{lists} 个列表中没有找到任何已标注条目：要么系统处处失败，要么标注与结果说的不是同一批条目。",
        Text(
            "Check that both speak of the same collection and write ids in the same way.",
            "确认两者针对同一个集合，且 id 写法相同。",
        ),
        one="there is {lists} list, and it holds nothing that is judged: the system fails, or judgements and run are "
        "not about the same items.",
    ),
    "huge-grades": Said(
        "{measure} makes gains of 2^grade, and {n} {n:grade is|grades are} 100 or more: only the highest grade counts, "
        "all others are as good as nothing.",
        "{measure} 的增益为 2^等级，而有 {n} 个等级达到 100 以上：只有最高等级起作用，其余等于没有。",
        Text("Use gain=linear, or grades from 0 to 4.", "使用 gain=linear，或 0 到 4 的等级。"),
    ),
    SAMPLED: Said(
        "each of the {lists} lists has exactly {length} results and holds its target, {deep} of them in the "
        "second half: the candidates seem to be sampled. Such values are far above those of a full ranking, and may "
        "put systems in another order.",
        "{lists} 个列表都恰好有 {length} 条结果且都包含目标，其中 {deep} 个在后半部分：候选似乎是抽样的。"
        "这样的数值远高于完整排序，系统的先后也可能不同。",
        Text(
            "Rank all items; or estimate what ranking all of them would give (--catalogue-size of evaluate, "
            "ev.unsampled in Python); or name the sampling beside every number. Do not compare with full rankings.",
            "对全部条目排序；或估计对全部条目排序时的数值（evaluate 用 --catalogue-size，Python 用 ev.unsampled）；"
            "或在每个数值旁说明抽样方式。不要与完整排序比较。",
        ),
    ),
    "test-in-train": Said(
        "{known} of the {pairs} relevant items of the test {known:is|are} in train, for the same user, and {learned} "
        "of {hits} hits among the first results: what was learned by heart is no recommendation.",
        "测试集的 {pairs} 个相关物品中有 {known} 个已在同一用户的训练集中，靠前结果的 {hits} 个命中里有 {learned} 个"
        "也是：训练中见过的答案不算推荐出来的。",
        Text(
            "Take these pairs out of train, or out of the test where things are done again: rg.split(…, seen='drop'). "
            "If they are meant to be there: accept test-in-train (--accept test-in-train of evaluate, diagnose and "
            "gate; the argument accept in Python).",
            "请从训练集去掉这些交互；如果属于重复消费，则从测试集去掉：rg.split(…, seen='drop')。如果本来就该如此："
            "请接受 test-in-train（evaluate、diagnose 和 gate 用 --accept test-in-train，Python 用参数 accept）。",
        ),
        one="there is {pairs} relevant item in the test, and it is in train for the same user ({learned} of {hits} "
        "hits among the first results): what was learned by heart is no recommendation.",
    ),
    "users-without-training": Said(
        "none of the {queries} users of the test is in train: train is about other users, or writes their ids "
        "otherwise.",
        "测试集的 {queries} 个用户都不在训练集中：训练集是另一批用户的，或 id 写法不同。",
        Text(
            "Check that both speak of the same users and write ids in the same way. If strangers are tested on "
            "purpose: accept users-without-training (--accept users-without-training; the argument accept in Python).",
            "确认两者是同一批用户，且 id 写法相同。如果本来就要测试新用户：请接受 users-without-training"
            "（--accept users-without-training，Python 用参数 accept）。",
        ),
        one="there is {queries} user in the test, and it is not in train: train is about other users, or writes their "
        "ids otherwise.",
    ),
    "unknown-items": Said(
        "none of the {places} first results is in the catalogue of {items}: it is another one, or writes ids "
        "otherwise.",
        "前 {places} 条结果都不在目录（{items} 个物品）中：目录不是同一个，或 id 写法不同。",
        Text(
            "Check that items= is the whole catalogue and that both write ids in the same way.",
            "确认 items= 是完整的目录，且两边 id 写法一致。",
        ),
        one="there is {places} first result, and it is not in the catalogue of {items}: that is another one, or writes "
        "ids otherwise.",
    ),
    "popularity-with-test": Said(
        "the lists follow popularity over train and test ({with_test} of {steps} steps from one result to the next), "
        "not that over train ({train}): they know which items will be asked for.",
        "列表的顺序符合训练集加测试集的热度（{steps} 对相邻结果中有 {with_test} 对），而不是训练集的热度（"
        "{train} 对）：已经知道将要问到哪些物品。",
        Text(
            "Count popularity over train alone: rg.baseline(train, 'popularity').",
            "请只按训练集统计热度：rg.baseline(train, 'popularity')。",
        ),
    ),
    "future-in-train": Said(
        "{later} of {rows} training interactions happened after the first one of the test: nobody could know "
        "{later:it|them} then.",
        "{rows} 条训练交互中有 {later} 条发生在测试集的第一条交互之后：当时不可能知道。",
        Text("Split by time: rg.split(…, by='time').", "请按时间划分：rg.split(…, by='time')。"),
    ),
    "seen-items-shown": Said(
        "{seen} of the {places} first results {seen:is|are} in the training data of the same user and not relevant in "
        "the test: {seen:it takes the place of another|they take the places of others}.",
        "{places} 条靠前的结果中有 {seen} 条已在同一用户的训练集中，且在测试集中不相关：占用了其他物品的位置。",
        Text(
            "Leave out what is in train (Run.from_scores(…, seen=train)), unless things are done again on purpose.",
            "请去掉训练集中已有的物品（Run.from_scores(…, seen=train)），除非本来就要推荐重复消费。",
        ),
        one="there is {places} first result, and it is in the training data of the user and not relevant in the test: "
        "it takes the place of another.",
    ),
    "tied-scores": Said(
        "the order of tied results moves {measure} by {width}, more than its interval is wide ({interval}).",
        "并列结果的先后使 {measure} 变动 {width}，超过其置信区间的宽度（{interval}）。",
        Text(
            "Keep more digits of the scores, or report ties='expected', which depends on no order.",
            "保留更多位小数，或使用 ties='expected'，它与先后无关。",
        ),
    ),
}
"""Everything that is looked for, by its code."""


_MAP_CHUNKS = Text(
    "One side names chunks, the other documents: give each result the id of its document and pass duplicates='keep' "
    "(or 'first', to count a document once), or judge chunks.",
    "一边是片段 id，另一边是文档 id：把每条结果改为所属文档的 id，并使用 duplicates='keep'"
    "（或 'first'，每个文档只算一次），或者按片段标注。",
)

_WORDS = {"ids": Text("ids", " id "), "queries": Text("queries", "查询")}
"""Words among the numbers, by the English ones that are stored."""


@dataclass(frozen=True)
class _Counted:
    """A number as it is shown, which also knows the words that go with it: `{n:is|are}`."""

    text: str
    is_one: bool

    def __format__(self, words: str) -> str:
        one, _, several = words.partition("|")
        return (one if self.is_one else several) if words else self.text


def _shown(value: Any) -> str:
    """What a sentence says for a number of its evidence."""
    if isinstance(value, str):
        return _WORDS.get(value, said_change(value))
    return f"{value:,}" if isinstance(value, Integral) else number(value)


@dataclass(frozen=True)
class Suspicion:
    """Something in the input that makes numbers wrong (error) or doubtful (warning), unless it was accepted."""

    code: str
    severity: Severity
    numbers: Mapping[str, Any] = field(default_factory=dict)
    system: str = ""

    @property
    def statement(self) -> Statement:
        """What was seen, in a sentence."""
        return self.said_as("{system}: {what}", "{system}：{what}")

    def said_as(self, en: str, zh: str) -> Statement:
        """The same in other words around `{system}` and `{what}`."""
        said, name = SUSPICIONS[self.code], self.system or "run"
        seen = {key: _shown(value) for key, value in self.numbers.items()}
        alone = any(self.numbers.get(total) == 1 for total in _TOTALS)

        def what(words: str, language: str) -> str:
            told = {key: _Counted(in_language(text, language), self.numbers[key] == 1) for key, text in seen.items()}
            if said.sample is not None and "run_id" in self.numbers:
                words += in_language(said.sample, language)
            return f"{words.format(**told)} [{self.code}]"

        return Statement(
            en.format(system=name, what=what(said.one if alone and said.one else said.en, "en")),
            zh.format(system=name, what=what(said.zh, "zh")),
            [Claim("suspicion", self.code, system=self.system), *self._evidence],
        )

    @property
    def _evidence(self) -> list[Claim]:
        """The numbers of the sentence."""
        said = [key for _, key, _, _ in Formatter().parse(SUSPICIONS[self.code].en) if key]
        numbers = {key: self.numbers[key] for key in said if not isinstance(self.numbers[key], str)}
        return [Claim("evidence", n, key, self.system, self.code) for key, n in numbers.items()]

    @property
    def try_(self) -> Text:
        """What to do about it."""
        if is_of_chunks(str(self.numbers.get("change", ""))):
            return _MAP_CHUNKS
        said, beside = SUSPICIONS[self.code].try_, self.numbers.get("beside")
        if beside is None:
            return said
        return said + Text(
            f" It cannot be had together with {beside}, which needs one order: ask for that by itself.",
            f"它不能与 {beside} 同时使用（后者需要一个确定的顺序）：请另外单独评测 {beside}。",
        )

    def __str__(self) -> str:
        return str(in_language(self.statement))

    def of(self, system: str) -> Suspicion:
        """The same of a system under this name."""
        return replace(self, system=system)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "code": self.code,
            "severity": self.severity,
            "system": self.system,
            "what": self.statement.en,
            "try": self.try_.en,
            "numbers": dict(self.numbers),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Suspicion | None:
        """What `to_dict` gave; None for a code that this version does not know."""
        if data["code"] not in SUSPICIONS:
            return None
        found = cls(**read_fields(cls, data))
        if found.code == "missing-queries":  # earlier versions spoke only where all of them are
            found = replace(found, numbers={"missing": found.numbers.get("queries"), **found.numbers})
        try:
            found.statement  # noqa: B018 - can it be said?
        except (KeyError, TypeError, ValueError) as e:
            raise damaged(
                "suspicions.numbers",
                Text(f"expected the numbers of {show(found.code)}", f"应为 {show(found.code)} 的各个数"),
            ) from e
        return found


def errors_of(suspicions: Iterable[Suspicion], accepted: Iterable[str] = ()) -> list[Suspicion]:
    """Those that make numbers wrong, without those whose code was accepted."""
    codes = set(accepted)
    return [s for s in suspicions if s.severity == "error" and s.code not in codes]


def accepting(suspicions: Iterable[Suspicion], codes: Iterable[str]) -> tuple[Suspicion, ...]:
    """The same, where those of these codes are known to the user and may stand."""
    known = set(codes)
    refuse_unknown(known)
    return tuple(replace(s, severity="accepted") if s.code in known else s for s in suspicions)


def refuse_unknown(codes: Iterable[str]) -> None:
    """Raise an error for a code that is none."""
    for code in codes:
        if code not in SUSPICIONS:
            raise UnknownName(
                Text(f"no suspicion {show(code)} to accept.", f"没有可以接受的疑点 {show(code)}。")
                + among(code, SUSPICIONS)
            )


# counts that add up over parts of the queries

_ORDER = ("order_lists", "order_against", "order_tilts", "order_squares", "order_dense")
EVIDENCE = (
    *_ORDER,
    "judged_lists",
    "blind_lists",
    "length_total",
    "length_squares",
    "targets",
    "deep_targets",
    "huge_grades",
)
"""The names of the counts."""


def evidence(a: Alignment) -> dict[str, int]:
    """What an alignment knows about its input, as sums of whole numbers."""
    shown = a.shown
    owner = a.by_query.owner
    g = a if a.gains is None else a.gains  # of spans, the last of several pieces completes what all of them hold
    rows = np.flatnonzero(g.shown & (g.grade > 0))
    order = direction_of(g.by_query.owner[rows], g.tie_first[rows], g.tie_last[rows], g.grade[rows], a.retrieved)
    here = a.retrieved > 0
    some = here & (a.by_query.lengths > 0)
    found = np.zeros(a.n_queries, dtype=bool)
    found[owner[shown]] = True
    if a.gains is not None:  # of spans, a part of what is needed is something
        found[a.gains.by_query.owner[a.gains.shown & (a.gains.grade > 0)]] = True
    relevant = a.relevant(1)
    single = here & (a.n_relevant(1) == 1)
    targets = np.flatnonzero(relevant & shown & single[owner])
    lengths = np.minimum(a.retrieved, 1 << 20)
    return {
        **dict(zip(_ORDER, order, strict=True)),
        "judged_lists": int(np.count_nonzero(some)),
        "blind_lists": int(np.count_nonzero(some & ~found)),
        "length_total": int(lengths.sum()),
        "length_squares": int((lengths * lengths).sum()),
        "targets": len(targets),
        "deep_targets": int(np.count_nonzero(2 * a.rank[targets] > a.retrieved[owner[targets]])),
        "huge_grades": int(np.count_nonzero(a.grade >= HUGE)),
    }


_FEW_LISTS = 5


def suspicions_of_tally(tally: Mapping[str, int], missing: str = "zero") -> list[Suspicion]:
    """What the counts of all queries show; `missing` is the word of the policy for queries without results."""
    queries, lost = tally["queries"], tally["missing"]
    out = []
    if queries and (lost == queries or (missing == "zero" and lost > MOST_MISSING * queries)):
        out.append(Suspicion("missing-queries", "error", {"missing": lost, "queries": queries}))
    if queries and tally["without_relevant"] == queries:
        out.append(Suspicion("no-relevant", "error", {"queries": queries}))
    lists = tally["judged_lists"]
    if lists and tally["blind_lists"] == lists:
        # a few lists may find nothing; that many cannot be told from judgements of something else
        few = lists < _FEW_LISTS
        out.append(Suspicion("judged-ids-never-retrieved", "warning" if few else "error", {"lists": lists}))
    order = _direction(tally)
    if order.is_worst_first or order.may_be_worst_first:
        out.append(_worst_first(order, "error" if order.is_worst_first else "warning"))
    return out


def _direction(tally: Mapping[str, int]) -> Direction:
    return Direction(*(tally[name] for name in _ORDER))


def _worst_first(order: Direction, severity: Severity) -> Suspicion:
    numbers = {"against": order.against, "lists": order.lists, "tilt": order.tilt}
    return Suspicion("worst-first", severity, numbers)


# what measures show


def suspicions_of_measures(ev: Any, tally: Mapping[str, int]) -> list[Suspicion]:
    """Measures that the grades or the ties of this input make doubtful."""
    out = []
    exponential = [c.label for c in ev.columns if c.measure.exponential]
    if exponential and tally["huge_grades"]:
        out.append(Suspicion("huge-grades", "warning", {"measure": exponential[0], "n": tally["huge_grades"]}))
    widest = None
    for c in () if ev.widest_tie is None else ev.columns:
        if c.measure.summary != "mean" or not c.tie_width:
            continue
        low, high = ev.interval(c.label)
        if not isnan(low) and c.tie_width > high - low and (widest is None or c.tie_width > widest["width"]):
            widest = {"measure": c.label, "width": c.tie_width, "interval": high - low}
    if widest is not None:
        beside = next(({"beside": c.label} for c in ev.columns if "shown" in c.measure.needs), {})
        out.append(Suspicion("tied-scores", "warning", widest | beside))
    return out


# what lists show, where the counts give a reason to look


def suspicions_of_lists(
    tally: Mapping[str, int], a: Alignment, missing: Any, qrels: Table, run: Callable[[], Table]
) -> list[Suspicion]:
    """Ids that are written in two ways, and candidates that were sampled; `run` gives the run when it is needed."""
    found = (
        _other_queries(tally, a, missing, run),
        _strange_queries(tally, a, missing, run),
        _other_items(tally, a, qrels, run),
        _sampled(tally, a, run),
        _one_list(tally, a, qrels, run),
    )
    return [s for s in found if s is not None]


_SOME_FAILED = 0.05  # share of queries without an answer from which on numbers are doubtful
_MOST_FAILED = 0.2  # and are those of failures: one in five moves a mean by more than most changes do


def suspicions_of_calls(collected: Collected | None) -> list[Suspicion]:
    """What a live retriever did not answer; nothing of a run that was not asked for."""
    if collected is None or not collected.query_ids:
        return []
    failed, queries = collected.failures, len(collected.query_ids)
    if failed < _SOME_FAILED * queries:
        return []
    severity: Severity = "error" if failed >= _MOST_FAILED * queries else "warning"
    return [Suspicion("failed-calls", severity, {"failed": failed, "queries": queries})]


_SOME_UNKNOWN, _MOST_UNKNOWN = 0.05, 0.5
"""Shares of pieces that lie in no document from which on numbers are doubtful, and are those of a misspelling."""


def suspicions_of_pieces(unknown: int, places: int, example: str) -> list[Suspicion]:
    """Retrieved pieces of documents that nobody gave."""
    if not unknown or unknown < _SOME_UNKNOWN * places:
        return []
    severity: Severity = "error" if unknown >= _MOST_UNKNOWN * places else "warning"
    evidence = {"unknown": unknown, "places": places, "example": _short(example)}
    return [Suspicion("unknown-documents", severity, evidence)]


def together(closer: Sequence[Suspicion], seen: Sequence[Suspicion]) -> tuple[Suspicion, ...]:
    """What lists and counts show; what lists say of the same is said of them, and ids written in two ways say why
    nothing was found."""
    said = {s.code for s in closer}
    said |= {"judged-ids-never-retrieved"} if "id-mismatch" in said else set()
    return (*closer, *(s for s in seen if s.code not in said))


NOT_LOOKED_AT = Statement(
    "whether the test is in train was not looked at, `rankgauge audit --train` of a part does",
    "没有检查测试集是否在训练集中，可对一部分数据运行 `rankgauge audit --train`",
)
"""What has to be said where judgements are larger than memory, and on Spark."""


def not_looked_at(tally: Mapping[str, int], system: str) -> list[Statement]:
    """What has to be said where the lists are not at hand (in pieces, on Spark) and hardly anything was found."""
    lost, queries = tally["blind_lists"] + tally["missing"], tally["queries"]
    if lost < _HARDLY_ANY * max(queries, 1):
        return []
    told = (
        "nothing judged was found for {} of {}; whether ids are written in two ways was not looked at, "
        "`rankgauge audit` of a part does",
        "{1}中有 {0} 个没有找到任何已标注条目；没有检查 id 是否有两种写法，可对一部分数据运行 `rankgauge audit`",
    )
    blind = claimed(f"{lost:,}", "count", lost, "nothing_found", system)
    return [phrase(*told, blind, claimed(counted(queries, "query", "个查询"), "count", queries, "queries", system))]


def _strange_queries(
    tally: Mapping[str, int], a: Alignment, missing: Any, run: Callable[[], Table]
) -> Suspicion | None:
    """Judged queries and a run that have none in common: an id of each side says more than their numbers."""
    n = tally["missing"]
    if not n or n < tally["queries"] or not tally["not_judged"]:
        return None
    ids = {"judged_id": _short(a.query_ids[0]), "run_id": _short(next(iter(run().query_ids)))}
    return Suspicion("missing-queries", "error", {"missing": n, "queries": n, **ids})


def _other_queries(tally: Mapping[str, int], a: Alignment, missing: Any, run: Callable[[], Table]) -> Suspicion | None:
    n, total = tally["missing"], tally["queries"]
    if not tally["not_judged"] or n < _BLIND * total:
        return None
    known = set(a.query_ids)
    extra: dict[str, str] = {}
    for name in run().query_ids:
        if name not in known:
            extra.setdefault(spelling_key(name), name)
    lost = [a.query_ids[i] for i in np.flatnonzero(missing).tolist()]
    pairs = [(q, extra[key]) for q in lost if (key := spelling_key(q)) in extra]
    if not pairs or len(pairs) < _BLIND * total:
        pairs = _with_prefix(lost, set(extra.values()))
    if not pairs or len(pairs) < _BLIND * total:
        return None
    return _mismatch("queries", pairs[0], len(pairs), total)


def _other_items(tally: Mapping[str, int], a: Alignment, qrels: Table, run: Callable[[], Table]) -> Suspicion | None:
    blind, lists = tally["blind_lists"], tally["judged_lists"]
    if not blind or blind < _BLIND * lists:
        return None
    found = np.zeros(a.n_queries, dtype=bool)
    found[a.by_query.owner[a.shown]] = True
    lost = np.flatnonzero((a.retrieved > 0) & (a.by_query.lengths > 0) & ~found)
    names = [a.query_ids[i] for i in lost[np.linspace(0, len(lost) - 1, min(_LOOKED_AT, len(lost))).astype(int)]]
    judged, shown = qrels.items_of(names), run().items_of(names)
    pairs = [pair for q in names if (pair := respelled(judged.get(q, ()), shown.get(q, ())[:_IDS])) is not None]
    if 2 * len(pairs) < len(names):
        of_lists = [prefixes(judged.get(q, ())[:_IDS], shown.get(q, ())[:_IDS]) for q in names]
        best = _most_common(prefix for found in of_lists for prefix in found)
        pairs = [found[best] for found in of_lists if best in found]
    if 2 * len(pairs) < len(names):
        chunks = (chunk_of(judged.get(q, ())[:_IDS], shown.get(q, ())[:_IDS]) for q in names)
        pairs = [pair for pair in chunks if pair is not None]
    if 2 * len(pairs) < len(names):
        return None
    return _mismatch("ids", pairs[0], blind, lists)


def _with_prefix(lost: Sequence[str], extra: set[str]) -> list[tuple[str, str]]:
    """Queries of the one side that the other writes with one and the same prefix."""
    some = [lost[i] for i in np.linspace(0, len(lost) - 1, min(_IDS, len(lost))).astype(int).tolist()]
    known = set(some)
    found = [prefix for q in some for prefix, rest in cuts(q) if rest in extra]
    found += [prefix for q in extra for prefix, rest in cuts(q) if rest in known]
    best = _most_common(found)
    short = [(q, q.removeprefix(best)) for q in lost if best and q.startswith(best)]
    pairs = [(q, rest) for q, rest in short if rest in extra]
    return pairs or [(q, best + q) for q in lost if best + q in extra]


def _most_common(prefixes: Iterable[str]) -> str:
    (best, _), *_ = Counter(prefixes).most_common(1) or [("", 0)]
    return best


def _mismatch(what: str, pair: tuple[str, str], blind: int, lists: int) -> Suspicion:
    numbers = {
        "what": what,
        "change": change_of(*pair).en,
        "example": " / ".join(_short(x) for x in pair),
        "blind": blind,
        "lists": lists,
    }
    return Suspicion("id-mismatch", "error", numbers)


def _short(value: str) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:19] + "…" + text[-19:]


def _one_list(tally: Mapping[str, int], a: Alignment, qrels: Table, run: Callable[[], Table]) -> Suspicion | None:
    """Lists that seem to be stored worst first, but are too often the same to be sure: one list for all users, say."""
    order = _direction(tally)
    if not order.is_worst_first:
        return None
    there = np.flatnonzero(a.retrieved)
    some = there[np.linspace(0, len(there) - 1, min(SAMPLE, len(there))).astype(int)].tolist()
    names = [a.query_ids[i] for i in some]
    judged, shown = qrels.items_of(names), run().items_of(names)
    lists = [(shown[q], _places(a, i, [*dict.fromkeys(judged[q])])) for i, q in zip(some, names, strict=True)]
    if order.of_distinct(n_distinct(lists, order.lists)).is_worst_first:
        return None
    return _worst_first(order, "warning")


def _places(a: Alignment, query: int, ids: Sequence[str]) -> dict[str, int]:
    """Where the relevant results of a query stand."""
    rows = slice(int(a.offsets[query]), int(a.offsets[query + 1]))
    found = zip(a.item[rows].tolist(), a.rank[rows].tolist(), a.grade[rows].tolist(), strict=True)
    return {ids[item]: rank for item, rank, grade in found if rank and grade > 0}


def _sampled(tally: Mapping[str, int], a: Alignment, run: Callable[[], Table]) -> Suspicion | None:
    lists = int(np.count_nonzero(a.retrieved))
    if tally["targets"] != a.n_queries or lists != a.n_queries or tally["deep_targets"] < _DEEP_TARGETS:
        return None
    if lists * tally["length_squares"] != tally["length_total"] ** 2:  # lengths differ
        return None
    some = run().items_of([a.query_ids[0], a.query_ids[-1]])
    if len({frozenset(ids) for ids in some.values()}) < 2:  # the same items for all: the whole catalogue was ranked
        return None
    numbers = {"lists": lists, "length": int(a.retrieved[0]), "deep": tally["deep_targets"]}
    return Suspicion(SAMPLED, "warning", numbers)
