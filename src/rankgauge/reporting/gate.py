"""What a gate decided, as sections and as JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from rankgauge._numbers import apart
from rankgauge._text import Text, in_language, joined
from rankgauge.evaluation.rankings.slices import shown_slice
from rankgauge.gate.check import Check
from rankgauge.gate.result import Decision, GateResult
from rankgauge.reporting.evaluation import facts
from rankgauge.reporting.grid import Cell, Grid, Section, number, one_line, ranged, share
from rankgauge.reporting.suspicions import doubts, sections_of_suspicions
from rankgauge.reporting.words import SLICE, VALUE, counted, interval_of, phrase

if TYPE_CHECKING:
    from rankgauge.gate.predictions import PredictionGateResult

__all__ = ["junit", "junit_of_error", "sections_of_gate", "sections_of_prediction_gate"]

_SUITE = "rankgauge gate"
_SHOWN_WORST = 5
_OUTCOMES = {
    "pass": Text("pass", "通过"),
    "fail": Text("fail", "失败"),
    "inconclusive": Text("inconclusive", "无法判定"),
}
_NOT_COUNTED = Text("not counted", "不作数")
_TONES = {"pass": "good", "fail": "bad", "inconclusive": "open"}


def sections_of_prediction_gate(result: PredictionGateResult, digits: int = 4) -> list[Section]:
    """The decision on a model of labels and scores."""
    ev, base = result.evaluation, result.baseline
    against = phrase(" against {}", "，基线 {}", base.model) if base is not None else ""
    c = ev.counts
    rows = counted(c["rows"], "row", "行")
    return [
        Section(
            title=result.decision,
            tone=_TONES[result.outcome] if result.exit_code else "good",
            grid=_checks(result, digits),
            warnings=_sentences(result, digits),
            notes=[
                phrase("{} on {}{}", "{}，数据 {}{}", ev.model, ev.data, against),
                phrase("{}, {} positive", "{}，正样本 {}", rows, share(c["prevalence"])),
                *ev.notes,
                *result.notes,
                ev.policy.words,
            ],
        ),
    ]


def _checks(result: Decision, digits: int) -> Grid:
    header = [Text("outcome", "结果"), Text("check", "检查项"), SLICE, VALUE, interval_of(1 - 2 * result.alpha), "n"]
    counts = not result.suspicious
    rows = [_row(c, digits, counts=counts) for c in result.checks]
    if any(c.slice for c in result.checks):
        return Grid(header, rows, frozenset({0, 1, 2}))
    header.remove(SLICE)
    return Grid(header, [[*row[:2], *row[3:]] for row in rows], frozenset({0, 1}))


def sections_of_gate(result: GateResult, digits: int = 4) -> list[Section]:
    """The decision, a row per check, and a sentence on each that did not pass."""
    ev = result.evaluation
    against = phrase(" against {}", "，基线 {}", result.baseline.run) if result.baseline is not None else ""
    notes, warnings = facts(ev)
    return [
        *sections_of_suspicions(result.suspicious),
        Section(
            title=result.decision,
            tone=_TONES[result.outcome] if result.exit_code else "good",
            grid=_checks(result, digits),
            warnings=[
                *_sentences(result, digits),
                *doubts(result.suspicions, result.accept),
                *warnings,
            ],
            notes=[
                phrase("{} on {}{}", "{}，标注 {}{}", ev.run, ev.qrels, against),
                *notes,
                *result.notes,
                str(ev.policy),
            ],
        ),
    ]


def _sentences(result: Decision, digits: int) -> list[Text]:
    """What did not pass, and what passed by its value alone; nothing where no check counts."""
    open_ = [] if result.suspicious else [*result.of("fail"), *result.of("inconclusive")]
    return [*(_sentence(c, digits) for c in open_), *result.doubts]


def _sentence(c: Check, digits: int) -> Text:
    return phrase("{}: {}: {}{}", "{}：{}：{}{}", _OUTCOMES[c.outcome], c.name, c.message, _worst(c, digits))


def _row(c: Check, digits: int, *, counts: bool) -> list[Cell]:
    low, high = c.interval
    as_count = c.rule == "ceiling" and isinstance(c.value, int)
    value = number(c.value, 0 if as_count else digits)
    if c.rule in ("floor", "bounds"):
        value, _ = apart(c.value, c.limit, digits)
    outcome = Cell(_OUTCOMES[c.outcome], strong=c.outcome != "pass", tone="bad" if c.outcome == "fail" else "")
    return [
        outcome if counts else Cell(_NOT_COUNTED, quiet=True),
        Cell(c.title),
        Cell(shown_slice(c.slice)),
        Cell(f"+{value}" if c.rule == "non_inferior" and c.value > 0 else value, strong=True),
        Cell(ranged(low, high, digits, sign=c.rule == "non_inferior"), quiet=True),
        Cell(f"{c.n:,}", quiet=True),
    ]


def _worst(c: Check, digits: int) -> str:
    if not c.worst:
        return ""
    shown = ", ".join(f"{q} {number(v, digits)}" for q, v in c.worst[:_SHOWN_WORST])
    what = Text("largest losses", "损失最大的") if c.rule == "non_inferior" else Text("worst", "最差的")
    return phrase("; {}: {}", "；{}：{}", what, shown)


# JUnit, which every CI server reads


def junit(result: Decision) -> str:
    """A test case per check: failures for what failed, skipped with a message for what is not settled.

    Suspicious input is an error, and then no check counts: all are skipped.
    """
    doubtful = result.suspicious
    suite = _suite(
        tests=len(result.checks) + len(doubtful),
        failures=0 if doubtful else len(result.of("fail")),
        errors=len(doubtful),
        skipped=len(result.checks if doubtful else result.of("inconclusive")),
    )
    for s in doubtful:
        case = _case(suite, "input", s.code)
        ET.SubElement(case, "error", {"message": one_line(str(s)), "type": "inconclusive"}).text = one_line(str(s))
    for c in result.checks:
        case = _case(suite, c.rule, c.name)
        message = one_line(in_language(joined("", [c.message, _worst(c, 4)])))
        if c.outcome == "pass" and not doubtful:
            ET.SubElement(case, "system-out").text = message
        else:
            what = "failure" if c.outcome == "fail" and not doubtful else "skipped"
            ET.SubElement(case, what, {"message": message, "type": c.outcome}).text = message
    return _xml(suite)


def junit_of_error(message: str) -> str:
    """One test case with an error: the input is invalid, nothing was checked."""
    suite = _suite(tests=1, errors=1)
    case = _case(suite, "input", "the input is valid")
    text = one_line(message)
    ET.SubElement(case, "error", {"message": text, "type": "invalid"}).text = text
    return _xml(suite)


def _suite(*, tests: int, failures: int = 0, errors: int = 0, skipped: int = 0) -> ET.Element:
    counts = {"tests": tests, "failures": failures, "errors": errors, "skipped": skipped}
    return ET.Element("testsuite", {"name": _SUITE, **{k: str(v) for k, v in counts.items()}, "time": "0"})


def _case(suite: ET.Element, kind: str, name: str) -> ET.Element:
    return ET.SubElement(
        suite, "testcase", {"classname": f"rankgauge.gate.{kind}", "name": one_line(name), "time": "0"}
    )


def _xml(suite: ET.Element) -> str:
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
