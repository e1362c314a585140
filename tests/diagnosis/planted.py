"""For each rule data with exactly its fault, and their healthy twin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import rankgauge as rg

N = 60


@dataclass(frozen=True)
class Planted:
    """`faulty()` has the fault, `healthy()` is the same without it; `evidence` must be said about the first."""

    faulty: Callable[[], Any]
    healthy: Callable[[], Any]
    evidence: str
    options: dict[str, Any] | None = None


def judged(ranks: list[int], depth: int = 30, relevant: int = 1) -> tuple[dict[str, Any], dict[str, Any]]:
    """Everything shown is judged; the relevant items begin at the given rank of each query (0 = not shown)."""
    qrels, run = {}, {}
    for i, rank in enumerate(ranks):
        q = f"q{i:02d}"
        good = [f"g{j}" for j in range(relevant)]
        bad = [f"x{j}" for j in range(depth)]
        shown = bad[:depth] if rank == 0 else [*bad[: rank - 1], *good, *bad[rank - 1 :]][:depth]
        qrels[q] = {**dict.fromkeys(good, 1), **dict.fromkeys(bad, 0)}
        run[q] = {d: float(depth - j) for j, d in enumerate(shown)}
    return qrels, run


def evaluated(ranks: list[int], measures: list[str] | None = None, **options: Any) -> Any:
    shape = {k: options.pop(k) for k in ("depth", "relevant") if k in options}
    qrels, run = judged(ranks, **shape)
    return rg.evaluate(qrels, run, measures or ["nDCG@10", "RR@10"], **options)


def changed(qrels: Any, old: Any, new: Any, measures: list[str] | None = None) -> Any:
    return rg.compare(qrels, {"old": old, "new": new}, measures or ["nDCG@10", "RR@20"], permutations=200)


def mixed(first: list[int], share: float) -> list[int]:
    """Ranks of N queries: that share of them from the list, the others 1."""
    n = int(N * share)
    return [first[i % len(first)] for i in range(n)] + [1] * (N - n)


def order_only(moved: bool) -> Any:
    qrels, old = judged(mixed([4, 8, 12], 0.8))
    _, new = judged(mixed([1, 2, 3], 0.8))
    return changed(qrels, old, new if moved else old)


def more_but_unseen(seen: bool) -> Any:
    """New relevant items come in at rank 25, or at the top."""
    qrels, old = judged([0] * 30 + [1] * 30)
    _, new = judged(([1] if seen else [25]) * 30 + [1] * 30)
    return changed(qrels, old, new, ["nDCG@10", "R@30"])


def cut_at_ten(cut_short: bool) -> Any:
    """Half of the relevant items stand at rank 20, where the new lists have ended or not."""
    qrels, old = judged([1, 20] * 30)
    new = {q: dict(list(x.items())[: 10 if cut_short else 30]) for q, x in old.items()}
    return changed(qrels, old, new, ["nDCG@10", "R@30"])


def cut(ev_of: Callable[[dict[str, Any], dict[str, Any]], tuple[Any, Any]]) -> Any:
    qrels, run = ev_of(*judged([1] * N))
    return rg.evaluate(qrels, run, ["nDCG@10", "RR@10"])


def without(share: float) -> Callable[[dict[str, Any], dict[str, Any]], tuple[Any, Any]]:
    return lambda qrels, run: (qrels, {q: v for i, (q, v) in enumerate(run.items()) if i >= share * N})


def emptied(share: float) -> Callable[[dict[str, Any], dict[str, Any]], tuple[Any, Any]]:
    return lambda qrels, run: (qrels, {q: type(v)() if i < share * N else v for i, (q, v) in enumerate(run.items())})


def with_no_relevant(share: float) -> Callable[[dict[str, Any], dict[str, Any]], tuple[Any, Any]]:
    def make(qrels: dict[str, Any], run: dict[str, Any]) -> tuple[Any, Any]:
        return {q: {"x0": 0} if i < share * N else v for i, (q, v) in enumerate(qrels.items())}, run

    return make


def judged_only_to(depth: int) -> Callable[[dict[str, Any], dict[str, Any]], tuple[Any, Any]]:
    def make(qrels: dict[str, Any], run: dict[str, Any]) -> tuple[Any, Any]:
        kept = {q: {*list(v)[:depth], "g0"} for q, v in run.items()}
        return {q: {d: g for d, g in v.items() if d in kept[q]} for q, v in qrels.items()}, run

    return make


def some_of_many(found: int) -> Any:
    """So many of ten relevant items, at the top."""
    qrels, run = judged([1] * N, relevant=10)
    lists = {q: [*[f"g{j}" for j in range(found)], *(d for d in x if d.startswith("x"))] for q, x in run.items()}
    return rg.evaluate(qrels, lists, ["R@20", "RR@10"])


def tied(qrels: dict[str, Any], run: dict[str, Any]) -> tuple[Any, Any]:
    return qrels, {q: dict.fromkeys(v, 1.0) for q, v in run.items()}


def repeated(times: int) -> Any:
    qrels, run = judged([1] * N)
    lists = {q: [*list(v)[:5], *["x0"] * times] for q, v in run.items()}
    return rg.evaluate(qrels, lists, ["nDCG@10", "RR@10"])


def sliced(weak: bool) -> Any:
    ranks = [10 if weak and i % 3 == 0 else 1 + i % 2 for i in range(N)]
    slices = {f"q{i:02d}": {"kind": "brand" if i % 3 == 0 else "other"} for i in range(N)}
    return evaluated(ranks, slices=slices)


def sizes(large_fail: bool) -> Any:
    """Three queries with 200 relevant items among many with one."""
    qrels, run = judged([1] * N, depth=120)
    for i in range(3):
        q = f"q{i:02d}"
        good = {f"g{j}": 1 for j in range(200)}
        qrels[q] = {**qrels[q], **good}
        run[q] = {d: 1000.0 - j for j, d in enumerate([*list(good)[: 5 if large_fail else 120], "x0", "x1"])}
    return rg.evaluate(qrels, run, ["nDCG@10", "RR@10"])


def rows(slope: float = 1.0, shift: float = 0.0, spread: float = 1.2, n: int = 20_000, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    z = np.log(0.05 / 0.95) + spread * rng.normal(size=n)
    p = 1 / (1 + np.exp(-z))
    said = 1 / (1 + np.exp(-(slope * z + shift)))
    return {"label": rng.random(n) < p, "score": said, "group": rng.integers(2000, size=n)}


def scored(measures: list[str] | None = None, **shape: Any) -> Any:
    return rg.evaluate_predictions(rows(**shape), measures)


def in_percent() -> Any:
    data = rows()
    return rg.evaluate_predictions({**data, "score": 100 * np.asarray(data["score"])})


def by_user(user_only: bool) -> Any:
    rng = np.random.default_rng(0)
    user = rng.normal(size=500)
    group = rng.integers(500, size=20_000)
    z = user[group] if user_only else rng.normal(size=20_000)
    p = 1 / (1 + np.exp(2 - z))
    return rg.evaluate_predictions({"label": rng.random(20_000) < p, "score": p, "group": group})


def base_rate(spread: float) -> Any:
    data = rows(spread=spread)
    return rg.evaluate_predictions(data)


def noisy_change(clear: bool) -> Any:
    """Some queries gain about what the others lose, or all gain."""
    qrels, old = judged([2] * N)
    _, new = judged([1] * N if clear else [1 if i % 12 < 7 else 0 for i in range(N)])
    return changed(qrels, old, new)


def lost(much: bool) -> Any:
    qrels, old = judged([1] * N)
    _, new = judged(mixed([9], 0.8) if much else [1] * N)
    return changed(qrels, old, new)


def classed(called: dict[str, str], a: int = 60, b: int = 24, c: int = 12) -> Any:
    """Three classes; `called` says what rows of a class are called in turn, rightly unless said."""
    label = "a" * a + "b" * b + ("" if called == {"a": "a", "b": "a"} else "c" * c)
    turns = {name: called.get(name, name) for name in "abc"}
    prediction = [turns[name][i % len(turns[name])] for i, name in enumerate(label)]
    return rg.evaluate_predictions({"label": list(label), "prediction": prediction}, prediction="prediction")


# recommenders


USERS = [f"u{i:03d}" for i in range(200)]
CATALOGUE = [f"i{i:03d}" for i in range(100)]


def history(n: int) -> list[str]:
    """Three of the ten popular items, and one of the user's own."""
    return [f"i{(n + j) % 10:03d}" for j in (0, 3, 7)] + [f"i{10 + n % 90:03d}"]


