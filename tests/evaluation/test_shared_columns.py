"""One `columns=` for judgements and runs: each side takes what it has, and what neither has is an error."""

import re

import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.cli import main
from rankgauge.data.columns import SharedColumns
from rankgauge.errors import InputError, ParameterError

QRELS = {"qid": ["q1", "q1", "q2"], "docno": ["a", "b", "a"], "stars": [2, 0, 1]}
RUN = {"qid": ["q1", "q1", "q2"], "docno": ["b", "a", "a"], "match": [0.9, 0.5, 0.7]}
BOTH = {"stars": "grade", "match": "score"}
EXPECTED = {"q1": 0.5, "q2": 1.0}  # the first relevant result stands at 2 and at 1


def values(ev):
    return dict(zip(*ev.per_query.to_dict(as_series=False).values(), strict=True))


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame, pl.LazyFrame], ids=["polars", "pandas", "lazy"])
def test_each_side_takes_the_columns_that_it_has(frame):
    assert values(rg.evaluate(frame(QRELS), frame(RUN), "RR", columns=BOTH)) == EXPECTED


def test_a_mapping_for_one_side_leaves_the_other_alone():
    qrels, run = pl.DataFrame(QRELS), pl.DataFrame(RUN)

    assert values(rg.evaluate(qrels, run.rename({"match": "score"}), "RR", columns={"stars": "grade"})) == EXPECTED
    assert values(rg.evaluate(qrels.rename({"stars": "grade"}), run, "RR", columns={"match": "score"})) == EXPECTED


def test_the_advice_of_the_error_works_when_it_is_followed():
    qrels, run = pl.DataFrame(QRELS), pl.DataFrame(RUN)
    columns = {}
    for _ in range(2):
        with pytest.raises(InputError) as e:
            rg.evaluate(qrels, run, "RR", columns=columns)
        columns = eval(re.search(r"columns=(\{.*\})", str(e.value))[1])  # it says what was said before as well

    assert columns == BOTH
    assert values(rg.evaluate(qrels, run, "RR", columns=columns)) == EXPECTED


def test_a_name_that_both_have_is_taken_by_both():
    def renamed(table):
        return pl.DataFrame(table).rename({"qid": "key"})

    got = rg.evaluate(renamed(QRELS), renamed(RUN), "RR", columns={**BOTH, "key": "query_id"})

    assert values(got) == EXPECTED


def test_a_role_of_one_side_is_taken_by_that_side_only():
    run = pl.DataFrame(RUN).with_columns(stars=pl.lit(5))  # the run carries a column of the same name along

    assert values(rg.evaluate(pl.DataFrame(QRELS), run, "RR", columns=BOTH)) == EXPECTED


def test_a_column_of_neither_side_is_refused_with_the_columns_of_both():
    qrels, run = pl.DataFrame(QRELS), pl.DataFrame(RUN)

    with pytest.raises(InputError) as e:
        rg.evaluate(qrels, run, "RR", columns={**BOTH, "dokno": "doc_id"})

    assert str(e.value) == (
        "`columns` names 'dokno', found in qrels: 'qid', 'docno', 'stars'; in run: 'qid', 'docno', 'match'. "
        "Did you mean docno?"
    )


def test_a_misspelt_name_is_named_before_what_is_missing_for_it():
    with pytest.raises(InputError, match=r"`columns` names 'mach'.* Did you mean match"):
        rg.evaluate(pl.DataFrame(QRELS), pl.DataFrame(RUN), "RR", columns={"stars": "grade", "mach": "score"})


def test_a_role_that_the_owner_of_the_column_cannot_have_is_refused():
    run = pl.DataFrame(RUN).rename({"match": "score"})

    with pytest.raises(
        ParameterError, match=r"'stars' is a column of qrels and must map to one of .*grade.* got 'score'"
    ):
        rg.evaluate(pl.DataFrame(QRELS).with_columns(grade=1), run, "RR", columns={"stars": "score"})


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"stars": "grad"}, "'stars' must map to one of .* Did you mean grade"),
        ({"doc_id": "docno"}, "is it the other way round"),
    ],
)
def test_roles_that_do_not_exist_are_refused(columns, message):
    with pytest.raises(ParameterError, match=message):
        rg.evaluate(pl.DataFrame(QRELS), pl.DataFrame(RUN), "RR", columns=columns)


