"""Fixtures for every test, who runs which file, and what a run left out."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

settings.register_profile("rankgauge", deadline=None)  # a busy machine is no failure
settings.load_profile("rankgauge")

gc.disable()  # until all tests are collected: none of what they are made of goes before the end
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real data beside the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"real data is not here: {SHARED}")
    return SHARED


def pytest_collection_finish() -> None:
    """What is there now stays, and is not looked at again and again while tests make and leave their own things."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, Any, Any]:
    """Measures and rules that a test registers are forgotten after it, and the language that it chose."""
    from rankgauge._language import set_language
    from rankgauge.diagnosis.rules import RULES
    from rankgauge.measures import CLASSES, PREDICTIONS, SHOWN
    from rankgauge.measures.base import RANKINGS

    known: list[dict[str, Any]] = [
        RULES,
        *(d for kind in (RANKINGS, PREDICTIONS, CLASSES, SHOWN) for d in (kind.measures, kind.aliases)),
    ]
    before = [dict(names) for names in known]
    try:
        return (yield)
    finally:
        set_language(None)
        for names, kept in zip(known, before, strict=True):
            if names != kept:
                names.clear()
                names.update(kept)


# who runs which file

SPARK = ("engines/test_spark", "engines/test_parity")
SOURCE = tuple(
    f"tests/test_{name}.py"
    for name in ("glossary", "messages", "one_form_of_text", "punctuation", "rounding", "surface", "twins")
)
"""Who asks all of the source: it is parsed once by who runs them (tests/source.py)."""
FIRST = ("spark", "source", "test_page_in_browser")
"""What takes longest, begun first: else one worker is at it alone when the others have nothing left."""


@pytest.hookimpl(optionalhook=True)  # without xdist there is nothing to schedule
def pytest_xdist_auto_num_workers() -> int:
    """One more than cores: whoever has the tests of Spark mostly waits for Java."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file of tests goes to one worker, and files that share what is dear to the same: one Java machine is enough."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "spark" if any(name in file for name in SPARK) else "source" if file in SOURCE else file

        @cached_property
        def places(self) -> dict[str, int]:
            """Where a test stands among all: a list of 25,000 names is long to look through for each of them."""
            return {nodeid: place for place, nodeid in enumerate(self.collection)}

        def _assign_work_unit(self, node: Any) -> None:
            for name in FIRST:
                if first := next((scope for scope in self.workqueue if name in (scope, Path(scope).stem)), None):
                    self.workqueue.move_to_end(first, last=False)
                    break
            scope, unit = self.workqueue.popitem(last=False)
            self.assigned_work[node][scope] = unit
            node.send_runtest_some([self.places[nodeid] for nodeid, done in unit.items() if not done])

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """A file that is done is forgotten: whatever a worker has is counted again with each report."""
            assigned = self.assigned_work[node]
            scope = self._split_scope(self.registered_collections[node][item_index])
            if scope in assigned:
                super().mark_test_complete(node, item_index, duration)
                if all(assigned[scope].values()):
                    del assigned[scope]

    return ByFile(config, log)


# what was left out

LEFT = pytest.StashKey[Counter[str]]()
SHARE, FEWEST = 5, 10
SEARCHED = f"test-all: properties that tried one of {SHARE} of their examples, {FEWEST} at least"


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Counts the tests that were left out for the time they take, by who runs them and what they are."""
    for item in items if "not long" in items[0].config.option.markexpr else ():
        if left := _left_to(item):
            item.config.stash.setdefault(LEFT, Counter())[left] += 1


def _left_to(item: pytest.Item) -> str:
    """Which target runs it instead, and what it is; empty where it is left to none."""
    if long := item.get_closest_marker("long"):
        return f"{'test-ci' if long.kwargs.get('ci') else 'test-all'}: {long.args[0]}"
    if item.get_closest_marker("spark"):
        return "test-ci: on Spark"
    return f"test-ci: slow tests of {item.path.parent.name}" if item.get_closest_marker("slow") else ""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where long tests are left out, Hypothesis searches less far."""
    if "not long" not in config.option.markexpr:  # as `make test` and `make test-ci` ask
        return
    properties = {item.obj for item in items if is_hypothesis_test(getattr(item, "obj", None))}
    far = [test for test in properties if test._hypothesis_internal_use_settings.max_examples > FEWEST]
    for test in far:
        own = test._hypothesis_internal_use_settings
        test._hypothesis_internal_use_settings = settings(own, max_examples=max(FEWEST, -(-own.max_examples // SHARE)))
    if far:
        config.stash.setdefault(LEFT, Counter())[SEARCHED] = len(far)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # a worker of xdist, which prints nothing itself
        session.config.workeroutput["left"] = dict(session.config.stash.get(LEFT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: Any) -> None:
    if left := getattr(node, "workeroutput", {}).get("left"):
        node.config.stash[LEFT] = Counter(left)  # every worker has seen all tests


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left = config.stash.get(LEFT, None)
    if left:
        terminalreporter.section("left to make test-ci and make test-all")
        for kind, n in sorted(left.items()):
            terminalreporter.write_line(f"{n:5}  {kind}")
