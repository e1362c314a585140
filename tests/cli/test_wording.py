"""What the library says to Python is said to the command line in its options, or not at all."""

import ast
import re
from pathlib import Path

import click
import pytest

import rankgauge
from rankgauge._text import Text
from rankgauge.cli import main
from rankgauge.cli.advice import in_options
from rankgauge.cli.app import COMMANDS, app
from rankgauge.cli.wording import in_note
from source import parsed

pytestmark = pytest.mark.filterwarnings("ignore:.*rich-click:PendingDeprecationWarning")

SOURCES = sorted(Path(rankgauge.__file__).parent.rglob("*.py"))


def command(name):
    return app.get_command(click.Context(app), name)


@pytest.mark.parametrize(
    ("name", "said", "expected"),
    [
        ("evaluate", "Pass missing='zero' or missing='skip'.", "Pass --missing zero or --missing skip."),
        ("audit", "It is so. Pass missing='zero' or missing='skip'.", "It is so."),
        ("evaluate", "Remove them, or pass duplicates='first'.", "Remove them, or pass --duplicates first."),
        ("audit", "Remove them, or pass duplicates='first'.", "Remove them."),
        ("audit", 'Pass columns={"a b": "doc_id", "s": "score"}.', "Pass --columns 'a b=doc_id,s=score'."),
        ("interleave", 'Pass missing="intersect" to leave them out.', "Pass --intersect to leave them out."),
        ("predictions", "Pass scores=['old', 'new'].", "Pass --score old --score new."),
        ("predictions", "Pass slices=['device', …].", "Pass --slice device."),
        ("plot", "Pass slices=… to compare().", "Pass --slices …."),
        ("calibrate", "Pass time='…', or split='half'.", "Pass --time …, or --split half."),
        ("calibrate", "It has two. Pass model='a'.", "It has two."),
        ("evaluate", "strict=True looks at all rows.", "--strict looks at all rows."),
        ("evaluate", "It needs weights: pass weights={query_id: weight}.", "It needs weights."),
        ("evaluate", "Pass ties='never'.", ""),  # an option that has no such word
        ("evaluate", "Pass engine='auto', or a lazy frame such as pl.scan_csv(…).", "Pass --engine auto."),
        ("predictions", "It is more. Pass share=0.2 or more; equal scores stay.", "It is more. Equal scores stay."),
        ("evaluate", "run, line 3: no score.\n  line 4: no score.", "run, line 3: no score.\n  line 4: no score."),
        ("evaluate", "got '\ue000'. Pass groups=.", "got '\ue000'. Pass groups=."),  # characters of private use
        ("gate", "gate file 'a.toml': `alpha` is wrong.", "gate file 'a.toml': `alpha` is wrong."),
        ("gate", "gate: `alpha` is wrong.", "gate: --alpha is wrong."),
        ("evaluate", "use evaluate_predictions().", "use `rankgauge predictions`."),
        ("compare", "compare() needs two runs.", "compare needs two runs."),
        ("evaluate", "`depth` must be a number, got 'x'.", "--depth must be a number, got 'x'."),
        ("evaluate", "nDCG: `rel` must be a number, got 'x'.", "nDCG: `rel` must be a number, got 'x'."),
        ("evaluate", "unknown measure 'P(rel=2, k=3)@5'.", "unknown measure 'P(rel=2, k=3)@5'."),
        ("evaluate", "got 'Pass depth=3' and \"Pass rel=1\".", "got 'Pass depth=3' and \"Pass rel=1\"."),
        ("convert", "First line: 'x'. Pass format=.", "First line: 'x'. Pass --from."),
        ("evaluate", "First line: 'x'. Pass format=.", "First line: 'x'."),  # its --format is that of the output
        ("evaluate", 'texts \'a\': no id. Pass columns={"name": "id"}.', "texts 'a': no id."),  # not of its tables
    ],
)
def test_advice_names_options_that_exist(name, said, expected):
    assert in_options(said, command(name)) == expected


def messages():
    """Every text of the library that advises an argument, with a word in the place of each value."""
    for path in SOURCES:
        if "cli" in path.parts:
            continue
        source = path.read_text(encoding="utf-8")
        # most files advise nothing, and every worker comes by here; a text may go on in the next line
        if not re.search(r"\b[Pp]ass [\s\"'f]*\S*[a-z_]+=", source):
            continue
        nodes = list(ast.walk(parsed(source)))
        parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in nodes:
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
            if is_text or isinstance(node, ast.JoinedStr):
                text = shown(node)
                if re.search(r"\b[Pp]ass \S*[a-z_]+=", text) and ">>>" not in text:
                    yield pytest.param(text, id=f"{path.stem}:{node.lineno}")


def shown(node):
    if isinstance(node, ast.Constant):
        return node.value
    return "".join(
        p.value if isinstance(p, ast.Constant) else "'word'" if p.conversion == 114 else "word" for p in node.values
    )


MESSAGES = list(messages())


def test_messages_are_found():
    assert len(MESSAGES) > 30


@pytest.mark.parametrize("text", MESSAGES)
def test_no_command_is_told_an_argument_or_an_option_that_it_does_not_have(text):
    for name in COMMANDS:
        said = in_options(text, command(name))
        known = {o for p in command(name).params for o in (*p.opts, *p.secondary_opts)}

        assert not re.search(r"\b[Pp]ass \S*[a-z_]+=['\"{\[]", said), (name, said)
        assert set(re.findall(r"(?<!\w)--[a-z-]+", said)) <= known, (name, said)


