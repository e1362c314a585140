"""Runs and judgements of known shape, the same bytes on every machine.

A set is a folder with `qrels.txt` and `run.txt` (TREC) and the same as `qrels.pickle` and `run.pickle`, one
pickled `(query_id, {doc_id: value})` per query. Judgements and run are pickled apart, so that their ids are
equal but not the same objects, as when they come from two files.

Two rules keep the tools comparable. Scores of one query differ by at least 0.0001, also in single precision,
because tools break ties differently; sets with ties are for those tools that break them as trec_eval does. Each
query has a relevant document, because tools differ in whether a query without one counts.
"""

from __future__ import annotations

import pickle
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SEED = 20_240_601
COLLECTION = range(1_000_000, 10_000_000)  # doc1000000 … doc9999999
TIED = "tied.txt"


@dataclass(frozen=True)
class Shape:
    """How many queries, results and judgements per query, and how many of the judged are retrieved."""

    name: str
    queries: int
    results: int
    judged: int
    retrieved: int
    sorted: bool = True  # False: results in random order, scores in full precision
    decimals: int | None = None  # scores as a retrieval model gives them, rounded: some are equal

    @property
    def lines(self) -> int:
        return self.queries * self.results


MILLION = Shape("1M", 1_000, 1_000, 50, 25)
MILLION_UNSORTED = Shape("1M-unsorted", 1_000, 1_000, 50, 25, sorted=False)
TEN_MILLION = Shape("10M", 10_000, 1_000, 50, 25)
ONE_RESULT = Shape("80k-one-result", 80_000, 1, 2, 1)
MILLION_TIED = Shape("1M-tied", 1_000, 1_000, 50, 25, decimals=4)
MILLION_ONE_DECIMAL = Shape("1M-one-decimal", 1_000, 1_000, 50, 25, decimals=1)


def ensure(shape: Shape, root: Path) -> Path:
    """The folder of this set, made when it is missing.

    Written query by query: the memory of a process is also counted in the peak of the commands it starts.
    """
    folder = root / shape.name
    if folder.exists():
        return folder
    part = root / f"{shape.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    tied = 0
    with (
        (part / "qrels.txt").open("w") as qrels_text,
        (part / "run.txt").open("w") as run_text,
        (part / "qrels.pickle").open("wb") as qrels_pickle,
        (part / "run.pickle").open("wb") as run_pickle,
    ):
        for query, grades, scores in queries(shape):
            pickle.dump((query, grades), qrels_pickle)
            pickle.dump((query, scores), run_pickle)
            qrels_text.writelines(f"{query} 0 {doc} {grade}\n" for doc, grade in grades.items())
            digits = "" if not shape.sorted else ".6f" if shape.decimals is None else f".{shape.decimals}f"
            run_text.writelines(
                f"{query} Q0 {doc} {rank} {score:{digits}} bench\n"
                for rank, (doc, score) in enumerate(scores.items(), start=1)
            )
            tied += _is_tied(grades, scores)
    (part / TIED).write_text(f"{tied / shape.queries}\n")
    part.rename(folder)
    return folder


def tied_share(folder: Path) -> float:
    """The share of queries in which a judged result has the score of another result."""
    return float((folder / TIED).read_text())


def _is_tied(grades: dict[str, int], scores: dict[str, float]) -> bool:
    count = Counter(scores.values())
    return any(count[scores[doc]] > 1 for doc in grades if doc in scores)


def queries(shape: Shape) -> Iterator[tuple[str, dict[str, int], dict[str, float]]]:
    """Id, judgements and results of each query."""
    rng = random.Random(f"{SEED} {shape.name}")
    unseen = shape.judged - shape.retrieved
    for number in range(shape.queries):
        docs = [f"doc{n}" for n in rng.sample(COLLECTION, unseen + shape.results)]
        missed, shown = docs[:unseen], docs[unseen:]
        judged = missed + rng.sample(shown, shape.retrieved)
        grades = {doc: rng.choice((0, 0, 1, 2, 3)) for doc in judged}
        grades[judged[0]] = rng.randint(1, 3)
        yield f"q{number}", grades, dict(zip(shown, _scores(shape, rng), strict=True))


def _scores(shape: Shape, rng: random.Random) -> list[float]:
    if shape.decimals is not None:  # a few high scores, and ever more of them towards the end of the list
        drawn = (round(5 + rng.expovariate(0.6), shape.decimals) for _ in range(shape.results))
        return sorted(drawn, reverse=True)
    score, scores = 30.0, []
    for _ in range(shape.results):
        score -= rng.uniform(0.0002, 0.03)
        scores.append(round(score, 6) if shape.sorted else score)
    if not shape.sorted:
        rng.shuffle(scores)
    return scores
