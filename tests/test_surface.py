"""What the package shows to the outside, and how its parts depend on each other."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import rankgauge as rg
from source import SOURCE, kinds_of, modules, texts

MODULES = sorted(m.name for m in pkgutil.walk_packages([str(SOURCE)], "rankgauge.") if not m.name.endswith("__main__"))
HEAVY = (
    *("polars", "scipy", "numpy", "pandas", "rich", "click", "rich_click", "pyarrow", "duckdb", "msgspec", "pyspark"),
    "sqlite3",
)


def as_ruff_sorts(name: str) -> tuple[int, str]:
    """Constants, then classes, then everything else."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def test_all_names_are_sorted_and_there():
    assert rg.__all__ == sorted(rg.__all__, key=as_ruff_sorts)
    assert len(set(rg.__all__)) == len(rg.__all__)
    assert {name for name in rg.__all__ if not hasattr(rg, name)} == set()
    assert dir(rg) == sorted(rg.__all__)


def test_all_is_complete():
    """Every name that can be had from the package is in its list, and the other way round."""
    typed = {
        alias.asname or alias.name
        for node in modules()["__init__.py"][ast.ImportFrom]
        if (node.module or "").startswith("rankgauge")
        for alias in node.names
        if node.module != "rankgauge._lazy"  # how names load is no name
    }

    assert set(rg.__all__) == {*rg._HOME, "__version__"} == typed


def test_names_that_are_promised():
    promised = {
        *("read_qrels", "read_run", "evaluate", "Evaluation", "measures", "explain", "parse", "measure"),
        *("Qrels", "Run", "Measure", "Policy", "CONVENTIONS", "audit", "errors"),
    }

    assert promised <= set(rg.__all__)


def test_unknown_name():
    with pytest.raises(AttributeError, match="module 'rankgauge' has no attribute 'evalute'"):
        rg.evalute  # noqa: B018


LAZY = ["rankgauge", *(name for name in MODULES if hasattr(importlib.import_module(name), "_HOME"))]


@pytest.mark.parametrize("package", LAZY)
def test_names_that_load_on_first_use_are_listed_and_stay(package: str):
    module = importlib.import_module(package)
    listed = sorted(module.__all__)
    by_name = {name for name in dir(module) if name not in listed}

    assert set(module._HOME) <= set(listed)
    assert dir(module) == sorted({*listed, *by_name})
    assert by_name == ({m.name for m in rg.measures()} if package == "rankgauge.measures" else set())
    for name in module._HOME:
        assert getattr(module, name) is vars(module)[name]  # the second use does not come by here
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_one_module_knows_how_names_load_on_first_use():
    own = {
        path.as_posix() for path in files() if re.search(r"^def __getattr__\(", texts()[path.as_posix()], re.MULTILINE)
    }

    assert own == set()


def test_the_extra_all_has_what_every_other_extra_of_users_has():
    extras = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]

    assert extras["all"] == [f"rankgauge[{','.join(sorted(set(extras) - {'all', 'test', 'dev'}))}]"]


@pytest.mark.parametrize("name", MODULES)
def test_modules_list_names_that_exist(name: str):
    module = importlib.import_module(name)

    assert {n for n in getattr(module, "__all__", ()) if not hasattr(module, n)} == set()


def loaded_after(code: str) -> set[str]:
    """Which of the heavy packages a fresh Python has loaded after running the code."""
    script = f"import sys\n{code}\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy():
    assert loaded_after("import rankgauge") == set()


def test_evaluating_dicts_needs_numpy_only():
    code = "import rankgauge as rg; print(rg.evaluate({'q': ['a']}, {'q': ['b', 'a']}, 'nDCG@10')['nDCG@10'])"

    assert loaded_after(code) - {"0.6309297535714575"} == {"numpy"}


def test_measures_need_numpy_only():
    assert loaded_after("import rankgauge.measures, rankgauge.alignment") == {"numpy"}


# layers: a row may import those above it and its own, never those below

