"""What measures say of themselves is so: every fact is computed for every measure that states it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rankgauge._text import Text
from rankgauge.measures import REGISTRY, parse
from rankgauge.measures.classes import CLASSES
from rankgauge.measures.lessons import Lesson, facts, lesson_of
from rankgauge.measures.predictions.base import PREDICTIONS
from rankgauge.measures.shown import SHOWN
from rankgauge.measures.spans import SPANS

from .test_languages_of_measures import HAN, numbers_in, settings_in

OWN = [
    *(cls for cls in REGISTRY.values() if not cls.custom),
    *(cls for kind in (PREDICTIONS, CLASSES, SHOWN, SPANS) for cls in kind.measures.values()),
]
FACTS: dict[str, Text] = {name: text for name, text in vars(facts).items() if isinstance(text, Text)}

each = pytest.mark.parametrize("cls", OWN, ids=lambda cls: f"{cls.__module__.rpartition('.')[2]}-{cls.name}")


def lesson(cls: Any) -> Lesson:
    found = lesson_of(cls)
    assert found is not None, f"{cls.name} has no lesson in measures/lessons"
    return found


def texts(said: Lesson) -> list[Text]:
    return [*said.strengths, *said.limits, said.use, said.avoid, *said.instead.values()]


# the census


@each
def test_every_measure_has_a_lesson(cls):
    said = lesson(cls)

    assert said.strengths
    assert said.limits
    assert said.use
    assert said.avoid
    assert said.instead


@each
def test_every_sentence_is_there_in_chinese(cls):
    said = lesson(cls)

    for text in texts(said):
        assert isinstance(text, Text), text
        assert re.search(HAN, text.zh), text
        assert numbers_in(text.en) <= numbers_in(text.zh), text
        assert settings_in(text.en) == settings_in(text.zh), text
        assert re.findall(f"{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}", text.zh) == [], (
            f"{text.zh}: a space between the scripts"
        )
        assert re.findall(f"{HAN}[,.;:?!()]|[,.;:?!()]{HAN}", text.zh) == [], f"{text.zh}: wide punctuation"
    for text in (*said.strengths, *said.limits, said.use, said.avoid):
        assert text.en.endswith((".", "?")), text
        assert text.zh.endswith(("。", "？")), text
    assert [t for t in said.instead.values() if t.en.endswith(".") or t.zh.endswith("。")] == []


@each
def test_what_to_take_instead_is_another_measure(cls):
    for name in lesson(cls).instead:
        other = parse(name.replace("@k", "@10"))
        assert type(other) is not cls


@each
def test_no_sentence_is_said_twice(cls):
    said = texts(lesson(cls))

    assert len(set(said)) == len(said)


def test_no_lesson_is_left_of_a_measure_that_is_gone():
    taught = {(cls.__module__, cls.name) for cls in OWN}
    from importlib import import_module
    from pkgutil import walk_packages

    import rankgauge.measures.lessons as home

    found = set()
    for module in walk_packages(home.__path__, f"{home.__name__}."):
        if not module.ispkg and not module.name.endswith(".facts"):
            taught_here = vars(import_module(module.name)).items()
            lessons = [name for name, value in taught_here if isinstance(value, Lesson) and not name.startswith("_")]
            found |= {(module.name.replace(".lessons", ""), name) for name in lessons}
    assert found == taught


# rankings


def a_list(seed: int, n: int = 12) -> tuple[list[Any], list[Any]]:
    """Grades of a list and of what it misses; the highest grade is among the latter."""
    rng = np.random.default_rng(seed)
    grades = [None if g < 0 else int(g) for g in rng.integers(-1, 4, n)]
    return grades, [3, 0, *map(int, rng.integers(0, 4, 2))]


LISTS = [a_list(seed) for seed in range(40)] + [([0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 3, 1], [3])]


def of(m: Any, shown: list[Any], missed: list[Any]) -> float:
    """The value of a list; for measures over headings each item serves one or two of them."""
    if m.needs & {"subtopics", "groups"}:
        serves = {0: (0, 0), 1: (1, 0), 2: (0, 1), 3: (1, 1)}
        shown, missed = ([None if g is None else serves[g] for g in grades] for grades in (shown, missed))
    return m.of(shown, missed)


def at_ten(cls: Any) -> Any:
    return cls() @ 10 if "k" in cls.params else cls()


def same(a: Any, b: Any) -> bool:
    return a == b if isinstance(a, str) else bool(a == pytest.approx(b, abs=1e-12, nan_ok=True))


def unmoved(change: Callable[[list[Any], list[Any], np.random.Generator], tuple[list[Any], list[Any]]]) -> Any:
    """That a change of a list leaves the value of every list as it is."""

    def holds(cls: Any) -> bool:
        m, rng = at_ten(cls), np.random.default_rng(1)
        return all(same(of(m, *change(shown, missed, rng)), of(m, shown, missed)) for shown, missed in LISTS)

    return holds


def shuffled(shown: list[Any], k: int | None, rng: np.random.Generator) -> list[Any]:
    first, rest = (shown, []) if k is None else (shown[:k], shown[k:])
    return [first[i] for i in rng.permutation(len(first))] + rest


def with_grades(change: Callable[[int], int]) -> Any:
    def made(shown: list[Any], missed: list[Any], rng: Any) -> tuple[list[Any], list[Any]]:
        return [None if g is None else change(g) for g in shown], [change(g) for g in missed]

    return made


def after_the_first(shown: list[Any], missed: list[Any], rng: Any) -> tuple[list[Any], list[Any]]:
    first = next((i for i, g in enumerate(shown) if g), len(shown))
    return shown[: first + 1] + [0] * len(shown[first + 1 :]), missed


def swapped(shown: list[Any], i: int) -> list[Any]:
    return [*shown[: i - 1], shown[i], shown[i - 1], *shown[i + 1 :]]


def top_heavy(cls: Any) -> bool:
    """On lists with the same grades at ranks 1, 2 and at ranks 9, 10."""
    m = at_ten(cls)
    for middle, missed in LISTS:
        shown = [2, 0, *middle[:6], 2, 0]
        before = of(m, shown, missed)
        top, bottom = (before - of(m, swapped(shown, i), missed) for i in (1, 9))
        if not top > bottom - 1e-15 or not top > 0:
            return False
    return True


def perfect(m: Any) -> list[float]:
    """The values of lists in order of grades that show everything, with few and many relevant items."""
    lists = [[3] * a + [1] * b + [0] * 3 for a, b in ((1, 0), (2, 2), (5, 15), (0, 20))]
    if "subtopics" in m.needs:
        lists.append([1, 2])  # one item for each of two subtopics: either has to come second
    return [of(m, shown, []) for shown in lists]


def geometric(cls: Any) -> bool:
    def total(a: float, b: float) -> float:
        return float(np.exp(np.mean(np.log([a, b]))))

    return cls.summary == "geometric" and total(0.2, 0.7) - total(0.1, 0.7) > total(0.1, 0.8) - total(0.1, 0.7)


def grade_blind(cls: Any) -> bool:
    if "groups" in cls.needs:
        return same(at_ten(cls).of([(3, 0), None, (1, 2)]), at_ten(cls).of([(1, 0), None, (1, 1)]))
    return bool(unmoved(with_grades(lambda g: min(g, 1)))(cls))


OF_RANKINGS: dict[str, Callable[[Any], bool]] = {
    "TOP_HEAVY": top_heavy,
    "ORDER_BLIND": unmoved(lambda shown, missed, rng: (shuffled(shown, 10, rng), missed)),
    "ORDER_BLIND_WHOLE": unmoved(lambda shown, missed, rng: (shuffled(shown, None, rng), missed)),
    "FIRST_ONLY": unmoved(after_the_first),
    "LENGTH_HELPS": lambda cls: all(
        of(cls() @ k, s, m) <= of(cls() @ (k + 1), s, m) and of(cls() @ 10, s[:k], m) <= of(cls() @ 10, s[: k + 1], m)
        for s, m in LISTS
        for k in range(1, 10)
    ),
    "GRADED": lambda cls: of(at_ten(cls), [3, 0], [1]) > of(at_ten(cls), [1, 0], [3]),
    "GRADE_BLIND": grade_blind,
    "GAINS_DECIDE": lambda cls: (
        of(cls(), [1, 3, 0, 2], [3]) != of(cls(gain="exponential"), [1, 3, 0, 2], [3])
        and of(cls(gain="exponential"), [3], [1]) / of(cls(gain="exponential"), [1], [3])
        > of(cls(), [3], [1]) / of(cls(), [1], [3])
    ),
    "MISSES_COUNT": lambda cls: all(
        of(cls(), s, [*m, 2]) < of(cls(), s, m) or not of(cls(), s, m) for s, m in LISTS if any(s)
    ),
    "MISSES_UNSEEN": unmoved(lambda shown, missed, rng: (shown, [*missed, 2, 1])),
    "UNJUDGED_AS_WRONG": unmoved(lambda shown, missed, rng: ([0 if g is None else g for g in shown], missed)),
    "UNJUDGED_LEFT_OUT": lambda cls: all(
        same(of(cls(), [g for g in s if g is not None], m), of(cls(), s, m)) for s, m in LISTS
    ),
    "NEEDS_NONRELEVANT": lambda cls: "nonrelevant" in cls.needs,
    "NEEDS_SUBTOPICS": lambda cls: "subtopics" in cls.needs,
    "NOVELTY": lambda cls: of(at_ten(cls), [1, 2], [1]) > of(at_ten(cls), [1, 1], [2]),
    "REACHES_ONE": lambda cls: all(same(v, 1.0) for v in perfect(at_ten(cls))),
    "CEILING": lambda cls: min(perfect(at_ten(cls))) < 0.999,
    "UNBOUNDED": lambda cls: cls.bounds[1] == np.inf,
    "YES_OR_NO": lambda cls: {of(at_ten(cls), s, m) for s, m in LISTS} | {of(at_ten(cls), [0, 0], [1])} == {0.0, 1.0},
    "GEOMETRIC": geometric,
    "NO_MEAN_OF_QUERIES": lambda cls: cls.summary == "geometric",
    "DESCRIBES": lambda cls: same(of(cls(), [2, 1, None], [0, 0]), of(cls(), [0, 0, None], [2, 1])),
}


# labels and scores


def rows(seed: int = 3, n: int = 60) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    score = np.round(rng.uniform(0.05, 0.95, n), 2)
    return {"label": (rng.uniform(size=n) < score).astype(int), "score": score, "group": np.arange(n) % 4}


def valued(cls: Any, *, label: Any, score: Any, group: Any, **params: Any) -> float:
    given = {"threshold": 0.5} if "threshold" in cls.params else {}
    given |= {"min_count": 1} if "min_count" in cls.params else {}
    value = cls(**given | params).of(list(label), list(score), group=list(group))
    assert not np.isnan(value)
    return float(value)


def changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Any], bool]:
    """Whether a change of the rows changes the value."""
    return lambda cls: any(not same(valued(cls, **change(rows(s))), valued(cls, **rows(s))) for s in range(5))


def unchanged(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Any], bool]:
    return lambda cls: not changed(change)(cls)


def halved(r: dict[str, Any]) -> dict[str, Any]:
    return {**r, "score": r["score"] / 2}


def bent(r: dict[str, Any]) -> dict[str, Any]:
    return {**r, "score": r["score"] ** 3}


def more_negatives(r: dict[str, Any]) -> dict[str, Any]:
    times = np.where(r["label"] == 1, 1, 10)
    return {name: np.repeat(column, times) for name, column in r.items()}


def true_negative(r: dict[str, Any]) -> dict[str, Any]:
    return {name: np.append(column, {"label": 0, "score": 0.01, "group": 0}[name]) for name, column in r.items()}


def flat(r: dict[str, Any]) -> dict[str, Any]:
    return {**r, "score": np.full(len(r["label"]), np.mean(r["label"]))}


IN_ORDER = {
    "label": np.array([1, 0, 1, 1, 0, 1, 0, 0, 1, 0]),
    "score": np.arange(0.95, 0, -0.1),
    "group": np.zeros(10, dtype=int),
}


def cost_of_swap(cls: Any, rank: int) -> float:
    after = {**IN_ORDER, "label": np.array(swapped(list(IN_ORDER["label"]), rank))}
    return valued(cls, **IN_ORDER) - valued(cls, **after)


def has_at_random(value: Callable[[dict[str, Any]], float]) -> Callable[[Any], bool]:
    """A constant score says nothing."""
    samples = [rows(1), rows(2), more_negatives(rows(3))]
    return lambda cls: all(same(valued(cls, **flat(r)), value(r)) for r in samples)


def noise_makes_it_positive(cls: Any) -> bool:
    """Labels of `rows` are drawn by their scores: what is left is noise, and goes away with more rows."""
    few, many = (np.mean([valued(cls, **rows(s, n)) for s in range(5)]) for n in (400, 40_000))
    return bool(few > 1e-3 and many < few / 3)


OF_PREDICTIONS: dict[str, Callable[[Any], bool]] = {
    "ORDER_ONLY": unchanged(bent),
    "PROBABILITY_BLIND": unchanged(halved),
    "SEES_PROBABILITIES": changed(halved),
    "ORDER_UNSEEN": lambda cls: all(
        same(valued(cls, **flat(rows(s))), 0.0 if cls.ideal is None else cls.ideal) for s in range(5)
    ),
    "PAIRS_ALIKE": lambda cls: same(cost_of_swap(cls, 1), cost_of_swap(cls, 9)) and cost_of_swap(cls, 1) > 0,
    "TOP_SCORES": lambda cls: cost_of_swap(cls, 1) > cost_of_swap(cls, 9) >= 0,
    "HALF_AT_RANDOM": has_at_random(lambda r: 0.5),
    "NOTHING_AT_RANDOM": has_at_random(lambda r: 0.0),
    "PREVALENCE_AT_RANDOM": has_at_random(lambda r: float(np.mean(r["label"]))),
    "BASE_RATE_FREE": unchanged(more_negatives),
    "BASE_RATE": changed(more_negatives),
    "ONE_THRESHOLD": lambda cls: valued(cls, **rows(), threshold=0.5) != valued(cls, **rows(), threshold=0.7),
    "TRUE_NEGATIVES_UNSEEN": unchanged(true_negative),
    "NEEDS_GROUPS": lambda cls: "groups" in cls.needs,
    "NOISE": noise_makes_it_positive,
    "NEEDS_PROBABILITIES": lambda cls: "probabilities" in cls.needs,
}

CHECKS = OF_RANKINGS | OF_PREDICTIONS
STATED = [
    pytest.param(name, cls, id=f"{name}-{cls.__module__.rpartition('.')[2]}-{cls.name}")
    for cls in OWN
    for name, fact in FACTS.items()
    if (said := lesson_of(cls)) is not None and any(text is fact for text in texts(said))
]


def test_every_fact_is_computed_and_stated_by_somebody():
    assert FACTS.keys() == CHECKS.keys()
    assert FACTS.keys() == {p.values[0] for p in STATED}


@pytest.mark.parametrize(("name", "cls"), STATED)
def test_a_stated_fact_holds(name, cls):
    assert CHECKS[name](cls)


@pytest.mark.parametrize("name", CHECKS)
def test_a_fact_does_not_hold_for_everything(name):
    kind = REGISTRY if name in OF_RANKINGS else PREDICTIONS.measures
    found = set()
    for cls in kind.values():
        try:
            found.add(CHECKS[name](cls))
        except Exception:  # it does not have what is changed
            found.add(False)
        if found == {True, False}:  # the others change nothing about it
            break
    assert found == {True, False}


# sentences of single measures that say a number


def test_reciprocal_rank_jumps_at_the_top():
    def at(rank: int) -> float:
        return float(REGISTRY["RR"]().of([0] * (rank - 1) + [1]))

    assert (at(1), at(2), at(3)) == (1, 1 / 2, 1 / 3)
    assert at(1) - at(2) == 0.5
    assert at(9) - at(10) == pytest.approx(0.011, abs=5e-4)


def test_average_precision_parts_lists_of_the_same_precision():
    first, second = [1, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 1]

    assert REGISTRY["AP"]().of(first) > REGISTRY["AP"]().of(second)
    assert (REGISTRY["P"]() @ 6).of(first) == (REGISTRY["P"]() @ 6).of(second)


def test_a_floor_stands_for_queries_without_a_point():
    assert "0.00001" in REGISTRY["GMAP"].formula
    assert "0.00001" in REGISTRY["GMbpref"].formula


@pytest.mark.parametrize("p", [0.8, 0.95])
def test_how_many_results_a_reader_with_p_reads(p):
    assert sum(p ** (i - 1) for i in range(1, 10_000)) == pytest.approx({0.8: 5, 0.95: 20}[p])


def test_an_unjudged_first_result_leaves_one_minus_p_open():
    residual = REGISTRY["RBPresidual"]()

    assert residual.of([None] + [0] * 50) == pytest.approx(0.2, abs=1e-4)
    assert min(residual.of([None, *s]) for s, _ in LISTS) >= 0.2


def test_rprec_looks_at_as_many_results_as_are_relevant():
    assert REGISTRY["Rprec"]().of([1] * 199 + [0] + [1]) == pytest.approx(199 / 200)
    assert REGISTRY["Rprec"]().of([1] * 199 + [1] + [0]) == 1


def test_a_better_result_can_lower_g():
    m = REGISTRY["G"]()
    lists = [(list(g), [*g[:i], g[i] + 1, *g[i + 1 :]]) for g in np.ndindex(4, 4, 4) for i in range(3) if g[i] < 3]

    assert any(m.of(after, [3]) < m.of(before, [3]) - 1e-9 for before, after in lists if any(before))


def test_a_better_result_further_up_can_lower_bpm():
    m = REGISTRY["BPM"]()

    assert m.of([0, 3, 2]) < m.of([0, 2, 3])


def test_another_target_is_another_number():
    assert REGISTRY["INST"](T=1).of([1, 0, 1]) != REGISTRY["INST"](T=3).of([1, 0, 1])


def test_compat_sees_which_is_better_and_not_by_how_much():
    m = REGISTRY["Compat"]()

    assert m.of([2, 3]) == m.of([1, 3])
    assert m.of([3, 2, 1]) == m.of([30, 2, 1]) == 1


def test_bpm_does_not_see_order_before_the_reader_stops():
    m = REGISTRY["BPM"](T=2) @ 10

    assert m.of([0, 0, 1, 1], [1]) == m.of([1, 0, 0, 1], [1])
    assert m.of([1, 1, 0, 0], [1]) > m.of([1, 0, 0, 1], [1])


def test_alpha_decides_what_a_repetition_is_worth():
    twice, mixed = [(1, 0), (1, 0)], [(1, 0), (0, 1)]

    forgets, once = (REGISTRY["alpha_DCG"](alpha=alpha) @ 2 for alpha in (0, 1))
    assert forgets.of(twice, [(0, 1)]) == forgets.of(mixed, [(1, 0)])
    assert once.of(twice, [(0, 1)]) == once.of([(1, 0), (0, 0)], [(0, 1), (1, 0)])


def test_precision_over_subtopics_does_not_reward_diversity():
    m = REGISTRY["P_IA"]() @ 10

    assert m.of([(1, 0)] * 10, [(0, 1)]) == m.of([(1, 0)] * 5 + [(0, 1)] * 5)


def test_random_orders_have_half_of_the_pairs_right():
    from itertools import permutations

    m = REGISTRY["PairAccuracy"]()

    assert np.mean([m.of(list(order)) for order in permutations([1, 1, 0, 0, 0])]) == pytest.approx(0.5)
    assert m.of([1, 0, 0]) - m.of([0, 1, 0]) == m.of([0, 1, 0]) - m.of([0, 0, 1])  # any rank counts alike


def test_an_empty_list_has_utility_0_and_a_perfect_one_yaap_of_ln_of_1_plus_r():
    assert REGISTRY["Utility"]().of([], [1, 1]) == 0
    assert REGISTRY["yaap"]().of([1, 1, 1]) == pytest.approx(np.log(1 + 3))


def of_rows(name: str, label: list[int], score: list[float], **params: Any) -> float:
    return float(PREDICTIONS.measures[name](**params).of(label, score))


def test_one_sure_mistake_costs_as_much_as_ten_guesses():
    assert of_rows("LogLoss", [1], [0.001]) == pytest.approx(6.9, abs=0.01)
    assert 10 * of_rows("LogLoss", [1], [0.5]) == pytest.approx(6.9, abs=0.05)
    assert of_rows("Brier", [1], [0.0]) == 1


def test_calling_everything_one_class():
    rare = [1] + [0] * 99

    assert of_rows("Accuracy", rare, [0.0] * 100, threshold=0.5) == 0.99
    assert of_rows("BalancedAccuracy", rare, [0.0] * 100, threshold=0.5) == 0.5
    assert of_rows("Brier", [1] + [0] * 49, [0.0] * 50) == 0.02
    assert of_rows("Recall", rare, [1.0] * 100, threshold=0.5) == 1
    assert of_rows("Specificity", rare, [0.0] * 100, threshold=0.5) == 1
    assert of_rows("FPR", rare, [0.0] * 100, threshold=0.5) == 0
    assert of_rows("FNR", rare, [1.0] * 100, threshold=0.5) == 0
    assert of_rows("Precision", [1, 1, 0], [0.9, 0.1, 0.1], threshold=0.5) == 1
    assert np.isnan(of_rows("MCC", rare, [0.0] * 100, threshold=0.5))


def test_errors_of_copc_cancel():
    assert of_rows("COPC", [0, 1], [0.4, 0.6]) == 1
    assert of_rows("COPC", [1, 0], [0.4, 0.6]) == 1


def test_what_is_the_same_inside_a_group_does_not_move_gauc():
    r = rows()
    moved = r["score"] / 10 + r["group"] / 5
    m = PREDICTIONS.measures["GAUC"]()

    assert m.of(r["label"], moved, group=r["group"]) == pytest.approx(m.of(r["label"], r["score"], group=r["group"]))


@pytest.mark.parametrize("loss", ["log", "brier"])
def test_the_parts_of_a_loss_add_up(loss):
    r = rows()
    mcb, dsc, unc = (of_rows(name, r["label"], r["score"], loss=loss) for name in ("MCB", "DSC", "UNC"))

    whole = of_rows("LogLoss" if loss == "log" else "Brier", r["label"], r["score"])
    assert mcb - dsc + unc == pytest.approx(whole, abs=1e-12)


def test_right_probabilities_have_the_best_loss_on_average():
    truth = 0.3
    at = np.arange(0.05, 1, 0.05)
    for name in ("LogLoss", "Brier"):
        loss = [truth * of_rows(name, [1], [p]) + (1 - truth) * of_rows(name, [0], [p]) for p in at]
        assert at[int(np.argmin(loss))] == pytest.approx(truth)


def test_a_model_of_the_base_rate_has_ne_1_and_rig_0():
    assert of_rows("NE", [1, 0, 0, 0], [0.25] * 4) == pytest.approx(1)
    assert of_rows("RIG", [1, 0, 0, 0], [0.25] * 4) == pytest.approx(0)


def test_gain_cannot_reach_1_where_positives_are_more_than_are_taken():
    assert of_rows("Gain", [1, 1, 1, 0], [0.9, 0.8, 0.7, 0.1], top=0.5) == pytest.approx(2 / 3)


def test_evaluating_does_not_load_them():
    import subprocess
    import sys

    code = (
        "import sys, rankgauge as rg; rg.evaluate({'q': {'d': 1}}, {'q': ['d']}, ['nDCG@10']); "
        "print([m for m in sys.modules if '.lessons' in m or '_scenes' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_a_long_list_has_little_precision_as_a_set():
    assert REGISTRY["SetP"]().of([1] * 10 + [0] * 990) == 0.01


def test_small_gaps_that_point_one_way_can_count_more_than_large_ones_that_alternate():
    labels, score = [1, 0] * 20, np.linspace(0.49, 0.51, 40)
    alternating = of_rows("ECCE", labels, list(score))  # off by about 0.5 at each row
    one_way = of_rows("ECCE", labels, list(score - 0.2))

    assert one_way > 5 * alternating
