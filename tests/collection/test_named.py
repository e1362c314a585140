"""Retrievers by their names: what a name may stand for, and what is said where it stands for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankgauge._text import zh
from rankgauge.collection.named import retriever_named
from rankgauge.errors import InputError, ParameterError
from rankgauge.integrations.retrievers import recognised

MODULE = """
import beside_it

def find(query, k=10):
    return ["d1"]

class Searcher:
    def __call__(self, query):
        return ["d2"]

class Needy:
    def __init__(self, path):
        pass

def make():
    return find

def breaks():
    raise OSError("no index")

searcher = Searcher()
TABLE = {"a": 1}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "here_search.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "beside_it.py").write_text("", encoding="utf-8")
    (tmp_path / "wrong_search.py").write_text("import nowhere_to_be_found\n", encoding="utf-8")
    (tmp_path / "broken_search.py").write_text("1 / 0\n", encoding="utf-8")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "deep.py").write_text("def find(query):\n    return ['d9']\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    return tmp_path


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("here_search:find", "d1"),
        ("here_search.py:find", "d1"),
        ("here_search:searcher", "d2"),
        ("here_search:Searcher", "d2"),
        ("here_search:make", "d1"),
        ("here_search:searcher.__call__", "d2"),
        ("inner/deep.py:find", "d9"),
        ("inner.deep:find", "d9"),
    ],
)
def test_a_name_is_a_function_an_object_or_what_makes_one(folder: Path, word: str, first: str):
    found = retriever_named(word)

    assert recognised(found) is not None
    assert found("how?") == [first]


@pytest.mark.parametrize(
    ("word", "en", "chinese"),
    [
        ("here_search", "must be named as module:object, got 'here_search'", "必须写成 module:object 的形式"),
        (":find", "must be named as module:object", "必须写成 module:object 的形式"),
        ("here_search:fnd", "'here_search' has no 'fnd'. Did you mean find?", "中没有 'fnd'"),
        ("no_such_module:x", "there is no module 'no_such_module'", "没有模块 'no_such_module'"),
        ("no_such.py:x", "the file 'no_such.py' does not exist", "不存在"),
        (
            "wrong_search:x",
            "could not be loaded: ModuleNotFoundError: No module named 'nowhere_to_be_found'",
            "无法加载",
        ),
        ("broken_search:x", "could not be loaded: ZeroDivisionError: division by zero", "无法加载"),
        ("here_search:TABLE", "a function without parameters that makes one; got dict", "实际为 dict"),
        ("here_search:Needy", "got the class Needy, which needs arguments", "创建它需要参数"),
        ("here_search:breaks", "could not be made: OSError: no index", "无法创建"),
    ],
)
def test_what_a_name_cannot_stand_for_is_said(folder: Path, word: str, en: str, chinese: str):
    with pytest.raises((InputError, ParameterError)) as e:
        retriever_named(word)

    assert en in e.value.text
    assert chinese in zh(e.value.text)


def test_a_folder_has_its_own_module_of_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "twice_named.py").write_text(f"def find(query):\n    return ['{name}']\n", encoding="utf-8")
        monkeypatch.chdir(tmp_path / name)
        assert retriever_named("twice_named:find")("how?") == [name]