TRAIN = {u: history(n) for n, u in enumerate(USERS)}


def wanted(n: int) -> str:
    """What the user does next: every third one something popular, the others something of their own."""
    return f"i{(n + 1) % 10:03d}" if n % 3 == 0 else f"i{10 + (n + 1) % 90:03d}"


HELD_OUT = {u: [wanted(n)] for n, u in enumerate(USERS)}


def popular_lists(depth: int = 10) -> dict[str, list[str]]:
    """By how many users of train had an item, equal ones by descending id, without what the user had."""
    counts = {i: sum(i in had for had in TRAIN.values()) for i in CATALOGUE}
    order = sorted(CATALOGUE, key=lambda i: (counts[i], i), reverse=True)
    return {u: [i for i in order if i not in TRAIN[u]][:depth] for u in USERS}


def own_lists(good: bool = True, first: int = 0) -> dict[str, list[str]]:
    """Ten items that begin with what the user wants (or not), and others of their own."""
    out = {}
    for n, u in enumerate(USERS):
        others = [f"i{10 + (n * 7 + j) % 90:03d}" for j in range(2, 14)]
        rest = [i for i in others if i not in {*TRAIN[u], wanted(n)}]
        out[u] = ([*rest[:first], wanted(n), *rest[first:]] if good else rest)[:10]
    return out