@pytest.mark.parametrize(
    ("note", "english", "chinese"),
    [
        (Text("`time` chooses another", "可用 `time` 另选"), "--time chooses another", "可用 --time 另选"),
        (
            Text("correct for it (negatives_kept=)", "修正（negatives_kept=）"),
            "correct for it (--negatives-kept)",
            None,
        ),
        (Text("depth=10 scale=probability", "depth=10 scale=probability"), "depth=10 scale=probability", None),
        (Text("`bins` of 'x=1'", "`unheard` of"), "--bins of 'x=1'", "`unheard` of"),
    ],
)
def test_notes_name_options_and_keep_facts(note, english, chinese):
    said = in_note(note, command("predictions"))

    assert said == english
    assert chinese is None or said.of("zh") == chinese


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "qrels.csv": "qid,docno,stars\nq1,a,1\nq2,a,1\n",
        "run.csv": "qid,docno,score\nq1,a,1\n",
        "other.csv": "qid,docno,score\nq1,a,1\nq2,a,1\n",
        "rows.csv": "label,score,hour\n1,0.5,3\n0,0.4,2\n1,0.6,1\n0,0.3,4\n",
        "same.csv": "label,score,ts\n1,0.5,3\n0,0.4,3\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("evaluate qrels.csv run.csv", "Pass --columns stars=grade."),
        ("evaluate qrels.csv run.csv --columns stars=grade --missing error", "Pass --missing zero or --missing skip."),
        ("evaluate qrels.csv run.csv --columns stras=grade", "Pass --columns stras=grade,stars=grade."),
        ("interleave run.csv other.csv -o lists.csv", "Pass --intersect to leave them out."),
        (
            "calibrate rows.csv --split time",
            "--split time needs a time for each row, got none. Pass --time …, or --split half.",
        ),
        ("calibrate same.csv --split time", "Pass --split half."),
        ("evaluate qrels.csv run.csv -m AUC", "use `rankgauge predictions`."),
        ("evaluate rows.csv run.csv", "--columns"),
        ("convert run.csv run.xyz", "Pass --to: one of"),
        (
            "predictions rows.csv --threshold precision",
            "--threshold: 'precision' needs a number, as in precision>=0.9.",
        ),
    ],
)
def test_commands_speak_of_options(folder, words, error, capsys):
    assert main(words.split()) == 2

    said = capsys.readouterr().err
    assert error in said
    assert not re.search(r"\b[Pp]ass [a-z_]+=", said)


def test_notes_on_the_terminal_speak_of_options(folder, capsys):
    assert main(["predictions", "rows.csv", "-m", "AUC"]) == 0

    assert (
        "left out 'hour': numbers from 1 to 4 are no dates, and may start again; --time takes"
        in capsys.readouterr().out
    )


def test_none_is_a_word_of_python() -> None:
    said = in_options("nDCG: `k` must be a positive integer or None, got '-1'.", command("evaluate"))

    assert said == "nDCG: `k` must be a positive integer, got '-1'."


@pytest.mark.parametrize(
    ("name", "said", "expected"),
    [
        ("evaluate", "请传入 missing='zero' 或 missing='skip'。", "请传入 --missing zero 或 --missing skip。"),
        ("audit", "就是这样。请传入 missing='zero' 或 missing='skip'。", "就是这样。"),
        ("evaluate", "请删除它们，或传入 duplicates='first'。", "请删除它们，或传入 --duplicates first。"),
        ("audit", "请删除它们，或传入 duplicates='first'。", "请删除它们。"),
        ("audit", '请传入 columns={"a b": "doc_id", "s": "score"}。', "请传入 --columns 'a b=doc_id,s=score'。"),
        ("predictions", "请传入 scores=['old', 'new']。", "请传入 --score old --score new。"),
        ("plot", "请给 compare() 传入 slices=…。", "请传入 --slices …。"),
        ("calibrate", "有两个模型。请传入 model='a'。", "有两个模型。"),
        ("evaluate", "需要权重：请传入 weights={query_id: weight}。", "需要权重。"),
        ("evaluate", "请传入 engine='auto'，或惰性表，如 pl.scan_csv(…)。", "请传入 --engine auto。"),
        ("evaluate", "`depth` 必须是正整数或 None，实际为 'x'。", "--depth 必须是正整数，实际为 'x'。"),
        ("evaluate", "`depth`必须是正整数，实际为'x'。", "--depth必须是正整数，实际为'x'。"),
        ("evaluate", "实际为 '传入 depth=3'。", "实际为 '传入 depth=3'。"),
        ("evaluate", "请改用 evaluate_predictions()。", "请改用 `rankgauge predictions`。"),
        ("compare", "compare() 需要两个排序结果。", "compare 需要两个排序结果。"),
        ("evaluate", "首行：'x'。请传入 format=。", "首行：'x'。"),
        ("convert", "首行：'x'。请传入 format=。", "首行：'x'。请传入 --from。"),
    ],
)
def test_advice_in_chinese_names_options_that_exist(name, said, expected):
    assert in_options(Text("It is so.", said), command(name)).of("zh") == expected


def test_what_a_message_is_about_is_told_by_its_english_words():
    gate = Text("gate file 'a.toml': `alpha` is wrong.", "门禁文件 'a.toml'：`alpha` 有误。")
    measure = Text("nDCG: `rel` must be a number.", "nDCG：`rel` 必须是数。")

    assert in_options(gate, command("gate")).of("zh") == "门禁文件 'a.toml'：`alpha` 有误。"
    assert in_options(measure, command("evaluate")).of("zh") == "nDCG：`rel` 必须是数。"