LAYERS = [
    {
        *(
            "errors",
            "_language",
            "_lazy",
            "_show",
            "_words",
            "_checks",
            "_output",
            "_version",
            "_rendered",
            "_text",
            "_claims",
        ),
        *("_records", "_plain_data"),
        *(
            "_memory",
            "_numbers",
            "_piped",
            "_forked",
            "_unpacked",
            "_rng",
            "_progress",
            "_typing",
            "_kept",
            "_renamed",
            "_wrapping",
            "_web",
        ),
    },
    {"statistics"},
    {"data"},
    {"protocols"},
    {"integrations.retrievers"},
    {"collection"},
    {"alignment"},
    {"measures"},
    {
        f"evaluation.{room}"
        for room in ("counts", "policy_fields", "record", "stored_shapes", "rankings", "predictions", "funnel")
    },
    {"engines"},
    {"evaluation"},  # the verbs: they choose the engine, and no engine knows them
    {"comparison"},
    {"experiments"},
    {"behavior"},
    {"calibration"},
    {"diagnosis"},
    {"gate"},
    {"history"},
    {"reporting"},
    {"project"},
    {"web"},
    {"cli", "integrations", "__main__"},
]
ALONE = {"demo"}  # makes data for the others, needs none of them
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def files() -> list[Path]:
    return [Path(name) for name in texts() if name != "__init__.py"]


def folder(path: Path) -> str:
    """The room that a file is in: a folder, or a part of one that has a row of its own."""
    return room_of(path.with_suffix("").parts)


def room_of(parts: Sequence[str]) -> str:
    inner = ".".join(parts[:2])
    return inner if inner in LEVEL else parts[0]


@cache
def imports(path: Path, *, types: bool = True) -> list[str]:
    """Full names of what a file imports, also inside functions; `types=False` leaves out those for types only."""
    return list(_imports(path, types))


def _imports(path: Path, types: bool) -> Iterator[str]:
    parts = modules()[path.as_posix()]
    for_types = {
        id(inner)
        for node in parts.get(ast.If, ())
        if ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in (node for kind in (ast.Import, ast.ImportFrom, ast.Call) for node in parts.get(kind, ())):
        if not types and id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif str(getattr(node.func, "id", getattr(node.func, "attr", ""))).endswith("import_module"):
            yield ast.unparse(node.args[0]).lstrip("f").strip("'\"").replace("{__name__}", ".".join(home(path)))


def home(path: Path) -> list[str]:
    """The package that a file is of."""
    return ["rankgauge", *path.parts[:-1]]


def of_the_package(names: Iterable[str]) -> set[str]:
    """`rankgauge.data.run.Run` -> data."""
    return {room_of(name.split(".")[1:]) for name in names if name.startswith("rankgauge.")}


def test_every_file_has_a_layer():
    assert {folder(path) for path in files()} == set(LEVEL) | ALONE


DOOR = Path("_rendered.py")  # records reach what is made of them through it, by name and on use


@pytest.mark.parametrize("path", [p for p in files() if p != DOOR], ids=str)
def test_layers(path: Path):
    used = of_the_package(imports(path))

    if folder(path) in ALONE:
        assert used <= {folder(path), "errors", "_show", "_text", "_output"}
    elif folder(path) == "cli":
        assert used <= set(LEVEL) | ALONE | {"__version__"}
    else:
        below = {name for name in used if LEVEL.get(name, len(LAYERS)) > LEVEL[folder(path)]}
        assert below == set()


TABLES = {Path("alignment", "from_columns.py"), Path("alignment", "from_numbers.py")}  # the ways in from tables


@pytest.mark.parametrize(
    "path", [p for p in files() if folder(p) in ("alignment", "measures") and p not in TABLES], ids=str
)
def test_measures_and_alignments_know_no_frames(path: Path):
    outside = {name.split(".")[0] for name in imports(path, types=False)}

    assert outside & set(HEAVY) <= {"numpy"}


@pytest.mark.parametrize("path", [p for p in files() if folder(p) == "measures"], ids=str)
def test_measures_know_no_files(path: Path):
    assert of_the_package(imports(path)) <= {
        "alignment",
        "measures",
        "errors",
        "_checks",
        "_lazy",
        "_records",
        "_show",
        "_text",
        "_words",
        "_claims",
        "_numbers",
        "_typing",
        "statistics",
    }


# documentation


@pytest.mark.parametrize("name", [name for name in MODULES if name != "rankgauge._version"])
def test_modules_say_what_they_are(name: str):
    assert importlib.import_module(name).__doc__, name


NAMES = [name for name in rg.__all__ if inspect.isclass(getattr(rg, name)) or inspect.isfunction(getattr(rg, name))]


@pytest.mark.parametrize("name", NAMES)
def test_public_functions_and_classes_have_docstrings(name: str):
    assert vars(getattr(rg, name))["__doc__"] if inspect.isclass(getattr(rg, name)) else getattr(rg, name).__doc__


@pytest.mark.parametrize("cls", rg.measures.REGISTRY.values(), ids=lambda cls: cls.name)
def test_measures_have_docstrings(cls: type[rg.Measure]):
    assert vars(cls).get("__doc__")
    assert cls.question.endswith("?")
    assert cls.formula


METHODS = sorted(
    f"{name}.{method}"
    for name in rg.__all__
    if inspect.isclass(getattr(rg, name))
    for method, thing in vars(getattr(rg, name)).items()
    if not method.startswith("_") and (callable(thing) or isinstance(thing, (classmethod, staticmethod)))
)
OBVIOUS = {"Alignment.sum", "Alignment.count", "Policy.to_dict"}  # said by the name


@pytest.mark.parametrize("method", METHODS)
def test_public_methods_have_docstrings(method: str):
    owner, _, name = method.partition(".")

    assert inspect.getdoc(getattr(getattr(rg, owner), name)) or method in OBVIOUS


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str):
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    for test in examples_of(name):
        runner.run(test)

    assert runner.failures == 0