def test_dicts_have_no_columns_and_the_other_side_decides():
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}}

    assert values(rg.evaluate(qrels, pl.DataFrame(RUN), "RR", columns={"match": "score"})) == EXPECTED
    with pytest.raises(InputError, match="`columns` names 'stars', found in run: 'qid', 'docno', 'match'"):
        rg.evaluate(qrels, pl.DataFrame(RUN), "RR", columns=BOTH)


def test_lists_can_be_looked_at_again():
    ev = rg.evaluate(pl.DataFrame(QRELS), pl.DataFrame(RUN), "RR", columns=BOTH)

    assert ev.source.run().to_dict() == {"q1": {"b": 0.9, "a": 0.5}, "q2": {"a": 0.7}}


def other(run):
    """A run whose scores have another name, the right way round."""
    return pl.DataFrame(run).with_columns(likeness=-pl.col("match")).drop("match")


COLUMNS = {**BOTH, "likeness": "score"}  # each run takes its own


def test_compare_audit_and_funnel_share_columns():
    qrels, runs = pl.DataFrame(QRELS), {"old": pl.DataFrame(RUN), "new": other(RUN)}

    assert rg.compare(qrels, runs, "RR", columns=COLUMNS).evaluations["new"]["RR"] == 1.0
    assert rg.audit(qrels, runs, columns=COLUMNS).runs == ("old", "new")
    assert rg.funnel(qrels, runs, columns=COLUMNS)["new"].recall == 1.0
    message = r"`columns` names 'nothing', found in qrels: .*'match'; in .*'likeness'"
    for call in (rg.compare, rg.audit, rg.funnel):
        with pytest.raises(InputError, match=message):
            call(qrels, runs, columns={**COLUMNS, "nothing": "doc_id"})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for suffix in ("csv", "parquet"):
        for name, frame in {"qrels": pl.DataFrame(QRELS), "old": pl.DataFrame(RUN), "new": other(RUN)}.items():
            getattr(frame, f"write_{suffix}")(tmp_path / f"{name}.{suffix}")
    return tmp_path


COMMANDS = {
    "evaluate": ["evaluate", "qrels.{}", "old.{}", "new.{}", "-m", "RR"],
    "strictly": ["evaluate", "qrels.{}", "new.{}", "-m", "RR", "--strict"],
    "compare": ["compare", "qrels.{}", "old.{}", "new.{}", "-m", "RR"],
    "diagnose": ["diagnose", "qrels.{}", "old.{}", "new.{}", "-m", "RR"],
    "diagnose one": ["diagnose", "qrels.{}", "old.{}", "-m", "RR"],
    "gate": ["gate", "qrels.{}", "new.{}", "--baseline", "old.{}", "--floor", "RR>=0.1", "--non-inferior", "RR:0.9"],
    "funnel": ["funnel", "qrels.{}", "old.{}", "new.{}"],
    "audit": ["audit", "qrels.{}", "old.{}", "new.{}"],
    "plot": ["plot", "differences", "qrels.{}", "old.{}", "new.{}", "-m", "RR", "-o", "chart.svg"],
}


@pytest.mark.filterwarnings("ignore:.*rich-click:PendingDeprecationWarning")
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_share_columns(folder, command, suffix, capsys):
    words = [word.format(suffix) for word in COMMANDS[command]]
    used = {"stars": "grade"} | ({"match": "score"} if any("old" in w for w in words) else {})
    used |= {"likeness": "score"} if any("new" in w for w in words) else {}

    asked = ",".join(f"{name}={role}" for name, role in used.items())
    assert main([*words, "--columns", asked]) in (0, 3), capsys.readouterr().err  # a gate may be inconclusive

    assert main([*words, "--columns", f"{asked},nothing=doc_id"]) == 2
    assert "names 'nothing', found in qrels" in capsys.readouterr().err


def test_what_was_taken_is_known_to_the_mapping():
    shared = SharedColumns(BOTH)

    assert shared.of_table(["qid", "stars"], "qrels", "qrels") == {"stars": "grade"}
    assert shared.of_table(["qid", "match"], "run", "run") == {"match": "score"}
    assert dict(shared) == BOTH
    shared.refuse_unused()