def few_hits() -> dict[str, list[str]]:
    """One user in ten is shown what they want, in the fourth place."""
    bad, late = own_lists(good=False), own_lists(first=3)
    return {u: late[u] if n % 10 == 0 else bad[u] for n, u in enumerate(USERS)}


def recommended(lists: Any, measures: list[str] | None = None, train: Any = TRAIN, **options: Any) -> Any:
    return rg.evaluate(HELD_OUT, lists, measures or ["nDCG@10"], train=train, items=CATALOGUE, **options)


def with_seen(seen: bool) -> Any:
    """Two places of each list go to what the user had."""
    lists = {u: [*TRAIN[u][:2], *x[:8]] if seen else x for u, x in own_lists().items()}
    return recommended(lists)


def narrowed(narrow: bool) -> Any:
    """The new lists find more, and show less of the catalogue or as much."""
    old, new = own_lists(first=5), own_lists(first=0)
    old["u000"] = own_lists(good=False)["u000"]  # where every list holds its target, candidates may be sampled
    popular = popular_lists(9)
    if narrow:
        new = {u: [wanted(n), *(i for i in popular[u] if i != wanted(n))][:4] for n, u in enumerate(USERS)}
    return rg.compare(HELD_OUT, {"old": old, "new": new}, ["nDCG@10"], train=TRAIN, items=CATALOGUE, permutations=200)


def cold(behind: bool) -> Any:
    """A quarter of the users is not in train, and gets lists as good as the others or none of what they want."""
    known = {u: had for n, (u, had) in enumerate(TRAIN.items()) if n % 4}
    good, bad = own_lists(), own_lists(good=False)
    lists = {u: bad[u] if behind and u not in known else good[u] for u in USERS}
    return recommended(lists, train=known)


def of_columns(named: str) -> Any:
    """The same held-out items, of users or of queries by the names of columns."""
    judged = {named: USERS, {"user_id": "item_id"}.get(named, "doc_id"): [HELD_OUT[u][0] for u in USERS]}
    if named != "user_id":
        judged["grade"] = [1] * len(USERS)
    import polars as pl

    return rg.evaluate(pl.DataFrame(judged), own_lists(), ["nDCG@10"])


