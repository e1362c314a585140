"""Measures of what is shown in an evaluation: engines, records, slices, comparisons, and what is refused."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge._language import speaking
from rankgauge.comparison.movement import movement
from rankgauge.engines import streaming
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation import of_rankings
from rankgauge.measures.shown import SHOWN
from rankgauge.measures.shown.base import ASKED, OfRun

TEST = {"u1": {"a": 1}, "u2": {"c": 1}, "u3": {"b": 1}, "u4": {"a": 1}}
RECS = {"u1": ["a", "b"], "u2": ["b", "c"], "u3": ["c", "x"]}
TRAIN = {"u1": ["b"], "u2": ["a", "b"], "u3": ["a"], "u9": ["d", "a"]}
KIND = {"a": "film", "b": "film", "c": "book", "d": "song"}
ITEMS_SHOWN = {name: cls for name, cls in SHOWN.measures.items() if not cls.needs & ASKED.keys()}


def random_tables(users: int = 60, seed: int = 0) -> tuple[dict, dict, dict, dict]:
    rng = np.random.default_rng(seed)
    ids = [f"i{n}" for n in range(40)]
    popular = rng.dirichlet(np.full(40, 0.4))
    test = {f"u{u}": {ids[i]: 1 for i in rng.choice(40, 3, replace=False)} for u in range(users)}
    recs = {
        u: dict(zip(rng.choice(ids, n, replace=False), rng.integers(0, 4, n).tolist(), strict=True))
        for u in test
        if (n := int(rng.integers(0, 9)))
    }
    train = {f"u{u}": rng.choice(ids, 5, p=popular).tolist() for u in range(users // 2)}
    kinds = {i: f"k{n % 5}" for n, i in enumerate(ids)}
    return test, recs, train, kinds


def with_room_for(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an evaluation believe that memory holds so many rows at a time."""
    monkeypatch.setattr(of_rankings, "room_of", lambda memory: lambda: rows * streaming.WORK * streaming._WIDTH)


# numbers and what is printed


def test_numbers_of_lists_and_of_runs_stand_beside_those_of_judged_results():
    ev = rg.evaluate(TEST, RECS, ["Coverage@2", "nDCG@2", "ARP@2", "UserCoverage"], train=TRAIN, items=KIND)

    assert ev.labels == ["Coverage@2", "nDCG@2", "ARP@2", "UserCoverage"]
    assert ev["Coverage@2"] == 3 / 4
    assert ev["ARP@2"] == pytest.approx(((3 + 2) / 2 + (2 + 0) / 2 + 0) / 3)
    assert ev["UserCoverage"] == 3 / 4
    assert (ev.n("ARP@2"), ev.n("UserCoverage"), ev.n("nDCG@2")) == (3, 4, 4)
    assert ev.per_query.columns == ["query_id", "nDCG@2", "ARP@2", "UserCoverage"]
    assert ev.per_query["ARP@2"].to_list() == [2.5, 1.0, 0.0, None]


def test_users_and_items_that_are_left_out_are_told():
    ev = rg.evaluate(TEST, RECS, ["ARP@2", "UserCoverage", "Coverage@2"], train=TRAIN, items=KIND)

    said = " / ".join(ev.notes)
    assert "1 user to whom nothing is shown is left out of ARP@2" in said
    assert "1 of 6 places that were looked at shows an item that is not in the catalogue of 4" in said


def test_depth_cuts_what_is_shown():
    short = {u: ids[:1] for u, ids in RECS.items()}
    every = ["Coverage", "ARP@2", "Entropy"]
    cut, given = (rg.evaluate(TEST, r, every, train=TRAIN, **o) for r, o in ((RECS, {"depth": 1}), (short, {})))

    assert cut.mean() == given.mean()


def test_slices_of_a_number_of_the_run_are_of_the_lists_in_them():
    by = {"u1": "new", "u2": "old", "u3": "old", "u4": "new"}
    ev = rg.evaluate(TEST, RECS, ["Coverage@2", "Personalisation@2"], items=KIND, slices=by)

    found = {row["value"]: row for row in ev.slices.to_dicts()}
    assert found["new"]["Coverage@2"] == 2 / 4
    assert found["old"]["Coverage@2"] == 2 / 4
    assert found["old"]["Personalisation@2"] == 1 / 2
    assert isnan(found["new"]["Personalisation@2"])  # one list


# pieces; tests/engines/test_shown_parity.py has all forms and engines