@cache
def examples_of(name: str) -> list[doctest.DocTest]:
    """Docstrings with examples: running those without, too, looks at every file that Python has read for each."""
    return [test for test in doctest.DocTestFinder().find(importlib.import_module(name)) if test.examples]


def test_there_are_examples_to_run():
    assert sum(len(test.examples) for name in MODULES for test in examples_of(name)) >= 30


# types: what comes out of the public functions

PACKAGES = ["rankgauge", *(m.name for m in pkgutil.walk_packages([str(SOURCE)], "rankgauge.") if m.ispkg)]
EXPORTED = {name for package in PACKAGES for name in getattr(importlib.import_module(package), "__all__", ())}
SHOWN = [rg, rg.behavior, rg.experiments, rg.measures]

# on the way to a number, or what a record keeps to answer later; nobody is meant to make one or look inside
INNER = {
    *("Activity", "Catalogue", "Chart", "CollectTable", "Joint", "Parts", "PolicyTable", "Shown", "Summary", "Totals"),
    *("CountedRows", "Facts", "GroupSums", "RowSums", "Whole"),  # what a measure of labels and scores is made from
}


def public_functions() -> Iterator[tuple[str, object]]:
    """Functions, and methods and properties of classes, that a user can reach by public names."""
    for module in SHOWN:
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isfunction(found):
                yield f"{module.__name__}.{name}", found
            elif inspect.isclass(found):
                yield from ((f"{found.__name__}.{method}", f) for method, f in methods_of(found))


def methods_of(cls: type) -> Iterator[tuple[str, object]]:
    for base in cls.__mro__:
        for name, found in vars(base).items() if base.__module__.startswith("rankgauge") else ():
            inner = getattr(found, "__func__", None) or getattr(found, "fget", None) or getattr(found, "func", found)
            if not name.startswith("_") and inspect.isfunction(inner):
                yield name, inner


def returned(function: object) -> str:
    return str(inspect.get_annotations(function).get("return", ""))  # type: ignore[arg-type]


RETURNED = sorted({(name, returned(f)): f for name, f in public_functions()}.items(), key=lambda x: x[0])


def test_nothing_public_returns_anything():
    vague = {name: kind for (name, kind), _ in RETURNED if kind in ("", "Any") or re.search(r"\bAny \||\| Any\b", kind)}

    assert vague == {}


# whose keywords are the parameters of something that is known only when it is called
OPEN = {
    "Definition.replace",  # those of the measure
    "ClickModel.given",  # those of the model
    "History.add",  # your own words
}


def test_nothing_public_takes_any_keyword():
    """Type checkers and editors know every keyword that people type: `**options: Unpack[…]`, never `Any`."""
    vague = {}
    for name, function in public_functions():
        inner = inspect.unwrap(function)  # type: ignore[arg-type]
        for p in inspect.signature(inner).parameters.values():
            if p.kind is p.VAR_KEYWORD and "Unpack[" not in str(p.annotation):
                vague[inner.__qualname__] = (name, str(p))

    assert set(vague) == OPEN


PASSED_ON = [
    ("reporting.figures.plotting:PlotOptions", rg.plot, {"record", "kind", "path"}),
    ("reporting.page.writing:ReportOptions", rg.report, {"record", "path"}),
    ("diagnosis.diagnosing:DiagnoseOptions", rg.diagnose, {"subject"}),
    ("diagnosis.ratings:RateOptions", rg.rate, {"subject", "scenario"}),
    ("evaluation.rankings.answers:AnswerOptions", rg.answers, {"ev", "correct", "retrieved"}),
    ("evaluation.rankings.by_item_group:GroupOptions", rg.by_item_group, {"ev", "groups", "cutoffs"}),
    ("collection.collecting:CollectOptions", rg.collect, {"queries", "retriever", "k", "name"}),
    ("data.spans:SpanOptions", rg.Spans, {"given"}),
    ("data.chunks:ChunkOptions", rg.Chunks, {"given"}),
    ("data.table:FileOptions", rg.Run.read, {"path"}),
    ("history.trend:TrendOptions", rg.trend, {"history"}),
    ("history.history:EntryWords", rg.History.entries, {"self", "newest_first", "limit", "skip"}),
]


