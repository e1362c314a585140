"""Clean TREC files read as bytes give the rows that the general reader gives, or are left to it."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.data import Qrels, Run
from rankgauge.data.clean_trec import TrecText, open_text
from rankgauge.data.digits import decimals as read_decimals
from rankgauge.data.digits import words_of
from rankgauge.data.formats import read
from rankgauge.errors import InputError

WORDS = st.text("abcdefgh0123456789-_.文档é", min_size=1, max_size=20)
NUMBERS = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.tuples(st.integers(-(10**7), 10**7), st.integers(0, 7)).map(lambda nd: f"{nd[0] / 10 ** nd[1]:.{nd[1]}f}"),
)


def rows_of(text: TrecText) -> list[tuple[str, str, float]]:
    names = np.repeat(np.array(text.names, dtype=object), text.lengths)
    return list(zip(names, text.ids(slice(None)), text.value.tolist(), strict=True))


def general(path: Path, kind: str) -> list[tuple[str, str, float]]:
    value = "score" if kind == "run" else "grade"
    return read(path, kind, format="trec").frame.select("query_id", "doc_id", value).rows()


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(st.tuples(WORDS, WORDS, NUMBERS, WORDS), min_size=1, max_size=30), end=st.booleans())
def test_same_rows_as_the_general_reader(tmp_path_factory, lines, end) -> None:
    path = tmp_path_factory.mktemp("t") / "x.run"
    body = "\n".join(f"{q} Q0 {d} {i} {s} {t}" for i, (q, d, s, t) in enumerate(sorted(lines), 1))
    path.write_text(body + "\n" * end, encoding="utf-8")

    text = open_text(path, "run")

    if text is not None:
        assert rows_of(text) == general(path, "run")


def test_a_clean_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("q1 Q0 doc-1 1 2.5 t\nq1 Q0 文档2 2 -0.125 t\nq2 Q0 a 1 3 t\n", encoding="utf-8")

    text = open_text(path, "run")

    assert text is not None
    assert rows_of(text) == [("q1", "doc-1", 2.5), ("q1", "文档2", -0.125), ("q2", "a", 3.0)]
    assert text.last_field() == "t"


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b.replace(b" Q0 ", b"  Q0 ", 1),  # two blanks
        lambda b: b.replace(b"\n", b"\r\n"),
        lambda b: b"\xef\xbb\xbf" + b,
        lambda b: b"# a comment with five words\n" + b,
        lambda b: b.replace(b"0.5", b"5e-1", 1),
        lambda b: b.replace(b"0.5", b"nan", 1),
        lambda b: b.replace(b"0.5", b"9.1234567890123456789", 1),
        lambda b: b.replace(b"0.5", b".5", 1),
        lambda b: b + b"\n",  # a blank line
        lambda b: b + b"q1 Q0 late 9 0.1 t\n",  # the query comes back
        lambda b: b.replace(b" t\n", b" t more\n", 1),
        lambda b: b.replace(b" t\n", b"\n", 1),
        lambda b: b.replace(b"d2", b"d\x012", 1),
        lambda b: b.replace(b"d2", b"\xff2", 1),
        lambda b: b.replace(b" 1 ", b" x ", 1),
    ],
)
def test_anything_unusual_is_left_to_the_general_reader(tmp_path: Path, change) -> None:
    path = tmp_path / "x.run"
    path.write_bytes(change(b"q1 Q0 d1 1 0.75 t\nq1 Q0 d2 2 0.5 t\nq2 Q0 d1 1 0.5 t\n"))

    assert open_text(path, "run") is None


def test_a_malformed_file_still_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("q1 Q0 d1 1 0.75 t\nq1 Q0 d2 2 high t\n")

    with pytest.raises(InputError, match=r"line 2: score must be a number, got 'high'"):
        Run.read(path)


def decimals(tokens: list[str]) -> list[float] | None:
    data = " ".join(tokens).encode() + b" "
    buffer = np.frombuffer(b"\n" * 32 + data + b"\n" * 32, np.uint8)
    end = np.flatnonzero(buffer == 32)
    got = read_decimals(buffer, words_of(buffer), np.concatenate(([32], end[:-1] + 1)), end)
    return None if got is None else got.tolist()


@settings(max_examples=300, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=40))
def test_decimals_are_what_float_reads(tokens) -> None:
    assert decimals(tokens) == [float(t) for t in tokens]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(-(10**17), 10**17), min_size=1, max_size=200), st.integers(1, 17))
def test_long_decimals_are_what_float_reads(numbers, places) -> None:
    tokens = [f"{'-' * (n < 0)}{abs(n) // 10**places}.{abs(n) % 10**places:0{places}}" for n in numbers]

    got = decimals(tokens)

    assert got is None or got == [float(t) for t in tokens]
    assert got is not None or np.finfo(np.longdouble).nmant != 63


def test_scores_as_python_prints_them_are_what_float_reads() -> None:
    rng = np.random.default_rng(5)
    values = [*rng.random(5000), *rng.normal(0, 30, 5000), *rng.normal(9, 4, 5000).astype(np.float32).astype(float)]
    tokens = [t for t in map(repr, map(float, values)) if "e" not in t]

    assert decimals(tokens) in (list(map(float, tokens)), None)


def test_decimals_halfway_between_two_doubles_are_what_float_reads() -> None:
    # 2^53 + 1, 2^54 + 2 … lie exactly between doubles; one digit more decides
    halfway = [(2**k + 2 ** (k - 53)) for k in (53, 54, 55, 56)]
    tokens = [f"{n}.{tail}" for n in halfway for tail in ("0", "1")]
    tokens += [f"{n - 1}.9" for n in halfway]

    assert decimals(tokens) in ([float(t) for t in tokens], None)


@pytest.mark.parametrize("token", ["1e5", "nan", "abc", "1.2.3", "-", ".5", "1-2", "12:4", "+3", "0x1", "１"])
def test_other_ways_to_write_a_number_are_left_alone(token: str) -> None:
    assert decimals(["1.5", token]) is None


def test_long_files_are_read_in_pieces_that_join(tmp_path: Path, monkeypatch) -> None:
    from rankgauge.data import clean_trec as trec_text

    lines = [f"q{q:03} Q0 doc{q * d % 977} {d} {1000 / d:.4f} tag" for q in range(1, 41) for d in range(1, 30)]
    path = tmp_path / "long.run"
    path.write_text("\n".join(lines) + "\n")
    whole = open_text(path, "run")
    monkeypatch.setattr(trec_text, "_CHUNK", 701)

    pieces = open_text(path, "run")

    assert whole is not None
    assert pieces is not None
    assert rows_of(pieces) == rows_of(whole) == general(path, "run")
    assert pieces.names == whole.names
    assert (pieces.hash == whole.hash).all()


def test_gzip_is_taken_too(tmp_path: Path) -> None:
    path = tmp_path / "x.qrels.gz"
    path.write_bytes(gzip.compress(b"q1 0 d1 2\nq1 0 d2 -1\n"))

    text = open_text(path, "qrels")

    assert text is not None
    assert rows_of(text) == [("q1", "d1", 2.0), ("q1", "d2", -1.0)]


def test_judgements_by_subtopic_keep_their_column(tmp_path: Path) -> None:
    path = tmp_path / "x.qrels"
    path.write_text("q1 1 d1 1\nq1 2 d1 0\n")

    assert open_text(path, "qrels") is None
    assert Qrels.read(path).has_groups


def test_repeated_judgements_are_left_to_be_settled(tmp_path: Path) -> None:
    path = tmp_path / "x.qrels"
    path.write_text("q1 0 d1 1\nq1 0 d2 0\nq1 0 d1 1\n")

    qrels = Qrels.read(path)

    assert qrels.text is None
    settled = qrels.settled()
    assert (settled.duplicates, len(settled)) == (1, 2)


@pytest.mark.slow
def test_real_files_give_the_same_rows(shared: Path) -> None:
    taken = 0
    for path in sorted(shared.glob("*/*.run*")) + sorted(shared.glob("trec_eval_test/results*")):
        if path.name.endswith(".eval.gz"):
            continue
        text = open_text(path, "run")
        if text is not None:
            taken += 1
            assert rows_of(text) == general(path, "run"), path.name
    assert taken >= 5


def test_subtopics_that_change_between_pieces_are_seen(tmp_path: Path, monkeypatch) -> None:
    from rankgauge.data import clean_trec as trec_text

    path = tmp_path / "x.qrels"
    path.write_text("".join(f"q1 {i // 40} d{i} 1\n" for i in range(80)))
    monkeypatch.setattr(trec_text, "_CHUNK", len("q1 0 d10 1\n") * 40 - 12)

    assert open_text(path, "qrels") is None


@pytest.mark.parametrize("n_lines", [3, 300_000])
def test_a_long_query_before_a_short_last_line_is_read(tmp_path: Path, n_lines: int) -> None:
    path = tmp_path / "x.run"
    path.write_text("".join(f"{'q' * 90} Q0 d{i} 1 5 t\n" for i in range(n_lines)) + "r Q0 a 1 5 t\n")

    text = open_text(path, "run")

    assert text is not None
    assert text.names == ["q" * 90, "r"]


def test_every_flipped_bit_of_a_gzip_file_is_an_input_error_or_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "run.txt.gz"
    rows = b"".join(b"q%d Q0 d%d 1 %d.5 t\n" % (i % 3, i, i) for i in range(30))
    whole = gzip.compress(rows, mtime=0)
    path.write_bytes(whole)
    expected = rg.read_run(path).to_dict()

    for bit in range(0, 8 * len(whole), 3):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            got = rg.read_run(path).to_dict()
        except InputError:
            continue
        assert got == expected
