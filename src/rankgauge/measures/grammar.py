"""From text to measures: `nDCG@10`, `AP(norm=hits)@6`, `P@5(rel=2)`, `ndcg_cut_10`, `召回率@5`, `map@100-l2`.

    measure  =  name [ parameters ] [ "@" value ] [ parameters ] [ "-l" level ]
             |  name ( "_" | "." ) value                    as trec_eval and pytrec_eval print it
    parameters =  "(" word "=" value { "," word "=" value } ")"

Every name that trec_eval, pytrec_eval, ranx and ir_measures accept or print is understood; case,
blanks, hyphens and underscores do not matter, nor does the width of letters and signs (`ｎＤＣＧ＠１０`).

Some names (Accuracy, Precision, Recall, F1, average precision) mean one thing for rankings, another for labels and
scores, a third for several classes. What is evaluated decides: `parse_ranking`, `parse_prediction` and `parse_class`
know only their own; measures of what is shown and of spans belong to rankings. Where nothing is evaluated, a cutoff
makes it the measure of rankings, a threshold that of labels and scores, and `Multiclass` before the name that of
classes; the bare name has all these `meanings`, that of labels and scores first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import Text, composed, zh
from rankgauge._words import as_meant, strangers
from rankgauge.errors import ParameterError, UnknownName, suggest
from rankgauge.measures.base import RANKINGS, Measure
from rankgauge.measures.definition import Definition, M, Registry, fold

if TYPE_CHECKING:  # loaded when a measure of labels and scores is asked for: most rankings do without
    from rankgauge.measures.classes import ClassMeasure
    from rankgauge.measures.predictions import PredictionMeasure

__all__ = ["as_list", "meanings", "parse", "parse_class", "parse_many", "parse_prediction", "parse_ranking", "unknown"]

_PARAMETERS = r"(?:\((?P<{}>[^()]*)\))?\s*"
_SHAPE = re.compile(
    r"^\s*(?P<name>[^()@]*?)\s*"
    + _PARAMETERS.format("params")
    + r"(?:@\s*(?P<at>[^@()]*?)\s*"
    + _PARAMETERS.format("after")  # nDCG@5(gain=exp)
    + ")?$",
    re.DOTALL,
)
_LEVEL = re.compile(r"^(?P<rest>.*\S)\s*-l\s*(?P<level>\d+(?:\.\d+)?)$")  # ranx: map@100-l2
_SUFFIX = re.compile(r"^(?P<name>.*?[^\W\d_])[_.](?P<value>[-\d.][-\d.,=]*|[a-z]=[\d.]+)$")  # P_5, rbp.95, rbp_p=.8


_BETWEEN = re.compile(r"[\s,;、]+(?![^()]*\))")  # what people write between measures
_RESERVED = {
    "准确率": (
        Text("准确率 is accuracy, a measure of labels and scores", "准确率（accuracy）是标签与得分的指标"),
        Text("the share of relevant results, 精确率,", "相关结果的比例（精确率）"),
        "P",
    ),
}
"""Names that are known elsewhere for something that is not here: what that is, and what may have been meant."""

_OF_LABELS_FIRST = ("P", "F", "PairAccuracy", "ItemGini")
"""Measures of rankings whose long names are better known as those of labels and scores."""

Defaults = Mapping[str, Mapping[str, Any]]
"""Parameters that a measure has unless the text says otherwise, by canonical name."""


def parse_ranking(text: str | Measure | type[Measure], defaults: Defaults | None = None) -> Measure:
    """The measure that a text names; `defaults` change what unsaid parameters mean.

    >>> parse_ranking("recall@5"), parse_ranking("ndcg_burges@3"), parse_ranking("Hit Rate@3")
    (R@5, nDCG(gain=exponential)@3, Hit@3)
    >>> parse_ranking("catalog_coverage@10")  # of what is shown, where no measure of judged results has the name
    Coverage@10
    >>> parse_ranking("nDGC@10")
    Traceback (most recent call last):
    rankgauge.errors.UnknownName: unknown measure 'nDGC@10'. Did you mean nDCG@10?
    """
    return _read(text, RANKINGS, Measure, defaults)


def _others() -> tuple[Registry[Any], ...]:
    """Kinds of measures of rankings with a registry of their own: of what is shown, of spans."""
    from rankgauge.measures.shown import SHOWN
    from rankgauge.measures.spans import SPANS

    return SHOWN, SPANS


def _other(text: str) -> Measure | None:
    """The measure of one of these kinds that a text names; None where it names none."""
    return next((m for registry in _others() if (m := _parse(text, {}, registry)) is not None), None)


def parse_prediction(
    text: str | PredictionMeasure | type[PredictionMeasure], defaults: Defaults | None = None
) -> PredictionMeasure:
    """The measure of labels and scores that a text names; `defaults` change what unsaid parameters mean.

    >>> parse_prediction("log_loss"), parse_prediction("f1(threshold=.3)"), parse_prediction("uAUC")
    (LogLoss, F(threshold=0.3), GAUC(weight=uniform))
    """
    from rankgauge.measures.predictions import PREDICTIONS, PredictionMeasure

    return _read(text, PREDICTIONS, PredictionMeasure, defaults)


def parse_class(text: Any) -> ClassMeasure:
    """The measure of several classes that a text names; one of labels and scores stands for its name.

    >>> parse_class("f1_macro"), parse_class("Recall(label=fraud)"), parse_class("top_3_accuracy")
    (F1(average=macro), Recall(label=fraud), TopKAccuracy@3)
    """
    from rankgauge.measures.classes import CLASSES, ClassMeasure

    kind = text if isinstance(text, type) else type(text)
    if issubclass(kind, Definition) and not issubclass(kind, ClassMeasure):
        text = str(text)
    return _read(text, CLASSES, ClassMeasure)


def parse(text: Any, defaults: Defaults | None = None) -> Measure | PredictionMeasure | ClassMeasure:
    """The measure that a text names, of rankings, of labels and scores, or of several classes.

    A name that several have, such as Recall, is that of rankings unless its parameters say otherwise.

    >>> parse("Recall@5"), parse("Recall(threshold=0.5)"), parse("AUC"), parse("Recall(average=macro)")
    (R@5, Recall(threshold=0.5), AUC, Recall(average=macro))
    """
    kind = text if isinstance(text, type) else type(text)
    if issubclass(kind, Definition) and not issubclass(kind, Measure):
        from rankgauge.measures.classes import ClassMeasure

        return parse_class(text) if issubclass(kind, ClassMeasure) else parse_prediction(text)
    try:
        found = parse_ranking(text, defaults)
        if isinstance(text, str) and "shown" in found.needs:  # the Gini index of labels and scores is better known
            with suppress(ParameterError, UnknownName):
                return parse_prediction(text)
        return found
    except (ParameterError, UnknownName) as of_rankings:
        try:
            return parse_prediction(text)
        except (ParameterError, UnknownName) as of_predictions:
            with suppress(ParameterError, UnknownName):
                return parse_class(text)
            if isinstance(of_predictions, UnknownName) or isinstance(of_rankings, ParameterError):
                raise of_rankings from None
            raise _again(text) from None


def _again(text: str) -> ParameterError:
    """The error of a measure of labels and scores, without the story of how it was found."""
    try:
        parse_prediction(text)
    except ParameterError as e:
        return ParameterError(e.text)
    raise AssertionError(text)  # pragma: no cover


def meanings(text: Any) -> list[Measure | PredictionMeasure | ClassMeasure]:
    """All measures that a text can name, for those who explain it; what needs a threshold gets that of its example.

    Those of rankings come first, but for Accuracy, F1 and Precision, by which most people mean labels and scores.

    >>> meanings("Accuracy"), meanings("Accuracy@5")
    ([Accuracy(threshold=0.5), PairAccuracy(nonrelevant=any), Accuracy], [PairAccuracy(nonrelevant=any)@5])
    """
    from rankgauge.measures.classes import CLASSES, ClassMeasure
    from rankgauge.measures.predictions import PREDICTIONS, PredictionMeasure

    if isinstance(text, ClassMeasure):
        return [text]

    examples = {name: cls.example.params for name, cls in PREDICTIONS.measures.items() if cls.example}
    at = {name: {"threshold": given["threshold"]} for name, given in examples.items() if "threshold" in given}
    found: list[Measure | PredictionMeasure | ClassMeasure] = []
    with suppress(ParameterError, UnknownName):
        found.append(_read(text, PREDICTIONS, PredictionMeasure, at))
    with suppress(ParameterError, UnknownName):
        found.append(parse_ranking(text))
    with suppress(ParameterError, UnknownName):
        found.append(_read(text, CLASSES, ClassMeasure))
    if len(found) > 1 and isinstance(found[1], Measure) and found[1].name not in _OF_LABELS_FIRST:
        found[:2] = found[1], found[0]
    return found or [parse(text)]


def _read(text: Any, registry: Registry[M], kind: type[M], defaults: Defaults | None = None) -> M:
    if isinstance(text, kind):
        return text
    if isinstance(text, type) and issubclass(text, kind):
        return text()
    if not isinstance(text, str):
        example = "nDCG@10" if registry is RANKINGS else "AUC"
        raise ParameterError(
            Text(
                f"a measure must be a text such as {show(example)} or a {kind.__name__}, got {show(text)}.",
                f"指标必须是 {show(example)} 这样的文本，或 {kind.__name__}，实际为 {show(text)}。",
            )
        )
    try:
        found = _parse(text, defaults or {}, registry)
    except ParameterError:
        if not _several(as_meant(text), registry):
            raise
        found = None
    if found is None and registry is RANKINGS:
        found = _other(text)  # type: ignore[assignment]  # a measure of rankings, with a registry of its own
    if found is None:
        raise unknown(text, registry)
    return found


def parse_many(texts: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """Measures from a list of texts, or from one text."""
    return [parse_ranking(t) for t in as_list(texts)]


def as_list(measures: Any) -> list[Any]:
    """What was asked for, one by one: a single measure is a text, an object or a class, which is no list of anything.

    >>> as_list("AP"), as_list(["AP", "RR"])
    (['AP'], ['AP', 'RR'])
    """
    if isinstance(measures, (str, Definition, type)) or not isinstance(measures, Iterable):
        return [measures]  # what is no measure at all is refused where it is read
    return list(measures)


def _parse(text: str, defaults: Defaults, registry: Registry[M]) -> M | None:
    extra: dict[str, Any] = {}
    body = as_meant(text).strip()
    if (level := _LEVEL.match(body)) and fold(body) not in registry.aliases:
        body, extra = level["rest"], {"rel": level["level"]}
    shape = _SHAPE.match(body)
    if shape is None:
        return None
    entry = registry.aliases.get(fold(shape["name"]))
    if entry is not None:
        name, implied = entry
        cls = registry.measures[name]
        given = dict(implied)
        given.update(_all_params(cls, shape, text))
        if shape["at"] is not None:
            given[_at(cls, text)] = shape["at"]
        return cls(**{**defaults.get(name, {}), **given, **extra})
    if shape["at"] is None and (suffix := _SUFFIX.match(shape["name"])):
        entry = registry.aliases.get(fold(suffix["name"]))
        if entry is not None:
            name, implied = entry
            cls = registry.measures[name]
            given = {**implied, **_all_params(cls, shape, text), **_suffix(cls, suffix["value"], text)}
            return cls(**{**defaults.get(name, {}), **given, **extra})
    return None


def _all_params(cls: type[Definition], shape: re.Match[str], whole: str) -> dict[str, Any]:
    """What stands in parentheses before and behind the cutoff."""
    before, after = (_params(cls, shape[part], whole) for part in ("params", "after"))
    if twice := before.keys() & after.keys():
        name = min(twice)
        raise ParameterError(
            Text(
                f"{show(whole)}: `{name}` is given twice, as {show(before[name])} and as {show(after[name])}.",
                f"{show(whole)}：`{name}` 给出了两次：{show(before[name])} 和 {show(after[name])}。",
            )
        )
    return before | after


def _params(cls: type[Definition], text: str | None, whole: str) -> dict[str, Any]:
    """`rel=2, gain={1: 3, 2: 9}` → a dict; commas inside braces do not separate."""
    out: dict[str, Any] = {}
    for part in re.split(r",(?![^{]*\})", text or ""):
        if not part.strip():
            continue
        key, eq, value = part.partition("=")
        if not eq:
            raise ParameterError(
                Text(
                    f"{show(whole)}: a parameter must be written name=value, got {show(part.strip())}.",
                    f"{show(whole)}：参数必须写成 name=value，实际为 {show(part.strip())}。",
                )
            )
        out[cls._param_name(key.strip())] = value.strip().strip("'\"")
    return out


def _at(cls: type[Definition], whole: str) -> str:
    for key, p in cls.params.items():
        if p.at:
            return key
    raise ParameterError(
        Text(
            f"{show(whole)}: {cls.name} takes nothing behind '@'.", f"{show(whole)}：{cls.name} 的 '@' 之后不能有内容。"
        )
    )


def _suffix(cls: type[Definition], value: str, whole: str) -> dict[str, Any]:
    """What stands behind the underscore or dot in trec_eval's and ranx's names."""
    if re.match(r"^[a-z]=", value):  # rbp_p=.8
        return _params(cls, value, whole)
    if "=" in value:  # ndcg_1=3,2=9
        return {"gain": value}
    own = cls.suffix(value)
    return own if own is not None else {_at(cls, whole): value}


def _cutoff(rest: str) -> str:
    """@10 for what was written behind a name as @10, _10 or .10; @k for anything else."""
    found = re.search(r"[_@.]\s*(\d+)\s*$", rest)
    return f"@{found[1]}" if found else "@k"


def _several(text: str, registry: Registry[Any]) -> list[str]:
    """The measures of `nDCG@10, R@5`, or nothing where not every part is one; commas in parentheses do not part."""
    parts = [part for part in _BETWEEN.split(text) if part]
    try:
        known = all((_parse(p, {}, registry) or (registry is RANKINGS and _other(p))) for p in parts)
        return parts if len(parts) > 1 and known else []
    except ParameterError:
        return []


def _with_cutoff(name: str, rest: str, registry: Registry[Any]) -> Text | None:
    """That MRR5 may be MRR@5; F5 may be another beta as well."""
    found = re.fullmatch(r"(.*[^\d\s])([1-9]\d*)", name)
    if rest or found is None or (entry := registry.aliases.get(fold(found[1]))) is None:
        return None
    cls = registry.measures[entry[0]]
    if cls.name == "F" or not any(p.at for p in cls.params.values()):
        return None
    return Text(f" Did you mean {found[1]}@{found[2]}?", f"是否想输入 {found[1]}@{found[2]}？")


_RATES = frozenset(map(fold, ("CTR", "CVR", "CTCVR", "点击率", "转化率", "click_through_rate", "conversion_rate")))


def unknown(text: str, registry: Registry[Any] = RANKINGS) -> UnknownName:
    """An error that names the nearest measure, written as the user wrote it."""
    meant = as_meant(text).strip()
    if parts := _several(meant, registry):
        return UnknownName(
            Text(
                f"{show(text)} names {len(parts)} measures; each is named by itself: [{', '.join(map(show, parts))}] "
                "in "
                f"Python, {' '.join(f'-m {part}' for part in parts)} on the command line.",
                f"{show(text)} 包含 {len(parts)} 个指标；请分别写出：在 Python 中写 "
                f"[{', '.join(map(show, parts))}]，在命令行中写 {' '.join(f'-m {part}' for part in parts)}。",
            )
        )
    shape = _SHAPE.match(meant)
    name, rest = (shape["name"], meant[len(shape["name"]) :]) if shape else (meant, "")
    if not rest and (m := re.match(r"^(.*?)([_@.]\d+)$", name)):
        name, rest = m[1], m[2]
    from rankgauge.measures.classes import CLASSES
    from rankgauge.measures.predictions import PREDICTIONS

    if (reserved := _RESERVED.get(fold(name))) and registry is RANKINGS:
        what, other_share, instead = reserved
        return UnknownName(
            Text(
                f"unknown measure {show(text)}: {what}. For {other_share} use {instead}{_cutoff(rest)}.",
                f"未知的指标 {show(text)}：{zh(what)}。{zh(other_share)}请用 {instead}{_cutoff(rest)}。",
            )
        )
    if fold(name) in _RATES:
        return UnknownName(
            Text(
                f"{show(text)} is a rate of what happened and no measure of a model: it is the share of positives "
                "under every table of labels and scores. COPC divides it by the mean prediction; rankgauge online ab "
                "compares it in an experiment.",
                f"{show(text)} 是实际发生的比率，不是衡量模型的指标：它就是标签与得分的表下给出的正样本比例。"
                "COPC 是它与平均预测值之比；rankgauge online ab 在实验中比较它。",
            )
        )
    at_rows = Text("use evaluate_predictions()", "请用 evaluate_predictions()")
    of_scores = Text("it needs two classes and a score", "它需要两个类别和得分")
    of_classes = Text("it needs a prediction or p_<class> columns", "它需要预测类别，或每个类别一列 p_<类别>")
    kinds: list[tuple[Registry[Any], Text]] = [
        (RANKINGS, Text("use evaluate()", "请用 evaluate()")),
        *((other, Text("use evaluate()", "请用 evaluate()")) for other in _others()),
        (PREDICTIONS, at_rows if registry is RANKINGS else of_scores),
        (CLASSES, at_rows if registry is RANKINGS else of_classes),
    ]
    for other, try_ in kinds:
        if other is not registry and fold(name) in other.aliases:
            return UnknownName(
                Text(
                    f"{show(text)} is a measure of {other.what}, not of {registry.what}: {try_}.",
                    f"{show(text)} 是{zh(other.what)}的指标，不是{zh(registry.what)}的：{try_.zh}。",
                )
            )
    there = [registry, *(_others() if registry is RANKINGS else ())]
    names = [n for r in there for n in (*r.measures, *(a for cls in r.measures.values() for a in cls.aliases))]
    hint = _with_cutoff(name, rest, registry) or suggest(name, names, rest=rest)
    if not hint and (odd := strangers(name)):
        hint = composed(" {}", "{}", odd)
    return UnknownName(
        composed(
            "unknown measure {}.{} `rankgauge measures` lists them all.",
            "未知的指标 {}。{}`rankgauge measures` 列出全部指标。",
            show(text),
            hint,
        )
    )