@pytest.mark.parametrize(
    ("options", "function", "positional"), PASSED_ON, ids=lambda x: x if isinstance(x, str) else ""
)
def test_what_is_passed_on_is_what_is_taken(options: str, function: object, positional: set[str]):
    place, _, name = options.partition(":")
    known = set(getattr(importlib.import_module(f"rankgauge.{place}"), name).__annotations__)
    taken = set(inspect.signature(function).parameters) - positional  # type: ignore[arg-type]
    if "options" in taken:  # plot: those of its charts
        from rankgauge.reporting.figures.plotting import KINDS

        drawn = {p for kind in KINDS.values() for p in list(inspect.signature(kind.draw).parameters)[1:]}
        taken = taken - {"options"} | drawn

    assert known == taken


def test_pairs_and_finished_evaluations_take_keywords_of_compare():
    from rankgauge.comparison.comparing import CompareOptions, PairOptions, every_pair

    taken = set(inspect.signature(rg.compare).parameters)
    assert set(PairOptions.__annotations__) == set(inspect.signature(every_pair).parameters) - {
        "evaluations",
        "measures",
    }
    assert set(CompareOptions.__annotations__) <= taken
    assert set(PairOptions.__annotations__) < set(inspect.signature(rg.sweep).parameters)


@pytest.mark.parametrize(("gate", "fields"), [("config", "GateFields"), ("prediction_config", "PredictionGateFields")])
def test_flags_of_a_gate_are_its_rules_and_its_other_fields(gate: str, fields: str):
    module = importlib.import_module(f"rankgauge.gate.{gate}")
    cls = rg.Gate if gate == "config" else rg.PredictionGate
    rules = {"floors", "bounds", "non_inferior", "ceilings", "slices"}

    assert set(getattr(module, fields).__annotations__) == set(cls.__struct_fields__) - rules


def test_tables_of_records_take_what_their_writers_take():
    from rankgauge import reporting
    from rankgauge._records import HOMES
    from rankgauge._rendered import RenderOptions

    writers = [
        getattr(reporting._module(kind), f"{way}_{kind}", None) for kind in HOMES for way in ("sections_of", "latex_of")
    ]
    taken = {p for write in writers if write for p in list(inspect.signature(write).parameters)[1:]}

    assert set(RenderOptions.__annotations__) == taken | {"language"}


def test_what_is_returned_is_exported():
    hidden = {}
    for (name, kind), function in RETURNED:
        for word in set(re.findall(r"\b[A-Z]\w+", kind)):
            found = named_in(inspect.getmodule(function), word)
            is_ours = inspect.isclass(found) and found.__module__.startswith("rankgauge")
            if is_ours and word not in EXPORTED | INNER:
                hidden[name] = word

    assert hidden == {}


def test_what_records_hold_is_exported():
    hidden = {}
    for cls in {getattr(m, name) for m in SHOWN for name in m.__all__ if inspect.isclass(getattr(m, name))}:
        for base in cls.__mro__:
            for name, kind in vars(base).get("__annotations__", {}).items():
                for word in set(re.findall(r"\b[A-Z]\w+", str(kind))) if not name.startswith("_") else ():
                    found = named_in(sys.modules[base.__module__], word)
                    is_ours = inspect.isclass(found) and found.__module__.startswith("rankgauge")
                    if is_ours and word not in EXPORTED | INNER:
                        hidden[f"{cls.__name__}.{name}"] = word

    assert hidden == {}


def named_in(module: object, word: str) -> object:
    """What a module means by a name in its annotations, also where it is imported for types only."""
    if word in vars(module):  # type: ignore[call-overload]
        return vars(module)[word]  # type: ignore[call-overload]
    for node in kinds_of(inspect.getsource(module)).get(ast.ImportFrom, ()):  # type: ignore[arg-type]
        if word in {alias.asname or alias.name for alias in node.names}:
            return getattr(importlib.import_module(str(node.module)), word, None)
    return None


def test_a_former_name_works_for_one_version_and_says_so():
    with pytest.warns(DeprecationWarning, match=r"rankgauge.Sweep is now ThresholdSweep; the former name goes") as said:
        found = rg.Sweep

    assert found is rg.ThresholdSweep
    assert said[0].filename == __file__
    assert "Sweep" not in dir(rg)
