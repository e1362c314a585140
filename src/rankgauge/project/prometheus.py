"""The newest numbers of a store as Prometheus reads them, for its node exporter's folder of text files.

    rankgauge_value{project="shop",system="bm25",dataset="july",measure="nDCG@10",attribute="",part=""} 0.4525

Value, ends of the interval, n, time and age of each number, the state of each decision and of each alert. Numbers of
single queries never go there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from importlib import resources
from math import inf, isnan

from rankgauge.history.entry import Entry, Event
from rankgauge.history.history import History, time_of

__all__ = ["grafana_dashboard", "prometheus_text"]

_EVALUATIONS = ("rankings", "predictions", "classes", "collected")
_DECISIONS = ("gate", "prediction_gate")
_PAGE = 500
_EVENTS = 20_000
_STATES = ("pass", "fail", "inconclusive")
_INCIDENTS = ("broken", "alert", "fail", "no_data", "inconclusive", "recovered")

Labels = tuple[tuple[str, str], ...]

_FAMILIES = {
    "rankgauge_value": "The newest value of a measure, of everything or of a slice (attribute, part).",
    "rankgauge_low": "Where the interval of the value begins.",
    "rankgauge_high": "Where the interval of the value ends.",
    "rankgauge_n": "Queries or units that the value rests on.",
    "rankgauge_timestamp_seconds": "When the newest evaluation was made, in seconds since 1970.",
    "rankgauge_age_seconds": "How old the newest evaluation was when this was written.",
    "rankgauge_gate_state": "1 for what the newest decision of the gate came to.",
    "rankgauge_incident_state": "1 for the state of each incident that was told or has recovered.",
    "rankgauge_entries": "Entries in the store.",
}


def prometheus_text(history: History, *, project: str | None = None, at: datetime | str | None = None) -> str:
    """All of it, one family after the other; `at` is the moment that ages are counted to."""
    now = time_of(at)
    series: dict[str, dict[Labels, float]] = {name: {} for name in _FAMILIES}
    for name in history.projects() if project is None else [project]:
        for entry in _newest(history, name, _EVALUATIONS):
            _of_entry(entry, now, series)
        for entry in _newest(history, name, _DECISIONS):
            about = _about(entry)
            for state in _STATES:
                series["rankgauge_gate_state"][(*about, ("state", state))] = float(entry.state == state)
        for event in _last(history, name):
            about = (("project", name), ("key", _key(event)), ("subject", str(event.data.get("subject", ""))))
            for state in _INCIDENTS:
                found = float(event.data.get("state") == state)
                series["rankgauge_incident_state"][(*about, ("state", state))] = found
        series["rankgauge_entries"][(("project", name),)] = float(history.count(project=name))
    return "".join(_family(name, series[name]) for name in _FAMILIES if series[name])


def _newest(history: History, project: str, kinds: tuple[str, ...]) -> Iterator[Entry]:
    """The newest entry of each system, dataset and kind."""
    seen: set[tuple[str, str, str]] = set()
    skip = 0
    while found := history.entries(project=project, kind=kinds, newest_first=True, limit=_PAGE, skip=skip):
        for e in found:
            if (e.system, e.dataset, e.kind) not in seen:
                seen.add((e.system, e.dataset, e.kind))
                yield e
        skip += len(found)


def _last(history: History, project: str) -> Iterator[Event]:
    """The newest event of each incident."""
    seen: set[str] = set()
    for e in history.events(kind="alert", project=project, newest_first=True, limit=_EVENTS):
        key = _key(e)
        if key and key not in seen:
            seen.add(key)
            yield e


def _key(event: Event) -> str:
    return str(event.data.get("key", "")).replace("\t", " ")


def _about(entry: Entry) -> Labels:
    return (("project", entry.project), ("system", entry.system), ("dataset", entry.dataset))


def _of_entry(entry: Entry, now: datetime, series: Mapping[str, dict[Labels, float]]) -> None:
    about = _about(entry)
    for s in entry.summaries:
        labels = (*about, ("measure", s.measure), ("attribute", s.attribute), ("part", s.part))
        for name, value in (("value", s.value), ("low", s.low), ("high", s.high), ("n", float(s.n))):
            if not isnan(value) or name == "value":
                series[f"rankgauge_{name}"].setdefault(labels, value)
    kind = (*about, ("kind", entry.kind))
    series["rankgauge_timestamp_seconds"][kind] = entry.at.timestamp()
    series["rankgauge_age_seconds"][kind] = max(0.0, (now - entry.at).total_seconds())


# the format


def _family(name: str, samples: Mapping[Labels, float]) -> str:
    lines: Iterable[str] = (f"{name}{{{_labels(labels)}}} {_number(value)}\n" for labels, value in samples.items())
    return f"# HELP {name} {_FAMILIES[name]}\n# TYPE {name} gauge\n{''.join(lines)}"


def _labels(labels: Labels) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)


def _escaped(value: str) -> str:
    """The three that the format escapes; what is no text in UTF-8 is replaced.

    >>> print(_escaped('a"b' + chr(10) + 'c'))
    a\\"b\\nc
    """
    valid = value.encode("utf-8", "replace").decode("utf-8").replace("\r", " ")
    return valid.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def _number(value: float) -> str:
    if isnan(value):
        return "NaN"
    if value in (inf, -inf):
        return "+Inf" if value > 0 else "-Inf"
    return repr(value)


def grafana_dashboard() -> str:
    """A dashboard of these numbers, as JSON to import into Grafana."""
    return (resources.files("rankgauge.project") / "grafana.json").read_text(encoding="utf-8")