def test_a_list_that_is_too_long_needs_a_cutoff(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rows = pl.DataFrame({"query_id": ["q1"] * 400, "doc_id": [f"d{i}" for i in range(400)], "score": np.arange(400.0)})
    rows.write_parquet(tmp_path / "run.parquet")
    told = {"engine": "streaming"}
    with_room_for(50, monkeypatch)

    assert rg.evaluate({"q1": {"d1": 1}}, tmp_path / "run.parquet", "Entropy@4", **told)["Entropy@4"] == 2
    says_in_both(
        lambda at: rg.evaluate({"q1": {"d1": 1}}, at / "run.parquet", "Entropy", **told),
        Files(tmp_path),
        "a list is too long for memory, and measures of what is shown would look at all of it. Give them a "
        "cutoff, such "
        "as Coverage@10.",
        "有一个列表太长，内存放不下，而展示类指标要查看整个列表。请给出截断位置，如 Coverage@10。",
    )


# records


def test_an_evaluation_comes_back_as_it_was_stored(tmp_path: Path):
    ev = rg.evaluate(TEST, RECS, ["Coverage@2", "nDCG@2", "MIUF@2", "ItemGini@2"], train=TRAIN, items=KIND)
    ev.to_json(tmp_path / "ev.json")
    again = rg.load(tmp_path / "ev.json")

    assert again.labels == ev.labels
    assert again.mean() == ev.mean()
    assert [again.interval(x) for x in ev] == [ev.interval(x) for x in ev]
    assert again.to_dict() == ev.to_dict()
    assert again.per_query.equals(ev.per_query)


def test_numbers_of_runs_alone_can_be_stored(tmp_path: Path):
    ev = rg.evaluate(TEST, RECS, "Entropy@2")
    ev.to_json(tmp_path / "ev.json")

    assert rg.load(tmp_path / "ev.json").interval("Entropy@2") == ev.interval("Entropy@2")
    assert type(ev).from_dict(ev.to_dict(per_query=False))["Entropy@2"] == ev["Entropy@2"]


def test_a_number_of_a_run_stored_as_one_of_queries_is_damaged():
    stored = rg.evaluate(TEST, RECS, ["Entropy@2", "RR"]).to_dict()
    stored["per_query"]["Entropy@2"] = stored.pop("of_run")["Entropy@2"]

    with pytest.raises(rg.errors.InputError, match="not what was stored: Entropy@2"):
        rg.RankingEvaluation.from_dict(stored)


# comparing


def test_two_runs_are_compared_by_what_users_share_in_them():
    test, recs, train, kinds = random_tables(80)
    same = {u: ["i0", "i1"] for u in test}
    found = rg.compare(test, {"same": same, "mine": recs}, ["Coverage@5", "MIUF@5", "nDCG@5"], train=train, items=kinds)

    c = next(x for x in found.contrasts if x.measure == "Coverage@5")
    assert c.difference == pytest.approx(found.evaluations["mine"]["Coverage@5"] - 2 / 40)
    assert c.p_value < 0.001
    assert c.interval.low < c.difference < c.interval.high
    assert found.verdict("Coverage@5") == "better"
    assert any("Coverage@5: of whole runs" in note for note in found.notes)
    assert any("more of the catalogue is shown" in s for s in rg.sentences(found))


def test_a_run_beside_itself_has_not_changed():
    test, recs, _, kinds = random_tables(30)
    found = rg.compare(test, {"a": recs, "b": recs}, ["Coverage@5", "Entropy@5"], items=kinds)

    for c in found.contrasts:
        assert (c.difference, c.p_value) == (0, 1)


def test_users_without_a_list_in_one_run_are_still_paired():
    test, recs, _, kinds = random_tables(40)
    fewer = {u: ids for i, (u, ids) in enumerate(recs.items()) if i % 4}
    found = rg.compare(test, {"all": recs, "some": fewer}, ["Entropy@5"], items=kinds)

    assert found.contrasts[0].n == 40
    assert 0 < found.contrasts[0].p_value <= 1


def test_tests_that_look_at_single_queries_leave_numbers_of_runs_to_the_jackknife():
    test, recs, _, kinds = random_tables(40)
    for word in ("wilcoxon", "sign", "bootstrap", "t"):
        found = rg.compare(test, {"a": recs, "b": {u: ["i0"] for u in test}}, "Coverage@5", items=kinds, test=word)
        assert 0 < found.contrasts[0].p_value < 0.05


def test_slices_and_all_pairs_leave_numbers_of_runs_out():
    test, recs, _, kinds = random_tables(40)
    by = {u: "even" if i % 2 else "odd" for i, u in enumerate(test)}
    found = rg.compare(
        test, {"a": recs, "b": {u: ["i0"] for u in test}}, ["RR", "Coverage@5"], items=kinds, slices=by, pairs="all"
    )

    assert {c.measure for c in found.sliced} == {"RR"}
    assert set(found.pairwise) == {"RR"}


def test_lists_of_single_users_say_that_nothing_is_shared_by_results():
    moved = movement(TEST, RECS, {u: ["a"] for u in TEST}, "u1", "MIUF@2")

    assert isnan(moved.value_a)
    assert "relevant results have no share of it" in moved.note


@pytest.mark.parametrize("measure", ["Coverage@2", "MIUF@2"])
def test_a_page_may_be_about_what_is_shown_alone(tmp_path: Path, measure: str):
    found = rg.compare(TEST, {"a": RECS, "b": {u: ["a"] for u in TEST}}, measure, items=KIND, train=TRAIN)

    rg.report(found, tmp_path / "page.html")
    assert measure in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert rg.diagnose(found) is not None


# what is refused


@pytest.mark.parametrize(
    ("options", "english", "chinese"),
    [
        (
            {},
            "Coverage@2 needs the catalogue: pass items=… (ids, a table of items), or train=… (interactions, "
            "whose items "
            "it then is).",
            "Coverage@2 需要物品目录：请传入 items=…（id 或物品表），或 train=…（交互，以其中的物品为目录）。",
        ),
        (
            {"items": KIND, "ties": "expected"},
            "Coverage@2 is about what is shown, and ties='expected' speaks of the orders of judged results. Pass "
            "ties='doc_id' or 'input'.",
            "Coverage@2 看的是展示的物品，而 ties='expected' 针对的是已标注结果的排列。请传入 ties='doc_id' 或 "
            "'input'。",
        ),
        (
            {"items": KIND, "unjudged": "remove"},
            "Coverage@2 is about what is shown, and unjudged='remove' takes most of it out. Pass "
            "unjudged='irrelevant'.",
            "Coverage@2 看的是展示的物品，而 unjudged='remove' 会去掉其中的大部分。请传入 unjudged='irrelevant'。",
        ),
        (
            {"items": KIND, "duplicates": "keep"},
            "Coverage@2 is about what is shown, and duplicates='keep' would show an item twice. Pass "
            "duplicates='first'.",
            "Coverage@2 看的是展示的物品，而 duplicates='keep' 会使物品重复展示。请传入 duplicates='first'。",
        ),
        (
            {"items": KIND, "weights": dict.fromkeys(TEST, 1.0)},
            "Coverage@2 is a number of the whole run, which has no weights of users. Evaluate it without weights.",
            "Coverage@2 是整个 run 的数值，没有用户权重。请不带权重评测。",
        ),
    ],
)
def test_what_cannot_be_had_is_said_in_both_languages(tmp_path, options, english, chinese):
    says_in_both(lambda at: rg.evaluate(TEST, RECS, "Coverage@2", **options), Files(tmp_path), english, chinese)


def test_finished_evaluations_take_no_catalogue():
    ev = rg.evaluate(TEST, RECS, "RR")

    with pytest.raises(ParameterError, match="`items` says how to evaluate"):
        rg.compare({"a": ev, "b": ev}, items=KIND)


# the command line


def test_commands_take_train_and_items(tmp_path: Path):
    rg.Qrels.of(TEST).write(tmp_path / "test.csv")
    rg.Run.of(RECS).write(tmp_path / "recs.csv")
    rg.Run.of({u: ["a", "b"] for u in TEST}).write(tmp_path / "other.csv")
    rows = [(u, i) for u, ids in TRAIN.items() for i in ids]
    pl.DataFrame(rows, schema=["user_id", "item_id"], orient="row").write_csv(tmp_path / "train.csv")
    pl.DataFrame({"item_id": list(KIND), "category": list(KIND.values())}).write_csv(tmp_path / "items.csv")
    options = ("-m", "Coverage@2", "-m", "MIUF@2", "--train", "train.csv", "--items", "items.csv")

    done = rankgauge("evaluate", "test.csv", "recs.csv", *options, "--json", cwd=tmp_path)
    assert {m["measure"]: m["value"] for m in json.loads(done.stdout)["measures"]}["Coverage@2"] == 3 / 4
    done = rankgauge("compare", "test.csv", "recs.csv", "other.csv", *options, cwd=tmp_path)
    assert "of whole runs" in done.stdout
    done = rankgauge("evaluate", "test.csv", "recs.csv", "-m", "MIUF@2", cwd=tmp_path, code=2)
    assert "--train" in done.stderr


# numbers of whole runs in a comparison

_USERS = [f"u{i}" for i in range(10)]
_OLD = {u: [f"i{(3 * i + j) % 12}" for j in range(4)] for i, u in enumerate(_USERS)}
_NEW = {u: [f"i{(2 * i + j) % 7}" for j in range(4)] for i, u in enumerate(_USERS)}
_RIGHT = {u: ["i1", "i2"] for u in _USERS}
_ITEMS = [f"i{j}" for j in range(12)]


def _compared(measures, **how):
    return rg.compare(_RIGHT, {"old": _OLD, "new": how.pop("new", _NEW)}, measures, items=_ITEMS, **how)


def _printed(c, language="en"):
    with speaking(language):
        return str(c)


def test_the_test_that_is_named_is_the_one_that_was_made():
    alone, beside = _compared(["Coverage@3"], test="sign"), _compared(["Coverage@3", "nDCG@3"], test="wilcoxon")

    assert "p: t test of jackknife shares, two-sided" in _printed(alone)
    assert "sign test" not in _printed(alone)
    assert "permutations" not in _printed(_compared(["Coverage@3"]))
    assert "p: Wilcoxon signed-rank test; t test of jackknife shares for Coverage@3, two-sided" in _printed(beside)
    assert "p：刀切份额的 t 检验，双侧" in _printed(alone, "zh")


def test_nothing_is_said_of_single_queries_where_they_have_no_value():
    c, same = _compared(["Coverage@3"]), _compared(["Coverage@3"], new=_OLD)

    for text in (_printed(c), _printed(same), c.to_html(), str(rg.report(c))):
        assert "None better" not in text
        assert "What moved most" not in text
        assert "No query changed" not in text
        assert "of each query" not in text
    assert _printed(same).startswith("Nothing changed: new and old have the same Coverage@3")
    assert _printed(same, "zh").startswith("没有变化：new 与 old 的 Coverage@3 相同")
    assert "What moved most: nDCG@3" in _printed(_compared(["Coverage@3", "nDCG@3"]))
    with pytest.raises(InputError, match="no query has a value of it"):
        c.differences("Coverage@3")


def test_what_is_left_out_of_slices_and_pairs_is_told():
    c = _compared(["Coverage@3", "nDCG@3"], slices={u: "ab"[i % 2] for i, u in enumerate(_USERS)}, pairs="all")

    assert "Coverage@3: left out of slices and all pairs, where values of single queries are tested" in c.notes
    assert "Coverage@3：不计入切片和两两比较" in _printed(c, "zh")
    assert not any("left out of" in note for note in _compared(["Coverage@3", "nDCG@3"]).notes)


@pytest.mark.parametrize(
    ("measures", "missing", "english", "chinese"),
    [
        (["Personalisation@2", "ILD@2"], "zero", "(left out of ILD@2; missing=zero)", "（不计入 ILD@2；missing=zero）"),
        (["nDCG@2", "ILD@2"], "zero", "(counted as empty lists, left out of ILD@2;", "（按空列表计，不计入 ILD@2；"),
        (["ShortLists@2"], "zero", "(counted as empty lists;", "（按空列表计；"),
        (["nDCG@2", "ShortLists@2"], "skip", "(left out, counted in ShortLists@2;", "（不计入，计入 ShortLists@2；"),
        (["UserCoverage"], "skip", "(counted in UserCoverage;", "（计入 UserCoverage；"),
    ],
)
def test_what_became_of_users_without_a_list_is_true_of_each_measure(measures, missing, english, chinese):
    ev = rg.evaluate(TEST, RECS, measures, items=KIND, missing=missing)
    c = rg.compare(TEST, {"a": RECS, "b": RECS}, measures, items=KIND, missing=missing)

    assert english in _printed(ev)
    assert chinese in _printed(ev, "zh")
    assert english in _printed(c)


@pytest.mark.parametrize("word", ["Shown:", "展示："])
def test_the_word_of_the_family_lists_all_measures_of_what_is_shown_and_no_other(word):
    assert {m.name for m in rg.measures(word)} == set(ITEMS_SHOWN)
    listed = rankgauge("measures", word).stdout
    assert all(name in listed for name in ITEMS_SHOWN)
    assert "nDCG" not in listed


@pytest.mark.parametrize("measure", [name for name, m in SHOWN.measures.items() if issubclass(m, OfRun)])
def test_a_number_of_the_whole_run_is_a_float_of_python(measure: str):
    lists = {"u1": ["a", "b", "c"], "u2": ["a", "c"], "u3": ["d"]}
    told = {"a": "x", "b": "x|y", "c": "z", "d": "y"}

    ev = rg.evaluate({u: ["a"] for u in lists}, lists, f"{measure}@2", train={"u1": ["d"], "u2": ["b"]}, items=told)

    assert type(ev[f"{measure}@2"]) is float
