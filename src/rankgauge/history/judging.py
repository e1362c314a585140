"""How does everything that is watched stand now? Rules held against a history; an accepted change is a new baseline.

    found = rg.alerts(history, [rg.StreamRule(measures=["CTR@10"]), rg.HealthRule(stale="8d")], project="shop")
    found.exit_code
    rg.acknowledge(history, found.ringing[0].entry, "fewer adverts since May", who="Ana")

Nothing is remembered beside the history and nothing is left to chance: the same history gives the same alerts. All of
it is looked at again from the baseline on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from rankgauge._checks import number, whole
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.errors import ParameterError
from rankgauge.history.alert_words import no_data, of_release, of_stream
from rankgauge.history.alerts import NAN, Alert, Alerts
from rankgauge.history.entry import Entry, Event
from rankgauge.history.health_watch import facts
from rankgauge.history.history import PROJECT
from rankgauge.history.moments import last_of, time_of, time_text
from rankgauge.history.release_watch import released
from rankgauge.history.rules import AlertRules, HealthRule, ReleaseRule, Rule, StreamRule, rules_of
from rankgauge.history.series import Series, evaluations, parted
from rankgauge.history.stream_watch import Repeated, Stream, looks_of, stream_of, watched

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["acknowledge", "alerts", "baselines", "by_system", "judge"]

BASELINE = "baseline"


def alerts(
    history: History,
    rules: AlertRules | Rule | Iterable[Rule],
    *,
    project: str = PROJECT,
    looks: int | None = None,
    alpha: float | None = None,
    until: datetime | date | str | None = None,
    at: datetime | str | None = None,
) -> Alerts:
    """How everything that is watched stands: one alert per rule, system, measure and slice.

    `looks` is the promise for all streams of the project together: one false alarm in so many looks, 520 unless said
    and 3,650 where there is a look each day. `alpha` is the chance of any false alarm of all releases since their
    baseline. With `until` it is told how everything stood then: nothing later is looked at. `at` is the time by which
    something is stale: that one, and unless said now.
    """
    table = rules_of(rules)
    whole("looks", looks, at_least=1, optional=True)
    number("alpha", alpha, above=0, below=0.5, optional=True)
    looks = table.looks if looks is None else looks
    alpha = table.alpha if alpha is None else alpha
    end = None if until is None else last_of(until)
    now = end if at is None and end is not None else time_of(at)
    entries = evaluations(history, project=project, until=end)
    known = baselines(history, project, end)
    repeated: Repeated = {}
    streams = [s for rule in table.stream for s in _streams(rule, entries, known, repeated)]
    promised = looks_of(streams) if looks is None else looks
    watched(streams, promised)
    items: list[Alert] = []
    for release in table.release:
        items += _releases(history, release, entries, known, project, alpha / max(1, _groups(table, entries)))
    for rule in table.stream:
        items += _of_streams(rule, [s for s in streams if s.rule is rule], entries, project)
    for health in table.health:
        items += _health(history, health, entries, project, now)
    return Alerts(
        items=items,
        project=project,
        looks=promised,
        alpha=alpha,
        until=time_text(entries[-1].at) if entries else "",
        streams=sum(s.is_ready for s in streams),
        version=__version__,
    )


judge = alerts
"""The verb, for those who speak of rules."""


def acknowledge(
    history: History,
    entry: str | Entry,
    reason: str,
    who: str = "",
    *,
    since: datetime | str | None = None,
    at: datetime | str | None = None,
) -> Event:
    """Accepts a change: from now on its system is held against this evaluation.

    `since` is when the new state began (`alert.since`): streams take their new baseline from there on, and unless said
    from the entry on.
    """
    if not isinstance(reason, str) or not reason.strip():
        raise ParameterError(
            Text(
                f"acknowledge: `reason` must say why the change is accepted, got {show(reason)}.",
                f"确认：`reason` 必须说明为何接受这个变化，实际为 {show(reason)}。",
            )
        )
    found = entry if isinstance(entry, Entry) else history[entry]
    begun = found.at if since is None or since == "" else time_of(since)
    data = {"since": time_text(begun), "system": found.system, "dataset": found.dataset}
    return history.event(BASELINE, reason.strip(), entry=found.id, project=found.project, who=who, at=at, data=data)


# baselines

Known = dict[tuple[str, str], tuple[Entry, datetime]]


def baselines(history: History, project: str, until: datetime | None = None) -> Known:
    """For each system and dataset its baseline, acknowledged or else tagged so, and since when it counts."""
    out: Known = {}
    told = history.events(kind=(BASELINE, "tag"), project=project)
    events = [e for e in told if until is None or e.at <= until]
    by_kind = [[e for e in events if e.kind == "tag" and e.text == BASELINE], [e for e in events if e.kind == BASELINE]]
    ids = dict.fromkeys(e.entry for some in by_kind for e in some if e.entry)
    found = {key: history[key] for key in ids if key in history}
    for some in by_kind:  # what was acknowledged comes before what was tagged, the last one before the first
        for e in some:
            entry = found.get(e.entry)
            if entry is not None:
                since = e.data.get("since")
                out[entry.system, entry.dataset] = entry, time_of(since) if isinstance(since, str) else entry.at
    return out


def _mine(rule: Rule, entries: Sequence[Entry]) -> list[Entry]:
    return [
        e
        for e in entries
        if (not rule.systems or e.system in rule.systems) and (rule.dataset is None or e.dataset == rule.dataset)
    ]


def by_system(entries: Iterable[Entry]) -> dict[tuple[str, str], list[Entry]]:
    """Entries of each system on each dataset, in the order in which they come."""
    out: dict[tuple[str, str], list[Entry]] = {}
    for e in entries:
        out.setdefault((e.system, e.dataset), []).append(e)
    return dict(sorted(out.items()))


def _lacking(
    rule: ReleaseRule | StreamRule, series: Sequence[Series], entries: Sequence[Entry], project: str
) -> list[Alert]:
    """An alert for each measure of a named system, or of all, that no evaluation has."""
    there = {(s.system, s.measure) for s in series}
    systems = rule.systems or sorted({e.system for e in _mine(rule, entries)}) or ("",)
    return [
        _alert(rule, project, system, measure, state="no_data", sentence=no_data(measure, system))
        for system in systems
        for measure in rule.measures
        if (system, measure) not in there
    ]


def _alert(rule: Rule, project: str, system: str, measure: str, **more: object) -> Alert:
    return Alert(
        rule=rule.name or rule.kind,
        kind=rule.kind,
        project=project,
        system=system,
        measure=measure,
        **more,  # type: ignore[arg-type]
    )


# streams


def _streams(rule: StreamRule, entries: Sequence[Entry], known: Known, repeated: Repeated) -> list[Stream]:
    series = parted(_mine(rule, entries), rule.measures, rule.slices)
    return [
        stream_of(rule, s, known[s.system, s.dataset][1] if (s.system, s.dataset) in known else None, repeated)
        for s in series
    ]


def _of_streams(rule: StreamRule, streams: Sequence[Stream], entries: Sequence[Entry], project: str) -> list[Alert]:
    out = []
    for s in streams:
        x = s.series
        change, low, high = s.change if s.is_ready else (NAN, NAN, NAN)
        last = s.rest[s.done - 1] if s.is_ready and s.done else x.looks[-1]
        state = s.state if s.is_ready and s.done else "unknown"
        out.append(
            _alert(
                rule,
                project,
                x.system,
                x.measure,
                attribute=x.attribute,
                part=x.part,
                dataset=x.dataset,
                state=state,
                since="" if s.since is None else time_text(s.since),
                value=last.value,
                baseline=s.target if s.is_ready else NAN,
                change=change,
                low=low,
                high=high,
                margin=s.margin if s.is_ready else NAN,
                n=last.summary.n,
                evidence=s.detector.log_statistic if s.done else NAN,
                limit=s.limit if s.done else NAN,
                sentence=of_stream(s),
                entry=last.entry.id,
                rang=tuple(map(time_text, s.rang)),
            )
        )
    return out + _lacking(rule, [s.series for s in streams], entries, project)


# releases


def _groups(table: AlertRules, entries: Sequence[Entry]) -> int:
    """Systems on datasets that rules of releases are about, each rule by itself: they share alpha."""
    return sum(len(by_system(_mine(rule, entries))) for rule in table.release)


def _releases(
    history: History, rule: ReleaseRule, entries: Sequence[Entry], known: Known, project: str, alpha: float
) -> list[Alert]:
    out: list[Alert] = []
    everything = parted(_mine(rule, entries), rule.measures, rule.slices)
    for (system, dataset), mine in by_system(_mine(rule, entries)).items():
        there = [e for e in mine if any(e.summary(m) is not None for m in rule.measures)]
        series = (
            [
                s
                for s in everything
                if (s.system, s.dataset) == (system, dataset) and s.looks[-1].entry.id == there[-1].id
            ]
            if there
            else []
        )
        if not series:
            continue
        given = known.get((system, dataset))
        baseline = given[0] if given is not None and given[0].id in {e.id for e in there} else there[0]
        r = released(history, rule, there, series, baseline, alpha)
        for f in r.found:
            place = (f.measure, f.attribute, f.part)
            since = r.since[place]
            state = "recovered" if place in r.recovered and since == r.entry else f.state
            out.append(
                _alert(
                    rule,
                    project,
                    system,
                    f.measure,
                    attribute=f.attribute,
                    part=f.part,
                    dataset=dataset,
                    state=state,
                    since="" if since is None else time_text(since.at),
                    value=f.value,
                    baseline=f.baseline,
                    change=f.change,
                    low=f.interval.low,
                    high=f.interval.high,
                    margin=rule.margin,
                    n=f.n,
                    evidence=f.p,
                    limit=r.level,
                    sentence=of_release(rule, r, f, system, state),
                    entry=r.entry.id,
                    against="" if r.against is None else r.against.id,
                    rang=tuple(time_text(e.at) for e in r.rang[place]),
                    queries=f.queries,
                )
            )
    return out + _lacking(rule, everything, entries, project)


# health


def _health(history: History, rule: HealthRule, entries: Sequence[Entry], project: str, now: datetime) -> list[Alert]:
    mine = by_system(_mine(rule, entries))
    out = [
        _alert(
            rule,
            project,
            system,
            f.check,
            dataset=dataset,
            state=f.state,
            since="" if f.since is None else time_text(f.since),
            value=f.value,
            limit=f.limit,
            n=f.n,
            sentence=f.sentence,
            entry=some[-1].id,
        )
        for (system, dataset), some in mine.items()
        for f in facts(history, rule, some, now)
    ]
    there = {system for system, _ in mine}
    missing = [s for s in rule.systems if s not in there] or ([""] if not mine else [])
    for system in missing:
        out += [_alert(rule, project, system, c, state="no_data", sentence=no_data(c, system)) for c in rule.checks]
    return out
