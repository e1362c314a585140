"""Which column of a log holds what?

Names are compared as elsewhere: without case, blanks, hyphens, underscores and dots. The clearest name wins and a note
says which column was read as what; two equally clear names are an error, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankgauge._show import show, show_all
from rankgauge._text import Text, joined, zh
from rankgauge.data.columns import dates_of, fold
from rankgauge.errors import InputError, ParameterError, suggest

__all__ = ["BEHAVIOURS", "EVENTS", "ROLES", "LogColumns", "event_name", "is_ubi", "recognise_log"]

BEHAVIOURS = ("click", "cart", "purchase", "refund")
"""What people do with an item that was shown to them, from the weakest; a refund takes the rest back."""

# From the clearest to the weakest, already folded; one string per level.
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "request_id": ("requestid searchid serpid listid slateid 请求id", "impressionid request serp 请求"),
    "session_id": ("sessionid sessid visitid 会话id", "session visit 会话"),
    "query_id": (
        "queryid qid 查询id",
        "query userquery querytext searchterm searchquery keyword keywords q topic 查询 查询词 搜索词 关键词",
    ),
    "user_id": ("userid uid 用户id", "clientid customerid visitorid memberid cookieid", "user client visitor 用户"),
    "item_id": (
        "itemid docid documentid docno productid goodsid passageid objectid sku asin iid 商品id 物品id 文档id",
        "item doc document product pid clickeddocid clickeditemid clickedproductid 商品 物品 文档",
    ),
    "position": ("position pos 位置", "rank ranking ordinal slot 排名"),
    "event": (
        "event eventtype eventname 事件 事件类型",
        "action actionname actiontype behavior behaviour 行为",
        "type",
    ),
    "time": ("time timestamp ts datetime eventtime 时间 时间戳", "date day 日期"),
    "dwell": (
        "dwell dwelltime dwellseconds dwellsec dwells timeonpage 停留时长 停留秒数",
        "dwellms dwelltimems dwellmillis dwellmilliseconds 停留毫秒",
    ),
    "device": ("device devicetype 设备 设备类型", "platform 平台"),
    "viewed": ("viewed isviewed viewable inview visible seen isseen examined 是否可见 是否看到",),
    "propensity": ("propensity propensityscore pscore",),
    "ranker": ("ranker rankerid", "policy variant bucket arm 策略 实验组"),
    "randomised": ("randomised randomized israndom israndomised israndomized exploration 随机",),
    "click": ("click clicked isclick isclicked clk clicks 点击 是否点击",),
    "cart": ("cart carted addtocart addedtocart isaddtocart atc iscart 加购 是否加购",),
    "purchase": (
        "purchase purchased ispurchase order ordered isorder buy bought conversion converted isconversion "
        "购买 是否购买 下单 转化",
    ),
    "refund": ("refund refunded isrefund return returned isreturn 退款 退货",),
}
ROLES = tuple(_SPELLINGS)
_LEVELS = {role: tuple(tuple(level.split()) for level in levels) for role, levels in _SPELLINGS.items()}
_MILLISECONDS = _LEVELS["dwell"][1]
_IGNORE, _SEGMENT = "ignore", "segment"

EVENTS: dict[str, str] = {
    word: name
    for name, words in {
        "impression": "impression impressions imp view viewed show shown exposure exposed display render 曝光 展现",
        "click": "click clicks clicked clk select selected itemclick productclick resultclick 点击",
        "cart": "cart carts addtocart addcart atc addedtocart basket addtobasket 加购 加入购物车",
        "purchase": "purchase purchased order orders ordered buy bought conversion transaction 购买 下单 转化",
        "refund": "refund refunded return returned 退款 退货",
    }.items()
    for word in words.split()
}
"""Folded spellings of the events that everybody has, and the name that they get."""


def event_name(raw: str, events: Mapping[str, str] | None = None) -> str:
    """The name of an event: as asked for, else its usual one, else its own in lower case.

    >>> [event_name(e) for e in ("Add-To-Cart", "exposure", "product_hover")]
    ['cart', 'impression', 'product_hover']
    """
    if events and raw in events:
        return events[raw]
    return EVENTS.get(fold(raw), str(raw).strip().casefold())


@dataclass(frozen=True, slots=True)
class LogColumns:
    """The columns to read, as `{role: name in the input}`, and what there is to say about the choice."""

    source: Mapping[str, str]
    segments: tuple[str, ...]
    notes: tuple[Text, ...]
    dwell_in_milliseconds: bool = False
    dates: str | None = None
    """Whether dates such as 01/02/2020 begin with the day or the month, where that was said."""

    @property
    def kept(self) -> dict[str, str]:
        """With the segments, under their own names."""
        return {**self.source, **{s: s for s in self.segments}}

    @property
    def kind(self) -> str:
        return "events" if "event" in self.source else "impressions"


def is_ubi(names: Sequence[str]) -> bool:
    """Whether these are the columns of OpenSearch User Behavior Insights."""
    return {"action_name", "query_id", "event_attributes"} <= set(names)


def recognise_log(names: Sequence[str], columns: Mapping[str, str] | None = None, where: str = "log") -> LogColumns:
    """Find the role of every column of a log.

    `columns` maps names of the input to roles and is taken first: `{"goods": "item_id"}`. A column may be a `segment`
    (kept under its own name) or one to `ignore`; one of dates such as 01/02/2020 is `time day-first` or
    `time month-first`.

    >>> dict(recognise_log(["sess_id", "query", "rank", "clicked_doc_id", "clicked"]).source)["item_id"]
    'clicked_doc_id'
    """
    if columns is not None and not isinstance(columns, Mapping):
        raise ParameterError(
            Text(
                f"`columns` must map names of the input to roles, got {show(columns)}.",
                f"`columns` 必须把输入中的名称映射为角色，实际为 {show(columns)}。",
            )
        )
    asked, dates = dates_of(columns or {})
    source, segments = _asked(names, asked, where)
    explicit = set(source)
    left = [n for n in names if n not in asked]
    for role in ROLES:
        if role not in source and (found := _find(role, left, where)) is not None:
            source[role] = found
            left.remove(found)
    _settle_kind(source, explicit, where, names)
    _require(source, names, left, where)
    in_ms = "dwell" in source and "dwell" not in explicit and fold(source["dwell"]) in _MILLISECONDS
    notes = [
        Text(f"read {show(name)} as {role}", f"把列 {show(name)} 读作 {role}")
        for role, name in source.items()
        if fold(name) != fold(role) and role not in explicit
    ]
    if in_ms:
        notes.append(Text(f"{show(source['dwell'])} is in milliseconds", f"{show(source['dwell'])} 的单位是毫秒"))
    return LogColumns(source, tuple(segments), tuple(notes), in_ms, dates.get(source.get("time", "")))


def _asked(names: Sequence[str], asked: Mapping[str, str], where: str) -> tuple[dict[str, str], list[str]]:
    source: dict[str, str] = {}
    segments: list[str] = []
    known = (*ROLES, _SEGMENT, _IGNORE)
    for name, role in asked.items():
        if name not in names and role in names and name in known:
            raise ParameterError(
                Text(
                    f'`columns` maps names of the input to names of rankgauge. Pass columns={{"{role}": "{name}"}}.',
                    f'`columns` 把输入中的名称映射为 rankgauge 的名称。请传入 columns={{"{role}": "{name}"}}。',
                )
            )
        role = "item_id" if role == "doc_id" else role
        if role not in known:
            raise ParameterError(
                Text(
                    f"`columns`: {show(name)} must map to one of {', '.join(known)}, "
                    f"got {show(role)}.{suggest(role, known)}",
                    f"`columns`：{show(name)} 必须映射为 {', '.join(known)} 之一，实际为 {show(role)}。"
                    f"{zh(suggest(role, known))}",
                )
            )
        if name not in names:
            raise InputError(
                Text(
                    f"{where}: `columns` names {show(name)}, found: {_list(names)}.{suggest(name, names)}",
                    f"{zh(where)}：`columns` 中的 {show(name)} 找不到，找到的是：{zh(_list(names))}。"
                    f"{zh(suggest(name, names))}",
                )
            )
        if role in source:
            raise ParameterError(
                Text(
                    f"`columns`: {show(source[role])} and {show(name)} both map to {show(role)}; name one.",
                    f"`columns`：{show(source[role])} 和 {show(name)} 都映射为 {show(role)}；请只保留一个。",
                )
            )
        if role == _SEGMENT:
            segments.append(name)
        elif role != _IGNORE:
            source[role] = name
    return source, segments


def _find(role: str, names: Sequence[str], where: str) -> str | None:
    same = [n for n in names if fold(n) == fold(role)]  # item_id beside "item id": neither is clearer
    for found in (same, *([n for n in names if fold(n) in level] for level in _LEVELS[role])):
        if len(found) > 1:
            raise InputError(
                Text(
                    f"{where}: columns {' and '.join(map(show, found))} could both be {role}. "
                    f'Pass columns={{"{found[0]}": "{role}"}} or columns={{"{found[1]}": "{role}"}}.',
                    f"{zh(where)}：列 {' 和 '.join(map(show, found))} 都可能是 {role}。请传入 "
                    f'columns={{"{found[0]}": "{role}"}} 或 columns={{"{found[1]}": "{role}"}}。',
                )
            )
        if found:
            return found[0]
    return None


def _settle_kind(source: dict[str, str], explicit: set[str], where: str, names: Sequence[str]) -> None:
    """One row per event or one per impression? A weak name (`type`) is no event column beside a `clicked` one."""
    flags = [b for b in BEHAVIOURS if b in source]
    if "event" in source and flags:
        is_weak = "event" not in explicit and fold(source["event"]) not in _LEVELS["event"][0]
        for role in ["event"] if is_weak else flags:
            if role in explicit:
                raise ParameterError(
                    Text(
                        f"`columns`: a log has one row per event ({show(source['event'])}) or one per impression with "
                        "a "
                        f"column per behaviour ({show(source[role])}); name one of the two.",
                        f"`columns`：日志要么每个事件一行（{show(source['event'])}），要么每次曝光一行、"
                        f"每种行为一列（{show(source[role])}）；请只保留一种。",
                    )
                )
            del source[role]
    elif "event" not in source and not flags:
        raise InputError(
            Text(
                f"columns missing from {where}: 'event' (impression, click, …), or one column per behaviour "
                f'(click, cart, purchase). Found: {_list(names)}. Pass columns={{"name of the column": "event"}} or '
                '{"name of the column": "click"}.',
                f"{zh(where)} 缺少列：'event'（impression、click、…），或每种行为一列（click、cart、purchase）。"
                f'找到：{zh(_list(names))}。请传入 columns={{"列名": "event"}} 或 {{"列名": "click"}}。',
            )
        )


def _require(source: Mapping[str, str], names: Sequence[str], left: Sequence[str], where: str) -> None:
    missing = [] if "item_id" in source else ["item_id"]
    # A bandit log has one list for everybody, and says with which probability each item was in it.
    if not {"query_id", "user_id", "propensity"} & set(source):
        missing.append("query_id")
    is_joined = {"request_id", "session_id", "user_id"} & set(source)
    if "event" in source and not is_joined:
        missing.append("request_id")
    if missing:
        why = {
            "item_id": Text("what was shown", "展示了什么"),
            "query_id": Text(
                "what was asked, or user_id; where one list is for all, a column with one value",
                "查询了什么，或 user_id；所有人共用一个列表时，用只有一个值的列",
            ),
            "request_id": Text(
                "which list an event belongs to, or session_id or user_id", "事件属于哪个列表，或 session_id 或 user_id"
            ),
        }
        text = joined(Text("; ", "；"), (Text(f"{show(m)} ({why[m]})", f"{show(m)}（{why[m].zh}）") for m in missing))
        example = left[0] if left else "name of the column"
        raise InputError(
            Text(
                f"columns missing from {where}: {text}. Found: {_list(names)}. "
                f'Pass columns={{"{example}": "{missing[0]}"}}.',
                f"{zh(where)} 缺少列：{zh(text)}。找到：{zh(_list(names))}。请传入 "
                f'columns={{"{left[0] if left else "列名"}": "{missing[0]}"}}。',
            )
        )


def _list(names: Sequence[str]) -> str:
    return show_all(names) or Text("no columns", "没有列")
