"""`rankgauge.toml`: what it may say, and every mistake in it at once, without any secret."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_project import GATE, PROJECT

from chinese_errors import Files, says_in_both
from rankgauge.errors import InputError
from rankgauge.project import read_project
from rankgauge.project.file import rules_by_kind
from rankgauge.project.schedule import Schedule, schedule_of

Write = Callable[[str], Path]
MIXED = (
    PROJECT
    + """
[datasets.clicks]
predictions = "clicks.csv"
slices = ["device"]
measures = ["AUC"]
[systems.ctr]
score = "new"
"""
)


def test_systems_are_paired_with_the_datasets_that_they_fit(written: Write) -> None:
    p = read_project(written(MIXED))

    assert p.pairs() == [("july", "search"), ("clicks", "ctr")]
    assert (p.measures("july"), p.measures("clicks")) == (("RR",), ("AUC",))
    assert p.name == "shop"
    assert Path(p.store) == p.folder / "history.db"


def test_measures_of_the_project_go_to_the_datasets_of_their_kind(written: Write) -> None:
    text = MIXED.replace('measures = ["RR"]', 'measures = ["RR", "AUC", "P@1"]').replace('measures = ["AUC"]', "")

    p = read_project(written(text))

    assert (p.measures("july"), p.measures("clicks")) == (("RR", "P@1"), ("AUC",))


def test_paths_are_those_of_the_file(written: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    p = read_project(written(PROJECT))
    monkeypatch.chdir("/")

    assert Path(p.at(p.tables.datasets["july"].judged)).is_file()


def test_the_store_is_that_of_the_file_then_of_the_environment_then_beside_the_file(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKGAUGE_STORE", "postgresql://me@host/name")
    without = written(PROJECT.replace('store = "history.db"\n', ""))

    assert read_project(without).store == "postgresql://me@host/name"
    monkeypatch.delenv("RANKGAUGE_STORE")
    assert read_project(without).store == str(without.parent / "history.db")
    assert read_project(written(PROJECT)).store == str(without.parent / "history.db")


def test_a_system_with_runs_by_dataset_is_measured_on_these(written: Write) -> None:
    text = PROJECT.replace('run = "search.run"', 'run = { july = "search.run" }') + '[datasets.june]\nqrels = "q"\n'

    assert read_project(written(text)).pairs() == [("july", "search")]


def test_rules_without_systems_are_about_those_that_know_their_measures(written: Write) -> None:
    text = MIXED + '[[alerts.release]]\nmeasures = ["RR"]\n'
    text += '[[alerts.release]]\nname = "ctr"\nmeasures = ["RR"]\nsystems = ["ctr"]\n'
    text += '[[alerts.stream]]\nmeasures = ["AUC"]\n[[alerts.stream]]\nname = "both"\nmeasures = ["RR", "AUC"]\n'
    text += '[[alerts.health]]\nmissing_queries = 0\nstale = "8d"\n[[alerts.health]]\njudged = 0.5\n'

    rules = rules_by_kind(read_project(written(text)).tables)

    assert [r.systems for r in rules.release] == [("search",), ("ctr",)]
    assert [r.systems for r in rules.stream] == [("ctr",), ("search", "ctr")]
    assert [(r.systems, r.checks) for r in rules.health] == [
        (("search",), ["missing_queries", "stale"]),
        (("ctr",), ["stale"]),
        (("search",), ["judged"]),
    ]


CASES = {
    "unknown key": (
        PROJECT + "[datasets.july.gat]\n",
        "project file 'rankgauge.toml': unknown key `datasets.july.gat`. Did you mean gate? Known: qrels, …",
        "项目文件 'rankgauge.toml'：未知的键 `datasets.july.gat`。是否想输入 gate？已知的键：qrels, …",
    ),
    "no system": (
        '[datasets.july]\nqrels = "q"\n[systems]\n',
        "project file 'rankgauge.toml': `systems` must have one table or more.",
        "项目文件 'rankgauge.toml'：`systems` 至少要有一个表。",
    ),
    "no judgements": (
        '[datasets.july]\n[systems.s]\nrun = "r"\n',
        "project file 'rankgauge.toml': `datasets.july.qrels` is missing: a dataset has `qrels`, `questions` with what "
        "is relevant to them, or `predictions`.",
        "项目文件 'rankgauge.toml'：`datasets.july.qrels` 缺失：数据集要有 `qrels`、带相关文档的 `questions`，或 "
        "`predictions`。",
    ),
    "both kinds": (
        PROJECT.replace('run = "search.run"', 'run = "search.run"\nscore = "new"'),
        "project file 'rankgauge.toml': `systems.search.score` is one too many: a system has a `run`, a `retriever` or "
        "a `score`, got run, score.",
        "项目文件 'rankgauge.toml'：`systems.search.score` 多余：系统只能有 `run`、`retriever`、`score` 之一，"
        "实际有 run, score。",
    ),
    "no dataset for it": (
        PROJECT + '[systems.ctr]\nscore = "new"\n',
        "project file 'rankgauge.toml': `systems.ctr` fits no dataset: a `score` needs one with `predictions`, a `run` "
        "or a `retriever` one with `qrels` or `questions`.",
        "项目文件 'rankgauge.toml'：`systems.ctr` 没有适用的数据集：`score` 需要带 `predictions` 的，`run` 或 "
        "`retriever` 需要带 `qrels` 或 `questions` 的。",
    ),
    "another dataset": (
        PROJECT + 'datasets = ["jully"]\n',
        "project file 'rankgauge.toml': `systems.search.datasets` names no dataset 'jully'. Did you mean july? There "
        "are: july.",
        "项目文件 'rankgauge.toml'：`systems.search.datasets` 中的数据集 'jully' 不存在。是否想输入 july？现有：july。",
    ),
    "unknown measure": (
        PROJECT.replace('"RR"', '"nDGC@10"'),
        "project file 'rankgauge.toml': `measures` is not right: unknown measure 'nDGC@10'. Did you mean nDCG@10?…",
        "项目文件 'rankgauge.toml'：`measures` 有误：未知的指标 'nDGC@10'。是否想输入 nDCG@10？…",
    ),
    "a measure for nobody": (
        PROJECT.replace('"RR"', '"RR", "AUC"'),
        "project file 'rankgauge.toml': `measures` has 'AUC', which no dataset here can be measured by: it is a "
        "measure of predictions.",
        "项目文件 'rankgauge.toml'：`measures` 中的 'AUC' 不适用于这里的任何数据集：它是 predictions 的指标。",
    ),
    "a rule for nobody": (
        PROJECT + "[gate.floors]\nAUC = 0.7\n",
        "project file 'rankgauge.toml': `gate.floors` has a rule about 'AUC', a measure of predictions, and no dataset "
        "here is of these.",
        "项目文件 'rankgauge.toml'：`gate.floors` 中有关于 'AUC' 的规则，它是 predictions 的指标，"
        "而这里没有这样的数据集。",
    ),
    "a limit out of reach": (
        PROJECT + "[gate.floors]\nRR = 40\n",
        "project file 'rankgauge.toml': `gate` is not right: floors: RR is between 0 and 1, so the limit must be as "
        "well, got 40.",
        "项目文件 'rankgauge.toml'：`gate` 有误：floors：RR 的取值介于 0 和 1 之间，限值也必须如此，实际为 40。",
    ),
    "two writers of one file": (
        'report = "./history.db"\n' + PROJECT,
        "project file 'rankgauge.toml': `report` is the file './history.db' that `store` writes. Name another one.",
        "项目文件 'rankgauge.toml'：`report` 与 `store` 写的是同一个文件 './history.db'。请换一个文件名。",
    ),
    "two rules of one name": (
        PROJECT + '[[alerts.release]]\nmeasures = ["RR"]\n[[alerts.release]]\nmeasures = ["P@1", "RR"]\n',
        "project file 'rankgauge.toml': `alerts.release #2` watches RR as release #1 does: give each a `name` of its "
        "own.",
        "项目文件 'rankgauge.toml'：`alerts.release #2` 与 release #1 都监控 RR：请分别给出不同的 `name`。",
    ),
    "no baseline": (
        PROJECT + "[gate.non_inferior]\nRR = 0.01\n",
        "project file 'rankgauge.toml': `gate.baseline` is missing, and `non_inferior` needs it: \"previous\", "
        '"acknowledged", "tag:NAME", "entry:ID" or a file.',
        '项目文件 \'rankgauge.toml\'：`gate.baseline` 缺失，而 `non_inferior` 需要它："previous"、"acknowledged"、'
        '"tag:NAME"、"entry:ID" 或文件。',
    ),
    "schedule": (
        'schedule = "daily"\n' + PROJECT,
        "project file 'rankgauge.toml': `schedule` is not right: a schedule must be a time between two runs such as "
        "30m, 6h, 1d or 1w (a year at most), or a time of the day such as 06:00, got 'daily'.",
        "项目文件 'rankgauge.toml'：`schedule` 有误：计划必须是两次运行的间隔，如 30m、6h、1d 或 1w（最长一年），"
        "或一天中的时刻，如 06:00，实际为 'daily'。",
    ),
    "labels": (
        "labels = { project = 'x' }\n" + PROJECT,
        "project file 'rankgauge.toml': `labels` must not be called project: these are said elsewhere.",
        "项目文件 'rankgauge.toml'：`labels` 不能叫 project：另有用处。",
    ),
    "over an input": (
        'report = "./qrels.txt"\n' + PROJECT,
        "project file 'rankgauge.toml': `report` would overwrite the input './qrels.txt'. Name another file.",
        "项目文件 'rankgauge.toml'：`report` 会覆盖输入 './qrels.txt'。请换一个文件名。",
    ),
    "a channel without an address": (
        PROJECT + "[channels.slack]\n",
        "project file 'rankgauge.toml': `channels.slack.url_env` is missing: a channel of kind slack needs it.",
        "项目文件 'rankgauge.toml'：`channels.slack.url_env` 缺失：slack 渠道需要它。",
    ),
    "what a channel does not take": (
        PROJECT + '[channels.slack]\nurl_env = "A"\nhost = "b"\n',
        "project file 'rankgauge.toml': `channels.slack.host` is nothing that a channel of kind slack takes. Leave it "
        "out.",
        "项目文件 'rankgauge.toml'：`channels.slack.host` 不适用于 slack 渠道。请去掉。",
    ),
    "a password in the clear": (
        PROJECT + '[channels.email]\nhost = "h"\nsender = "a@b"\nto = ["c@d"]\nsecurity = "none"\nuser_env = "U"\n'
        'password_env = "P"\n',
        'project file \'rankgauge.toml\': `channels.email.security` must be "starttls" or "tls" where there is a '
        'password: "none" would send it for all to read.',
        '项目文件 \'rankgauge.toml\'：`channels.email.security` 有密码时必须是 "starttls" 或 "tls"："none" '
        "会明文发送密码。",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_said_in_both_languages(case: str, tmp_path: Path) -> None:
    text, english, chinese = CASES[case]

    says_in_both(lambda at: read_project(at.file("rankgauge.toml", text)), Files(tmp_path), english, chinese)


def test_every_mistake_is_named_at_once(written: Write) -> None:
    text = PROJECT.replace("[systems.search]", "[systems.x]\n[systems.search]") + '[channels.slack]\ntimeout = "long"\n'

    with pytest.raises(InputError) as caught:
        read_project(written(text))

    assert [p.split("`")[1] for p in caught.value.problems] == ["systems.x.run", "channels.slack.timeout"]


SECRET = "https://hooks.slack.example/services/T0/B0/swordfish"


@pytest.mark.parametrize(
    "text",
    [
        f'[channels.slack]\nurl = "{SECRET}"\n',
        f'[channels.slack]\nurl = ["{SECRET}"]\n',
        f'[channels.slack]\nurl_env = "{SECRET}"\n',
        f'[channels.slack]\nurl_env = ["{SECRET}"]\n',
        '[channels.dingtalk]\nurl_env = "A"\nsecret = "swordfish"\n',
        '[channels.email]\nhost = "h"\nsender = "a@b"\nto = ["c@d"]\npassword = "swordfish"\n',
        '[channels.webhook]\nurl_env = "A"\ntoken = "swordfish"\n',
    ],
)
def test_a_secret_in_the_file_is_an_error_that_does_not_say_it(written: Write, text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_project(written(PROJECT + text))

    said = "\n".join([str(caught.value), *map(str, caught.value.problems), repr(caught.value)])
    assert "swordfish" not in said
    assert "environment variable" in said


@pytest.mark.parametrize("key", ["store", "dashboard"])
@pytest.mark.parametrize("address", ["postgresql://me:swordfish@host/db", "https://x/?token=swordfish"])
def test_an_address_with_a_password_is_an_error_that_does_not_say_it(written: Write, key: str, address: str) -> None:
    text = f'{key} = "{address}"\n' + PROJECT.replace('store = "history.db"\n', "")

    with pytest.raises(InputError, match=f"`{key}` must not have a password") as caught:
        read_project(written(text))

    assert "swordfish" not in str(caught.value)


def test_a_gate_of_a_dataset_takes_the_place_of_that_of_the_project(written: Write) -> None:
    p = read_project(written(PROJECT + GATE + "[datasets.july.gate.floors]\nRR = 0.9\n"))

    found = p.gate("july")

    assert found is not None
    assert (found.floors, found.non_inferior) == ({"RR": 0.9}, {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90s", Schedule(90.0)),
        ("30m", Schedule(1800.0)),
        ("6h", Schedule(21_600.0)),
        (" 1D ", Schedule(86_400.0)),
        ("2w", Schedule(1_209_600.0)),
        ("6:05", Schedule(86_400.0, (6, 5))),
        ("23:59", Schedule(86_400.0, (23, 59))),
    ],
)
def test_schedules_as_people_write_them(text: str, expected: Schedule) -> None:
    assert schedule_of(text) == expected


@pytest.mark.parametrize("text", ["", "0m", "1", "24:00", "6:60", "1y", "-1d", "999999999w", "06:00:00"])
def test_what_is_no_schedule(text: str) -> None:
    with pytest.raises(ValueError, match="a schedule must be"):
        schedule_of(text)