PLANTED: dict[str, Planted] = {
    "level-alone": Planted(lambda: of_columns("user_id"), lambda: of_columns("query_id"), ""),
    "near-popularity": Planted(lambda: recommended(few_hits()), lambda: recommended(own_lists()), ""),
    "popularity-list": Planted(lambda: recommended(popular_lists()), lambda: recommended(own_lists()), ""),
    "same-for-everybody": Planted(
        lambda: recommended(dict.fromkeys(USERS, CATALOGUE[40:50])), lambda: recommended(own_lists()), ""
    ),
    "known-items-shown": Planted(lambda: with_seen(True), lambda: with_seen(False), "u000 (0.20)"),
    "accuracy-for-variety": Planted(lambda: narrowed(True), lambda: narrowed(False), ""),
    "suspicious-input": Planted(lambda: evaluated([29] * N), lambda: evaluated([2] * N), "worst-first"),
    "worse-than-baseline": Planted(lambda: lost(True), lambda: lost(False), "q00"),
    "not-settled": Planted(lambda: noisy_change(False), lambda: noisy_change(True), ""),
    "found-but-late": Planted(
        lambda: evaluated(mixed([8, 12, 15], 0.9)), lambda: evaluated(mixed([8, 12, 15], 0.1)), "11-20: 36"
    ),
    "blunt-top": Planted(lambda: evaluated(mixed([7, 9], 0.5)), lambda: evaluated(mixed([2, 3], 0.5)), "q00"),
    "order-improved": Planted(lambda: order_only(True), lambda: order_only(False), ""),
    "recall-low-everywhere": Planted(
        lambda: evaluated([0] * 45 + [1] * 15), lambda: evaluated([1] * 45 + [0] * 15), "q00"
    ),
    "noisy-list": Planted(lambda: evaluated([1] * N, relevant=2), lambda: evaluated([1] * N, relevant=8), "q00 (0.20)"),
    "right-but-incomplete": Planted(lambda: some_of_many(2), lambda: some_of_many(9), "q00 (0.20)"),
    "single-target": Planted(
        lambda: evaluated([1, 2] * 30, ["R@10", "Hit@10"]),
        lambda: evaluated([1, 2] * 30, ["R@10", "Hit@10"], relevant=3),
        "",
    ),
    "coverage-up-order-flat": Planted(lambda: more_but_unseen(False), lambda: more_but_unseen(True), ""),
    "offline-up-online-flat": Planted(
        lambda: order_only(True), lambda: order_only(False), "", options={"online": {"ctr": 0.0}}
    ),
    "missing-queries": Planted(lambda: cut(without(0.2)), lambda: cut(without(0.0)), "q00"),
    "empty-lists": Planted(lambda: cut(emptied(0.2)), lambda: cut(emptied(0.0)), "q00"),
    "no-relevant": Planted(lambda: cut(with_no_relevant(0.2)), lambda: cut(with_no_relevant(0.0)), "q00"),
    "unjudged-share": Planted(lambda: cut(judged_only_to(3)), lambda: cut(judged_only_to(10)), ""),
    "ties-matter": Planted(lambda: cut(tied), lambda: cut(lambda qrels, run: (qrels, run)), "q00"),
    "lists-end-early": Planted(lambda: cut_at_ten(True), lambda: cut_at_ten(False), "q01"),
    "duplicates": Planted(lambda: repeated(3), lambda: repeated(0), ""),
    "weak-measure": Planted(lambda: evaluated(mixed([9], 0.9)), lambda: evaluated([1] * N), "q00"),
    "below-benchmark": Planted(
        lambda: evaluated(mixed([3], 0.9), ["RR", "Hit@3", "P@3"]),
        lambda: evaluated([1] * N, ["RR", "Hit@3", "P@3"]),
        "",
        options={"scenario": "faq"},
    ),
    "below-production-minimum": Planted(
        lambda: evaluated(mixed([9], 0.9), ["RR", "R@5"]),
        lambda: evaluated([1] * N, ["RR", "R@5"]),
        "",
        options={"scenario": "monitoring"},
    ),
    "too-many-measures": Planted(
        lambda: evaluated([1] * N, [f"P@{k}" for k in range(1, 12)]), lambda: evaluated([1] * N, ["P@1", "R@5"]), ""
    ),
    "missing-view": Planted(
        lambda: evaluated([1] * N, ["RR"]),
        lambda: evaluated([1] * N, ["R@5", "nDCG@5", "P@5"]),
        "",
        options={"scenario": "document_qa"},
    ),
    "depth-unsuited": Planted(
        lambda: evaluated([1] * N, ["R@3"]),
        lambda: evaluated([1] * N, ["R@100"]),
        "",
        options={"scenario": "candidates"},
    ),
    "macro-micro-apart": Planted(lambda: sizes(True), lambda: evaluated([1] * N, depth=120), "q00: 200"),
    "weak-slice": Planted(lambda: sliced(True), lambda: sliced(False), "q00"),
    "calibrate": Planted(lambda: scored(shift=1.0), scored, ""),
    "rebuild": Planted(lambda: scored(shift=1.0, spread=0.4), scored, ""),
    "uninformative": Planted(lambda: base_rate(0.4), lambda: base_rate(1.2), ""),
    "reversed-score": Planted(lambda: scored(slope=-1.0, shift=-5.0), scored, ""),
    "not-probabilities": Planted(in_percent, scored, "", options={"scenario": "ctr"}),
    "accuracy-of-imbalance": Planted(
        lambda: scored(["Accuracy(threshold=0.9)"]),
        lambda: rg.evaluate_predictions({"label": [0, 1] * 50, "score": [0.1, 0.9] * 50}, ["Accuracy(threshold=0.5)"]),
        "",
    ),
    "orders-groups": Planted(lambda: by_user(True), lambda: by_user(False), ""),
    "one-class-predicted": Planted(lambda: classed({"a": "a", "b": "a"}), lambda: classed({}), ""),
    "no-better-than-one-class": Planted(lambda: classed({"a": "ab", "b": "a"}), lambda: classed({}), ""),
    "class-never-found": Planted(lambda: classed({"c": "a"}), lambda: classed({}), "'c': 12 rows"),
    "confused-classes": Planted(
        lambda: classed({"b": "bbc"}), lambda: classed({"b": "bbbbbbbc"}), "'b' called 'c': 33.3%, 8 rows"
    ),
    "rare-classes": Planted(lambda: classed({}, c=9), lambda: classed({}), ""),
}
