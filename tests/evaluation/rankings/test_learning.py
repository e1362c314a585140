"""What was learned from reaches the number: with `train`, evaluations say what the audit says."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge._claims import claims_of
from rankgauge.demo import ratings
from rankgauge.evaluation.rankings.suspicion import Suspicion
from rankgauge.gate import Gate, run_gate

USERS = [f"u{i}" for i in range(20)]
TEST = {u: [f"i{n}", f"i{n + 1}"] for n, u in enumerate(USERS)}
LISTS = {u: [f"i{n + 1}", *(f"x{n}-{j}" for j in range(9)), f"i{n}"] for n, u in enumerate(USERS)}
TRAIN = {u: [f"old{n}", f"old{n + 1}"] for n, u in enumerate(USERS)}


def with_test(users: int, items: int = 2) -> dict[str, list[str]]:
    """Train that holds what some users are tested on."""
    return {u: [*row, *(TEST[u][:items] if n < users else ())] for n, (u, row) in enumerate(TRAIN.items())}


def found(train: Any, run: Any = LISTS, test: Any = TEST, **options: Any) -> dict[str, tuple[str, dict[str, Any]]]:
    ev = rg.evaluate(test, run, "nDCG@10", train=train, **options)
    return {s.code: (s.severity, dict(s.numbers)) for s in ev.suspicions}


def as_frame(lists: Any, **more: Any) -> pl.DataFrame:
    rows = [(u, i) for u, row in lists.items() for i in row]
    return pl.DataFrame(rows, schema=["user_id", "item_id"], orient="row").with_columns(**more)


def scored(lists: Any) -> pl.DataFrame:
    rows = [(u, i, -float(n)) for u, row in lists.items() for n, i in enumerate(row)]
    return pl.DataFrame(rows, schema=["user_id", "item_id", "score"], orient="row")


def test_a_healthy_train_is_not_suspected() -> None:
    assert found(TRAIN) == {}


@pytest.mark.parametrize(("users", "severity"), [(1, "warning"), (9, "warning"), (10, "error"), (20, "error")])
def test_what_was_learned_by_heart_is_counted(users: int, severity: str) -> None:
    """Each user has two relevant items: half of them are known from ten users on."""
    numbers = {"known": 2 * users, "pairs": 40, "learned": users, "hits": 20}
    assert found(with_test(users), again())["test-in-train"] == (severity, numbers)


def again(users: int = 20) -> dict[str, list[str]]:
    """Lists that show some users again what they know."""
    return {u: [row[0], *(TRAIN[u] if n < users else ()), *row[1:]] for n, (u, row) in enumerate(LISTS.items())}


@pytest.mark.parametrize(("users", "severity"), [(4, "warning"), (5, "error"), (9, "error")])
def test_answers_of_train_among_the_hits_are_an_error(users: int, severity: str) -> None:
    """From five hits on and 5% of all; each list has one hit among the first ten, and shows nothing else of train."""
    assert found(with_test(users)) == {
        "test-in-train": (severity, {"known": 2 * users, "pairs": 40, "learned": users, "hits": 20})
    }


def test_a_few_hits_among_many_are_a_warning() -> None:
    users = [f"u{n}" for n in range(120)]
    test, lists = ({u: [f"{kind}{u}" for kind in kinds] for u in users} for kinds in ("ab", "a"))
    for leaked, severity in ((5, "warning"), (6, "error")):
        train = {u: ["x", *test[u][: n < leaked]] for n, u in enumerate(users)}
        numbers = {"known": leaked, "pairs": 240, "learned": leaked, "hits": 120}
        assert found(train, lists, test)["test-in-train"] == (severity, numbers)


def test_what_is_done_again_is_a_warning() -> None:
    """Train repeats its pairs, or lists show more of what is known than the test asks for: one in ten and no more."""
    rows = [(u, i) for u, row in with_test(9).items() for i in row]
    some = [(u, TRAIN[u][0]) for u in USERS[:3]]

    assert found([*rows, *some[:2]])["test-in-train"][0] == "error"  # 2 of 60 rows
    assert found([*rows, *some])["test-in-train"][0] == "error"  # 3 of 61
    assert found([*rows, *some, ("u3", "old3")])["test-in-train"][0] == "warning"  # 4 of 62, more than 5%
    train = {u: [*TRAIN[u], TEST[u][1]] for u in USERS[:19]} | {"u19": TRAIN["u19"]}
    test = {u: [*row, f"a{u}", f"b{u}"] for u, row in TEST.items()}  # 19 of 80 are known
    assert found(train, again(1), test)["test-in-train"][0] == "error"  # 19 of 21 that are known and shown
    assert found(train, again(2), test)["test-in-train"][0] == "warning"  # 19 of 23


def test_hits_are_not_said_to_take_places() -> None:
    judged = {u: {row[0]: 5, row[1]: 5 if n % 2 else 2} for n, (u, row) in enumerate(TEST.items())}

    told = found(with_test(20), test=judged, rel=4)

    assert told["test-in-train"][1] == {"known": 30, "pairs": 30, "learned": 10, "hits": 10}
    assert told["seen-items-shown"] == ("warning", {"seen": 10, "places": 200})


@pytest.mark.parametrize("form", ["dicts", "frames", "pieces"])
def test_every_form_and_engine_says_the_same(form: str, tmp_path: Path) -> None:
    train = with_test(12)
    given: dict[str, Any] = {"train": train}
    if form == "frames":
        given = {"train": as_frame(train), "test": as_frame(TEST), "run": scored(LISTS)}
    if form == "pieces":
        scored(LISTS).write_parquet(tmp_path / "run.parquet")
        given |= {"run": tmp_path / "run.parquet", "engine": "streaming"}

    assert found(**given) == {
        # the second item of a user stands first in its list, the first one beyond the tenth place
        "test-in-train": ("error", {"known": 24, "pairs": 40, "learned": 12, "hits": 20}),
    }


def test_only_relevant_items_of_the_test_count_as_known() -> None:
    test = {u: {row[0]: 5, row[1]: 2} for u, row in TEST.items()}

    assert found(with_test(20), test=test)["test-in-train"][1]["known"] == 40
    assert found(with_test(20), test=test, rel=4)["test-in-train"][1] == {
        "known": 20,
        "pairs": 20,
        "learned": 0,
        "hits": 0,
    }
    assert "test-in-train" not in found({u: [row[1]] for u, row in TEST.items()}, test=test, rel=4)


def test_users_who_are_all_strangers_are_an_error_and_some_are_a_remark() -> None:
    assert found({f"U{u}": row for u, row in TRAIN.items()})["users-without-training"] == ("error", {"queries": 20})
    ev = rg.evaluate(TEST, LISTS, "nDCG@10", train={u: row for u, row in TRAIN.items() if u not in USERS[:3]})
    assert ev.suspicions == ()
    (said,) = [n for n in ev.notes if "not in train" in n]
    assert said == "not in train: 3 of the 20 users of the test; their values say how strangers are served"
    assert [(c.what, c.value) for c in claims_of(said)] == [("count", 3), ("count", 20)]


def test_interactions_after_the_first_of_the_test_are_a_warning() -> None:
    test = as_frame(TEST, time=pl.lit(100))
    train = pl.concat([as_frame(TRAIN, time=pl.lit(50)), as_frame({"u1": ["a"], "u2": ["b"]}, time=pl.lit(101))])

    assert found(train, test=test) == {"future-in-train": ("warning", {"later": 2, "rows": 42})}
    assert found(train.with_columns(time=pl.lit(100)), test=test) == {}


def test_a_warning_reaches_whatever_is_made_of_the_numbers() -> None:
    test = as_frame(TEST, time=pl.lit(100))
    train = pl.concat([as_frame(TRAIN, time=pl.lit(50)), as_frame({"u1": ["a"], "u2": ["b"]}, time=pl.lit(101))])
    runs = {"old": scored(LISTS), "new": scored(LISTS)}
    said = "2 of 42 training interactions happened after the first one of the test"

    compared = rg.compare(test, runs, ["nDCG@10"], train=train)
    decided = run_gate(Gate(qrels=test, run=runs["new"], baseline=runs["old"], train=train, floors={"nDCG@10": 0.1}))
    ev = rg.evaluate(test, runs, ["nDCG@10"], train=train)["new"]

    assert {(s.system, s.code) for s in compared.suspicions} == {(name, "future-in-train") for name in runs}
    assert {s.code for s in decided.suspicions} == {"future-in-train"}
    pages = [rg.report(compared), rg.report(decided)]
    assert all(said in str(x) for x in (compared, decided, rg.diagnose(compared), rg.diagnose(ev), *pages))


def test_a_diagnosis_of_doubtful_numbers_does_not_say_that_all_is_well() -> None:
    ev = rg.evaluate(TEST, {"mine": LISTS}, "Hit@10", train=with_test(1))["mine"]

    found = rg.diagnose(ev, rules=["found-but-late"])

    assert found.codes == []
    text = str(found)
    assert "Nothing to report" not in text
    assert text.index("No rule found fault, but the numbers are doubtful:") < text.index("[test-in-train]")
    assert "没有规则发现问题，但数值存疑" in str(rg.diagnose(ev, rules=["found-but-late"], language="zh"))
    assert "Nothing to report" in str(rg.diagnose(ev, rules=["found-but-late"], accept=["test-in-train"]))


def test_lists_that_show_what_users_know_are_a_warning() -> None:
    lists = {u: [*TRAIN[u][: n % 2], *row] for n, (u, row) in enumerate(LISTS.items())}

    assert found(TRAIN, lists) == {"seen-items-shown": ("warning", {"seen": 10, "places": 200})}


def popular(leak: bool) -> tuple[Any, Any, Any]:
    """Lists by popularity over train, or over train and test, where the test likes what is rare in train."""
    train = {f"{name}{u}": [f"i{j}" for j in range(u)] for name in "uw" for u in range(1, 10)}
    test = {u: ["i9"] for u in train}
    train |= {f"v{v}": [f"i{j}" for j in range(v)] for v in range(1, 11)}
    counts = {f"i{j}": sum(f"i{j}" in mine for mine in train.values()) for j in range(10)}
    counts["i9"] += len(test) * leak
    shown = {u: sorted((i for i in counts if i not in train[u]), key=lambda i: (-counts[i], i)) for u in test}
    return train, shown, test


def test_popularity_that_was_counted_with_the_test_is_an_error() -> None:
    train, shown, test = popular(leak=True)
    counts = {i: sum(i in mine for mine in train.values()) for i in (f"i{j}" for j in range(10))}
    steps = [(a, b) for row in shown.values() for a, b in pairwise(row)]

    severity, numbers = found(train, shown, test)["popularity-with-test"]
    assert severity == "error"
    down = sum(counts[a] >= counts[b] for a, b in steps)
    assert numbers == {"steps": len(steps), "with_test": len(steps), "train": down}
    assert "popularity-with-test" not in found(*popular(leak=False))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_popularity_is_found_out_whatever_was_counted_of_the_test(n: int) -> None:
    """Of ratings, four stars are relevant: all of them may have been counted, or only those."""
    train, test = rg.split(pl.DataFrame(ratings()), "last", n=n)
    knows = {u: set(items) for u, items in train.group_by("user_id").agg("item_id").iter_rows()}
    users = test["user_id"].unique().to_list()

    def by_popularity(*counted: pl.DataFrame) -> dict[str, list[str]]:
        counts = pl.concat([x.select("user_id", "item_id") for x in counted]).group_by("item_id").len()
        order = [i for i, _ in sorted(counts.iter_rows(), key=lambda row: (-row[1], row[0]))]
        return {u: [i for i in order if i not in knows[u]][:10] for u in users}

    runs: dict[str, Any] = {
        "all": by_popularity(train, test),
        "relevant": by_popularity(train, test.filter(pl.col("rating") >= 4)),
        "honest": by_popularity(train),
        "item-knn": rg.baseline(train, "item-knn", users=test),
        "ease": rg.baseline(train, "ease", users=test),
    }
    evs = rg.evaluate(test, runs, "nDCG@10", rel=4, train=train)

    assert [s.system for s in evs.suspicions if s.code == "popularity-with-test"] == ["all", "relevant"]


@pytest.mark.slow
def test_published_popularity_is_found_out_by_the_evaluation_itself(shared: Path) -> None:
    """PopRec of S3-Rec on Toys: HR@10 .0113 comes only with the test counted; without it, .0090."""
    train, test = rg.split(shared / "s3rec_toys" / "Toys_and_Games.txt.gz", "last")
    counts = pl.concat([train, test]).group_by("item_id").len("score").cast({"score": pl.Float64})
    users, items = train["user_id"].unique().sort(), counts["item_id"]
    scores = np.broadcast_to(counts["score"].to_numpy(), (len(users), len(items)))
    leaking = rg.Run.from_scores(scores, 20, seen=train, query_ids=users.to_list(), doc_ids=items.to_list())
    runs = {"leaking": leaking, "honest": rg.baseline(train, k=20, users=test)}

    evs = rg.evaluate(test, runs, ["Success@10"], train=train)

    assert [round(ev["Success@10"], 4) for ev in evs.values()] == [0.0113, 0.0090]
    assert [(s.system, s.code) for s in evs.suspicions if s.severity == "error"] == [
        ("leaking", "popularity-with-test")
    ]
    assert str(evs).startswith("Do not trust the numbers of leaking: the lists follow popularity over train and test")


def test_repeated_interactions_are_a_remark() -> None:
    ev = rg.evaluate(TEST, LISTS, "nDCG@10", train=[*((u, i) for u, row in TRAIN.items() for i in row), ("u0", "old0")])

    assert ev.suspicions == ()
    assert "repeated in train (same user, same item): 1 of 41 interactions" in ev.notes


def test_a_gate_and_a_page_do_not_trust_what_was_learned_by_heart() -> None:
    ev = rg.evaluate(TEST, {"mine": LISTS}, "nDCG@10", train=with_test(20))["mine"]

    page = rg.report(ev)
    headline = page[page.index("<h1") :]
    assert "Do not trust the numbers of mine" in headline[: headline.index("</h1>")]
    assert rg.diagnose(ev).codes == ["suspicious-input"]
    assert "Do not trust" not in str(ev.accepting("test-in-train"))
    stored = type(ev).from_dict(ev.to_dict())
    assert stored.suspicions == ev.suspicions


def test_the_command_says_it_above_the_numbers(tmp_path: Path) -> None:
    for name, lists in {"test": TEST, "train": with_test(20)}.items():
        as_frame(lists).write_csv(tmp_path / f"{name}.csv")
    scored(LISTS).write_csv(tmp_path / "mine.csv")
    words = ("evaluate", "test.csv", "mine.csv", "-m", "nDCG@10", "--train", "train.csv")

    shown = rankgauge(*words, cwd=tmp_path).stdout
    assert shown.startswith("Do not trust the numbers of mine: 40 of the 40 relevant items of the test are in train")
    accepted = rankgauge(*words, "--accept", "test-in-train", cwd=tmp_path).stdout
    assert "Do not trust" not in accepted
    assert "accepted: mine: 40 of the 40 relevant items" in accepted


def test_strict_looks_at_train_too() -> None:
    with pytest.raises(rg.errors.InputError, match="test-in-train"):
        rg.evaluate(TEST, LISTS, "nDCG@10", train=with_test(1), strict=True)


@pytest.mark.parametrize("code", ["test-in-train", "popularity-with-test", "future-in-train", "seen-items-shown"])
def test_what_is_said_can_be_read_back(code: str) -> None:
    train, shown, test = popular(leak=True)
    late = as_frame(train, time=pl.lit(2))
    late = pl.concat([late, as_frame({"u1": ["i9", "i8"]}, time=pl.lit(3))])
    ev = rg.evaluate(as_frame(test, time=pl.lit(1)), scored(shown), "nDCG@10", train=late)

    (one,) = [s for s in ev.suspicions if s.code == code]
    assert Suspicion.from_dict(one.to_dict()) == one
    assert one.statement.zh != one.statement.en


def test_ratings_that_all_count_are_said_to() -> None:
    rated = pl.DataFrame({"user_id": ["u", "u"], "item_id": ["a", "b"], "rating": [5, 1]})
    said = "all 2 ratings count as relevant, the lowest as well; from which rating on an item is a hit, `rel` says"
    grades = {"columns": {"rating": "grade"}}

    assert said in rg.evaluate(rated, {"u": ["b"]}, "P@1", **grades).notes
    assert said in rg.evaluate(rated, {"u": ["b"]}, "P@1", rel=1).notes
    assert said not in rg.evaluate(rated, {"u": ["b"]}, "P@1", rel=4).notes
    assert said not in rg.evaluate(rated, {"u": ["b"]}, "P(rel=4)@1", **grades).notes
    plain = rated.rename({"rating": "grade"})
    assert said not in rg.evaluate(plain, {"u": ["b"]}, "P@1").notes
