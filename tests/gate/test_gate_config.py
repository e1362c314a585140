"""Gate files: what they may say, and how clearly they are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankgauge.errors import InputError, ParameterError
from rankgauge.gate import Gate
from rankgauge.gate.rules import ceilings_of, floors_of, margins_of

START = 'qrels = "q.txt"\nrun = "r.run"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "gate.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_file(tmp_path: Path) -> None:
    text = """
        qrels = "qrels.txt"
        run = "new.run"
        baseline = "/old.run"
        measures = ["nDCG@10", "R@100"]
        alpha = 0.1
        certain = true
        [policy]
        missing = "skip"
        depth = 100
        rel = 2
        [floors]
        "nDCG@10" = 0.4
        [non_inferior]
        "nDCG@10" = 0.01
        [ceilings]
        missing_queries = 0
        unjudged = 0.35
        [slices]
        file = "queries.jsonl"
        min_queries = 30
        [slices.non_inferior]
        "nDCG@10" = 0.03
    """

    gate = Gate.from_toml(written(tmp_path, text))

    assert gate.qrels == str(tmp_path / "qrels.txt")
    assert gate.baseline == "/old.run"
    assert (gate.alpha, gate.certain, gate.measures) == (0.1, True, ("nDCG@10", "R@100"))
    assert (gate.policy.missing, gate.policy.depth, gate.policy.rel) == ("skip", 100, 2.0)
    assert gate.ceilings == {"missing_queries": 0, "unjudged": 0.35}
    assert gate.slices is not None
    assert (gate.slices.file, gate.slices.min_queries) == (str(tmp_path / "queries.jsonl"), 30)
    assert gate.to_dict()["slices"]["non_inferior"] == {"nDCG@10": 0.03}


def test_the_file_of_the_documentation(tmp_path: Path) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "ci.md"
    text = page.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]

    gate = Gate.from_toml(written(tmp_path, text))

    assert set(gate.ceilings) == {"missing_queries", "unjudged@10", "duplicates", "nan_scores"}
    assert gate.slices is not None
    assert gate.slices.attributes == ("language",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('basline = "x"\n[floors]\nRR = 0.4', "unknown key `basline`. Did you mean baseline? Known: qrels, run"),
        ("[policy]\nmising = 'zero'\n[floors]\nRR = 0.4", "unknown key `policy.mising`. Did you mean missing?"),
        ("[slices]\nfile = 'q.csv'\nmin_query = 3\n[slices.floors]\nRR = 0.1", "Did you mean min_queries?"),
        ("[policy]\nmissing = 'nought'\n[floors]\nRR = 0.4", "policy: `missing` must be one of zero, skip, error"),
        ("[policy]\nconvention = 'trec'\n[floors]\nRR = 0.4", "policy: unknown convention 'trec'"),
        ("[policy]\naverage = 'weighted'\n[floors]\nRR = 0.4", "`average` must be macro or micro"),
        ("policy = 3\n[floors]\nRR = 0.4", "`policy` must be a table, got 3."),
        ("floors = 3", "`floors` must be a table, got 3."),
        ("[floors]\n'nDCG@10' = 'high'", "`floors.\"nDCG@10\"` must be a number, or a list of numbers, got 'high'."),
        ("[floors]\n'nDGC@10' = 0.4", "floors: unknown measure 'nDGC@10'. Did you mean nDCG@10?"),
        ("measures = ['nDGC@10']\n[floors]\nRR = 0.4", "measures: unknown measure 'nDGC@10'"),
        ("measures = 'RR'\n[floors]\nRR = 0.4", "`measures` must be a list of texts, got 'RR'."),
        ("alpha = 0.7\n[floors]\nRR = 0.4", "`alpha` must be between 0 and 0.5, got 0.7."),
        ("alpha = true\n[floors]\nRR = 0.4", "`alpha` must be a number, got True."),
        ("certain = 1\n[floors]\nRR = 0.4", "`certain` must be true or false, got 1."),
        ("[floors]\nRR = nan", "floors: RR must have a finite number, got nan."),
        ("baseline = 'b'\n[non_inferior]\nRR = -0.1", "non_inferior: RR must have a margin of 0 or more, got -0.1."),
        ("[non_inferior]\nRR = 0.1", "`non_inferior` needs a `baseline`"),
        ("baseline = 'b'\n[non_inferior]\nnum_ret = 1", "num_ret must be a mean over queries"),
        ("[floors]\nrelstring = 1", "floors: relstring has no mean"),
        (
            "[ceilings]\nmissing = 0",
            "'missing' must be one of missing_queries, unjudged, duplicates, nan_scores, failures.",
        ),
        ("[ceilings]\nmissing_queries = 1.5", "must be a whole number, or a share below 1 such as 0.01, got 1.5."),
        ("[ceilings]\nduplicates = -1", "ceilings: duplicates must be a whole number"),
        ("[ceilings]\n'unjudged@0' = 0.3", "'unjudged@0' must be one of"),
        ("[ceilings]\n'unjudged@5' = 2", "unjudged@5 must be a share between 0 and 1, got 2."),
        ("[ceilings]\nunjudged = 3", "unjudged must be a share between 0 and 1, got 3."),
        ("", "there are no rules. Add `floors`, `non_inferior`, `ceilings` or a `standard`."),
        ("[slices]\nfile = 'q.csv'", "`slices` has no rules."),
        ("[slices]\n[slices.floors]\nRR = 0.1", '`slices.file` is missing. Add a line such as file = "queries.jsonl".'),
        ("[slices]\nfile = 'q.csv'\nmin_queries = 0\n[slices.floors]\nRR = 0.1", "must be 1 or more, got 0."),
        ("[floors", "is not valid TOML"),
    ],
)
def test_what_a_gate_file_must_not_say(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, START + text)

    with pytest.raises(InputError) as e:
        Gate.from_toml(path)

    assert message in str(e.value)
    assert str(e.value).startswith(f"gate file {str(path)!r}")


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as e:
        Gate.from_toml(written(tmp_path, "[floor]\nRR = 0.4\n"))

    assert e.value.problems == (
        "unknown key `floor`. Did you mean floors? Known: qrels, run, retriever, k, queries, collect, chunks, by, "
        "reach, not_found, baseline, train, items, documents, tokenizer, "
        "measures, alpha, certain, allow_inconclusive, accept, policy, standard, level, standards, floors, "
        "non_inferior, ceilings, slices, columns.",
        '`qrels` is missing. Add a line such as qrels = "qrels.txt".',
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gate file '.*none\.toml' cannot be read: No such file"):
        Gate.from_toml(tmp_path / "none.toml")


def test_flags_are_laid_over_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, START + "[policy]\nmissing = 'skip'\nties = 'best'\n[floors]\nRR = 0.4\nAP = 0.1")

    gate = Gate.from_flags(
        file=path, run="other.run", floors=["RR>=0.5"], ceilings=["duplicates<=0"], policy={"missing": "zero"}
    )

    assert gate.run == "other.run"
    assert gate.floors == {"RR": 0.5, "AP": 0.1}
    assert gate.ceilings == {"duplicates": 0}
    assert (gate.policy.missing, gate.policy.ties) == ("zero", "best")
    assert gate.slices is None


def test_rules_as_texts() -> None:
    assert floors_of(["nDCG(gain=exponential)@10 >= 0.4", "Unjudged@10<=0.2"]) == {
        "nDCG(gain=exponential)@10": 0.4,
        "Unjudged@10": 0.2,
    }
    assert margins_of(["nDCG@10: 0.01"]) == {"nDCG@10": 0.01}
    assert ceilings_of(["missing_queries<=3", "nan_scores <= 0.5"]) == {"missing_queries": 3, "nan_scores": 0.5}


@pytest.mark.parametrize(
    ("make", "text", "message"),
    [
        (floors_of, "nDCG@10", r"floor must look like nDCG@10>=0\.40, got 'nDCG@10'"),
        (floors_of, "nDCG@10>=high", "the limit must be a number, got 'high'"),
        (floors_of, "Unjudged@10>=0.2", "Unjudged@10 is better when lower"),
        (margins_of, "nDCG@10", "non-inferior must look like nDCG@10:0.01"),
        (margins_of, "nDCG@10:inf", "the limit must be a number, got 'inf'"),
        (ceilings_of, "missing_querys<=0", "Did you mean missing_queries"),
        (ceilings_of, "missing_queries>=0", "must be written with <=, got >="),
    ],
)
def test_texts_that_are_no_rules(make: object, text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make([text])  # type: ignore[operator]


# several rules on one measure


def test_rules_on_one_measure_are_all_kept() -> None:
    gate = Gate.from_flags(
        qrels="q",
        run="r",
        baseline="b",
        floors=["nDCG@10>=0.9", "nDCG@10>=0.5", "nDCG@10>=0.9", "RR>=0.1"],
        non_inferior=["RR:0.01", "RR:0.1"],
        ceilings=["missing_queries<=3", "missing_queries<=0.01"],
    )

    assert gate.floors == {"nDCG@10": (0.9, 0.5), "RR": 0.1}
    assert gate.non_inferior == {"RR": (0.01, 0.1)}
    assert gate.ceilings == {"missing_queries": (3, 0.01)}


def test_a_file_may_have_several_limits_in_a_list(tmp_path: Path) -> None:
    gate = Gate.from_toml(written(tmp_path, START + "[floors]\nRR = [0.9, 0.5]\n[ceilings]\nduplicates = [3, 0.01]"))

    assert gate.floors == {"RR": (0.9, 0.5)}
    assert gate.ceilings == {"duplicates": (3, 0.01)}
    assert type(gate.ceilings["duplicates"][0]) is int  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[floors]\nRR = []", "floors: RR must have a number, or several, got an empty list."),
        ("[floors]\nRR = [0.5, nan]", "floors: RR must have a finite number, got nan."),
        ("[floors]\nRR = [0.5, true]", "`floors.RR` must be a number, or a list of numbers, got [0.5, True]."),
        ("[ceilings]\nduplicates = []", "ceilings: duplicates must have a number, or several, got an empty list."),
        ("[ceilings]\nunjudged = [0.1, 2]", "ceilings: unjudged must be a share between 0 and 1, got 2."),
        ("[ceilings]\nduplicates = inf", "ceilings: duplicates must have a finite number, got inf."),
    ],
)
def test_lists_of_limits_are_checked_one_by_one(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as e:
        Gate.from_toml(written(tmp_path, START + text))

    assert message in str(e.value)


@pytest.mark.parametrize("limit", ["60", "-1", "1.01"])
def test_a_floor_that_the_measure_cannot_have_is_refused(limit: str) -> None:
    with pytest.raises(InputError, match="floors: nDCG@10 is between 0 and 1, so the limit must be as well, got"):
        Gate.from_flags(qrels="q", run="r", floors=[f"nDCG@10>={limit}"])
    with pytest.raises(InputError, match="floors: DCG@10 is 0 or more"):
        Gate.from_flags(qrels="q", run="r", floors=["DCG@10>=-0.5"])


def test_floors_at_the_ends_of_a_measure_and_of_sums_are_taken() -> None:
    assert Gate.from_flags(qrels="q", run="r", floors=["RR>=0", "P@5>=1", "num_rel_ret>=60", "DCG@10>=60"]).floors


def test_flags_replace_the_rules_of_the_file_under_any_spelling(tmp_path: Path) -> None:
    file = written(tmp_path, START + "[floors]\n'nDCG@10' = [0.9, 0.8]\nRR = 0.3")

    gate = Gate.from_flags(file=file, floors=["ndcg@10>=0.5", "ndcg@10>=0.4"])

    assert gate.floors == {"RR": 0.3, "ndcg@10": (0.5, 0.4)}


@pytest.mark.parametrize("text", ["ｎDCG＠１０＞＝０．４", "nDCG@10≥0.4", " nDCG@10 >= 0.4 "])
def test_rules_are_read_in_any_width(text: str) -> None:
    assert floors_of([text]) == {"nDCG@10": 0.4}
    assert margins_of(["nDCG@10：0.01"]) == {"nDCG@10": 0.01}
    assert ceilings_of(["duplicates＜＝０"]) == {"duplicates": 0}


@pytest.mark.parametrize("margin", [1, 1.5, 10**20])
def test_a_margin_that_nothing_can_fail_is_refused(margin: float):
    with pytest.raises(InputError, match=r"nDCG@10 cannot lose more than 1, so the margin must be smaller, got"):
        Gate(qrels="q", run="r", baseline="b", non_inferior={"nDCG@10": margin})
