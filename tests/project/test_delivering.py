"""Who is told what and when: news once, to every channel, until it is taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from servers import Answer, web_server
from small_project import GATE, HALF, PROJECT, QUERIES, WORSE, run_text

import rankgauge as rg

Write = Callable[[str], Path]
FILE = '[channels.file]\npath = "told.jsonl"\n'
SLACK = '[channels.slack]\nurl_env = "SLACK_URL"\nattempts = 1\ntimeout = 5\n'


def told(folder: Path, name: str = "told.jsonl") -> list[str]:
    path = folder / name
    return [json.loads(line)["title"] for line in path.read_text().splitlines()] if path.exists() else []


def weekly(project: Path, folder: Path, ranks: list[dict[str, int]]) -> list[rg.ProjectRun]:
    out = []
    for week, each in enumerate(ranks):
        (folder / "search.run").write_text(run_text(each))
        out.append(rg.run_project(project, at=f"2026-11-{2 + 7 * week:02}"))
    return out


def test_a_known_alert_is_told_once_until_it_changes_and_then_that_it_recovered(written: Write, folder: Path) -> None:
    weekly(written(PROJECT + GATE + FILE), folder, [HALF, WORSE, WORSE, HALF])

    assert told(folder) == ["shop: 1 failed", "shop: 1 recovered"]
    with rg.History(folder / "history.db") as h:
        assert [e.data["state"] for e in h.events(kind="alert")] == ["fail", "recovered"]
        assert [e.data["channel"] for e in h.events(kind="delivered")] == ["file", "file"]


def test_what_is_fine_is_not_told(written: Write, folder: Path) -> None:
    weekly(written(PROJECT + GATE + FILE), folder, [HALF, HALF])

    assert told(folder) == []


def test_since_when_is_that_of_the_first_time(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE + FILE)
    weekly(project, folder, [HALF, WORSE])
    (folder / "told.jsonl").unlink()
    written(PROJECT + GATE + FILE.replace("channels.file]", 'channels.other]\nkind = "file"'))

    rg.run_project(project, at="2026-11-16")

    (line,) = (folder / "told.jsonl").read_text().splitlines()
    (incident,) = json.loads(line)["incidents"]
    assert incident["since"] == "2026-11-09T00:00:00.000000Z"
    assert incident["sentence"].startswith("REGRESSION: 1 of 2 checks failed")
    assert "interval" in incident["sentence"]
    assert [q["query"] for q in incident["queries"]] == ["q00", "q02", "q04"]


def test_the_news_are_other_rules_that_fail(written: Write, folder: Path) -> None:
    third = dict.fromkeys(WORSE, 3)
    weekly(written(PROJECT + GATE + FILE), folder, [HALF, WORSE, third])

    assert told(folder) == ["shop: 1 failed", "shop: 1 failed"]  # RR 1/3 misses the floor as well


def test_an_alert_of_a_rule_is_told_with_its_link(written: Write, folder: Path) -> None:
    text = 'dashboard = "https://q.example"\n' + PROJECT + '[[alerts.release]]\nmeasures = ["RR"]\n' + FILE
    runs = weekly(written(text), folder, [HALF, WORSE, WORSE])

    (line,) = (folder / "told.jsonl").read_text().splitlines()
    (incident,) = json.loads(line)["incidents"]
    first, second = (run.results[0].entry for run in runs[:2])
    assert incident["state"] == "alert"
    assert incident["link"] == f"https://q.example/compare?a={first}&b={second}"


def test_what_a_channel_did_not_take_is_kept_and_told_at_the_next_run(
    written: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = written(PROJECT + GATE + FILE + SLACK)
    with web_server(Answer(500), Answer(200)) as web:
        monkeypatch.setenv("SLACK_URL", web.url + "/swordfish")
        failed, again, quiet = weekly(project, folder, [HALF, WORSE, WORSE, WORSE])[1:]

    assert [d.outcome for d in failed.deliveries] == ["delivered", "failed"]
    assert failed.exit_code == 2
    assert "slack was not told: the server answered HTTP 500" in failed.problems[0]
    assert [(d.channel, d.outcome) for d in again.deliveries] == [("slack", "delivered")]
    assert (again.exit_code, quiet.deliveries) == (1, ())
    assert len(web.got) == 2
    assert told(folder) == ["shop: 1 failed"]  # the file was told already
    assert told(folder, "undelivered.jsonl") == ["shop: 1 failed"]
    files = [(folder / name).read_text() for name in ("undelivered.jsonl", "told.jsonl")]
    everything = "".join([*files, failed.to_json(), str(failed)])
    assert "swordfish" not in everything
    assert b"swordfish" not in (folder / "history.db").read_bytes()


def test_a_variable_that_is_not_set_is_said_by_its_name(written: Write, folder: Path) -> None:
    run = weekly(written(PROJECT + GATE + SLACK), folder, [HALF, WORSE])[1]

    assert "the environment variable SLACK_URL is not set." in run.problems[0]
    assert told(folder, "undelivered.jsonl") == ["shop: 1 failed"]


def test_an_error_that_nobody_foresaw_loses_no_message_and_says_no_secret(
    written: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(*_: object) -> None:
        raise UnicodeError("swordfish")

    monkeypatch.setattr("rankgauge.project.channels.slack.send", bad)
    run = weekly(written(PROJECT + GATE + SLACK), folder, [HALF, WORSE])[1]

    assert "UnicodeError" in run.problems[0]
    assert "swordfish" not in run.to_json()
    assert told(folder, "undelivered.jsonl") == ["shop: 1 failed"]


def test_a_channel_that_comes_later_is_told_what_stands_but_not_what_is_over(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE)
    weekly(project, folder, [HALF, WORSE, HALF])
    written(PROJECT + GATE + FILE)

    rg.run_project(project, at="2026-11-23")

    assert told(folder) == []


def test_nobody_is_told_where_that_was_asked(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE + FILE)
    weekly(project, folder, [HALF])
    (folder / "search.run").write_text(run_text(WORSE))

    run = rg.run_project(project, at="2026-11-09", deliver=False)

    assert (run.exit_code, run.deliveries, told(folder)) == (1, (), [])


def test_messages_speak_the_language_of_the_channel(written: Write, folder: Path) -> None:
    weekly(written(PROJECT + GATE + FILE + 'language = "zh"\n'), folder, [HALF, WORSE])

    assert told(folder) == ["shop：1 项未通过"]


def test_a_clock_that_is_set_back_loses_no_news_and_repeats_none(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE + FILE)
    weekly(project, folder, [HALF])
    for at, ranks in (
        ("2062-11-02", WORSE),
        ("2026-11-09", HALF),
        ("2026-11-10", HALF),
        ("2026-11-11", HALF),
        ("2026-11-12", WORSE),
        ("2026-11-13", WORSE),
        ("2026-11-13", HALF),
    ):
        (folder / "search.run").write_text(run_text(ranks))
        rg.run_project(project, at=at)

    assert told(folder) == ["shop: 1 failed", "shop: 1 recovered", "shop: 1 failed", "shop: 1 recovered"]


def test_what_is_not_watched_any_more_does_not_ring_for_ever(written: Write, folder: Path) -> None:
    rule = '[[alerts.release]]\nmeasures = ["RR"]\n'
    other = '[systems.other]\nrun = "search.run"\n'
    weekly(written(PROJECT + other + rule + FILE), folder, [HALF, WORSE])
    project = written(PROJECT + FILE)

    rg.run_project(project, at="2026-11-16", only="search")
    for day in (17, 18):
        rg.run_project(project, at=f"2026-11-{day}")

    assert told(folder) == ["shop: 2 alert", "shop: 2 no longer watched"]
    with rg.History(folder / "history.db") as h:
        assert [e.data["state"] for e in h.events(kind="alert")] == ["alert", "alert", "gone", "gone"]


def test_two_rules_on_one_measure_are_two_incidents(written: Write, folder: Path) -> None:
    rules = '[[alerts.release]]\nmeasures = ["RR"]\n[[alerts.release]]\nname = "last"\nmeasures = ["RR"]\n'
    weekly(written(PROJECT + rules + 'against = "previous"\n' + FILE), folder, [HALF, WORSE])

    assert told(folder) == ["shop: 2 alert"]


def test_a_run_that_tells_nobody_still_notes_what_is_so(written: Write, folder: Path) -> None:
    project = written(PROJECT + GATE + FILE)
    weekly(project, folder, [HALF])
    (folder / "search.run").write_text(run_text(WORSE))
    rg.run_project(project, at="2026-11-09", deliver=False)

    with rg.History(folder / "history.db") as h:
        assert [e.data["state"] for e in h.events(kind="alert")] == ["fail"]
    rg.run_project(project, at="2026-11-16")

    (line,) = (folder / "told.jsonl").read_text().splitlines()
    assert json.loads(line)["incidents"][0]["since"].startswith("2026-11-09")


def test_a_channel_that_could_be_told_nothing_is_a_problem_before_there_is_anything_to_tell(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = '[channels.post]\nkind = "email"\nhost = "h"\nsender = "a@h"\nto = ["b@h"]\n'
    mail += 'user_env = "U"\npassword_env = "P"\n'
    project = written(PROJECT + FILE + SLACK + mail)
    monkeypatch.setenv("U", "ana")
    monkeypatch.setenv("SLACK_URL", "swordfish")

    run = rg.run_project(project, at="2026-11-02")
    silent = rg.run_project(project, at="2026-11-03", deliver=False)

    assert run.problems == (
        "slack cannot be told: the environment variable SLACK_URL must hold a web address, https://…",
        "post cannot be told: the environment variable P is not set.",
    )
    assert (run.exit_code, run.results[0].state, run.deliveries) == (2, "pass", ())
    assert (silent.exit_code, silent.problems) == (0, ())


def test_a_report_that_cannot_be_written_is_told_and_that_it_was_written_again(written: Write, folder: Path) -> None:
    project = written('report = "pages/report.html"\n' + PROJECT + FILE)
    first, second = (rg.run_project(project, at=f"2026-11-{day}") for day in ("02", "09"))
    (folder / "pages").mkdir()
    third = rg.run_project(project, at="2026-11-16")

    assert [run.exit_code for run in (first, second, third)] == [2, 2, 0]
    assert told(folder) == ["shop: 1 broken", "shop: 1 recovered"]
    line = json.loads((folder / "told.jsonl").read_text().splitlines()[0])
    assert "broken: report: the report could not be written" in line["text"]
    assert "told file of 1 change" in (folder / "pages" / "report.html").read_text(encoding="utf-8")
    assert len(second.problems) == 1


def test_a_report_that_is_not_asked_for_any_more_does_not_ring_for_ever(written: Write, folder: Path) -> None:
    chinese = FILE + 'language = "zh"\n'
    rg.run_project(written('report = "pages/report.html"\n' + PROJECT + chinese), at="2026-11-02")

    rg.run_project(written(PROJECT + chinese), at="2026-11-09")

    assert told(folder) == ["shop：1 项有误", "shop：1 项不再监控"]
    lines = (folder / "told.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["incidents"][0]["subject"] for line in lines] == ["报告", "报告"]


@pytest.mark.parametrize(("rules", "others"), [(GATE, ", 1 of 1 other check passed"), ("", "")])
def test_what_is_not_settled_is_not_said_to_pass(written: Write, folder: Path, rules: str, others: str) -> None:
    rules = rules or '[gate]\nbaseline = "previous"\n[gate.non_inferior]\nRR = 0.01\n'
    project = written(PROJECT + rules + FILE)
    rg.run_project(project, at="2026-11-02")
    (folder / "qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 1\n" for q in QUERIES))

    run = rg.run_project(project, at="2026-11-09")

    (line,) = (folder / "told.jsonl").read_text(encoding="utf-8").splitlines()
    said = f"not settled: july · search: INCONCLUSIVE: rules against the baseline are open{others}; the baseline cannot"
    assert said in json.loads(line)["text"]
    assert "PASS" not in line + str(run)
    assert f"july · search: INCONCLUSIVE: rules against the baseline are open{others}\n" in str(run)
