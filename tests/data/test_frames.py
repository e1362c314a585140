"""Any table to the canonical frame: exact ids, exact numbers, errors with rows."""

import subprocess
import sys
import textwrap
from functools import partial

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankgauge.data import Run
from rankgauge.data.frames import canonical, is_frame, to_polars
from rankgauge.errors import InputError

run_frame, qrels_frame = partial(canonical, "run"), partial(canonical, "qrels")
RUN = {"query_id": ["问1", "问1", "007"], "doc_id": ["文档#1", 'd"x', "001"], "score": [2.5, 1.0, -0.5]}
ROWS = [("问1", "文档#1", 2.5), ("问1", 'd"x', 1.0), ("007", "001", -0.5)]


class ArrowOnly:
    """A table from a library nobody has heard of."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def duckdb_relation():
    table = pa.table(RUN)
    return duckdb.connect().from_arrow(table)


MAKERS = {
    "polars": lambda: pl.DataFrame(RUN),
    "polars lazy": lambda: pl.LazyFrame(RUN),
    "pandas": lambda: pd.DataFrame(RUN),
    "pandas object": lambda: pd.DataFrame(RUN, dtype=object),
    "pandas indexed": lambda: pd.DataFrame(RUN).set_index(["query_id", "doc_id"]),
    "pandas categorical": lambda: pd.DataFrame(RUN).astype({"query_id": "category", "doc_id": "category"}),
    "pandas arrow": lambda: pa.table(RUN).to_pandas(types_mapper=pd.ArrowDtype),
    "pyarrow": lambda: pa.table(RUN),
    "pyarrow reader": lambda: pa.table(RUN).to_reader(),
    "duckdb": duckdb_relation,
    "arrow stream": lambda: ArrowOnly(pa.table(RUN)),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_every_table_gives_the_same_canonical_run(make):
    assert is_frame(make())
    frame, notes = run_frame(make())

    assert frame.rows() == ROWS
    assert frame.schema == {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}
    assert notes == ()


def test_frame_that_speaks_only_the_interchange_protocol_is_read():
    class Interchange:
        def __init__(self, frame):
            self.frame = frame

        def __dataframe__(self, *args, **kwargs):
            return self.frame.__dataframe__(*args, **kwargs)

    assert to_polars(Interchange(pa.table(RUN))).rows() == ROWS


def test_unknown_object_is_an_error_that_says_what_can_be_passed():
    assert not is_frame({"q": {"d": 1}})
    with pytest.raises(InputError, match=r"cannot read builtins.int as a table. Pass a pandas"):
        to_polars(3)


@pytest.mark.parametrize(
    "dtype",
    [pl.Int8, pl.Int64, pl.UInt64, pl.UInt8, pl.Int128, pl.Decimal(20, 0), pl.Float64, pl.Float32],
    ids=str,
)
def test_whole_number_ids_become_their_digits(dtype):
    frame, _ = run_frame(
        pl.DataFrame({"query_id": pl.Series([1, 20]).cast(dtype), "doc_id": ["a", "b"], "score": [1, 2]})
    )

    assert frame["query_id"].to_list() == ["1", "20"]


def test_large_integer_ids_keep_every_digit():
    big = [2**63 - 1, 2**63 + 1, 2**64 - 1]
    expected = [str(b) for b in big]
    unsigned = pl.Series(big, dtype=pl.UInt64)
    frames = [
        pl.DataFrame({"query_id": unsigned, "doc_id": unsigned, "score": [1, 2, 3]}),
        pd.DataFrame({"query_id": np.array(big, np.uint64), "doc_id": np.array(big, np.uint64), "score": [1, 2, 3]}),
        pd.DataFrame({"query_id": big, "doc_id": big, "score": [1, 2, 3]}, dtype=object),
    ]

    assert [run_frame(f)[0]["doc_id"].to_list() for f in frames] == [expected] * 3


def test_pandas_integers_as_floats_become_whole_number_text():
    frame, _ = qrels_frame(pd.DataFrame({"qid": [1.0, 2.0], "docid": [10.0, 11.0], "rel": [1, 0]}))

    assert frame.rows() == [("1", "10", 1.0), ("2", "11", 0.0)]


def test_pandas_integers_that_met_a_missing_value_name_the_row():
    with pytest.raises(InputError, match=r"qrels, row 2: doc_id must not be missing, got nan"):
        qrels_frame(pd.DataFrame({"qid": [1, 2], "docid": [10, None], "rel": [1, 0]}))


@pytest.mark.parametrize("value", [1.5, 2.0**53, 1e300])
def test_float_id_that_is_not_an_exact_whole_number_is_an_error(value):
    with pytest.raises(InputError, match=r"row 2: doc_id .*an id must be text or a whole number"):
        run_frame(pl.DataFrame({"qid": ["a", "b"], "doc": [1.0, value], "score": [1, 2]}))


@pytest.mark.parametrize("ids", [[True, False], [[1], [2]], [1.25, None]], ids=str)
def test_ids_of_other_types_are_errors(ids):
    with pytest.raises(InputError, match="doc_id"):
        run_frame(pl.DataFrame({"qid": ["a", "b"], "doc_id": ids, "score": [1, 2]}))


def test_missing_and_empty_ids_are_errors_that_count():
    with pytest.raises(InputError, match=r"run, row 1: doc_id must not be missing, got nothing. 1 more") as e:
        run_frame(pl.DataFrame({"qid": ["a", "b", "c"], "doc_id": [None, "x", None], "score": [1, 2, 3]}))
    assert len(e.value.problems) == 2

    with pytest.raises(InputError, match=r"row 2: query_id must not be empty"):
        run_frame(pl.DataFrame({"qid": ["a", ""], "doc_id": ["x", "y"], "score": [1, 2]}))


def test_mixed_text_and_integer_ids_in_pandas_become_text():
    frame, _ = run_frame(pd.DataFrame({"qid": ["q", 7], "doc_id": [1, "01"], "score": [1, 2]}))

    assert frame.rows() == [("q", "1", 1.0), ("7", "01", 2.0)]


def test_enum_and_categorical_ids_become_text():
    frame = pl.DataFrame({"query_id": ["甲", "乙"], "doc_id": ["d", "e"], "score": [1, 2]}).with_columns(
        pl.col("query_id").cast(pl.Enum(["甲", "乙"])), pl.col("doc_id").cast(pl.Categorical)
    )

    assert run_frame(frame)[0].rows() == [("甲", "d", 1.0), ("乙", "e", 2.0)]


def test_numeric_text_scores_are_converted_and_said():
    frame, notes = run_frame(pl.DataFrame({"query_id": ["a", "a"], "doc_id": ["x", "y"], "score": ["1.5", " 1e-5 "]}))

    assert frame["score"].to_list() == [1.5, 1e-5]
    assert notes == ("score was text: read as numbers",)


def test_other_text_scores_are_errors_with_row_value_and_count():
    data = {"query_id": list("aaaa"), "doc_id": list("wxyz"), "score": ["1", "nan?", "abc", "１"]}

    with pytest.raises(InputError, match=r"run, row 2: score must be a number, got 'nan\?'. 2 more like it"):
        run_frame(pl.DataFrame(data))


def test_null_score_is_an_error_and_nan_passes():
    data = {"query_id": ["a", "a"], "doc_id": ["x", "y"]}
    with pytest.raises(InputError, match=r"row 2: score must be a number, got nothing"):
        run_frame(pl.DataFrame({**data, "score": [1.0, None]}))

    for table in (pl.DataFrame, pd.DataFrame, pa.table):
        frame, _ = run_frame(table({**data, "score": [float("nan"), float("-inf")]}))
        assert np.isnan(frame["score"][0])
        assert frame["score"][1] == float("-inf")


@pytest.mark.parametrize("bad", [None, float("nan"), float("inf")])
def test_grade_that_is_not_a_finite_number_is_an_error(bad):
    with pytest.raises(InputError, match="qrels, row 2: grade must be"):
        qrels_frame(pl.DataFrame({"query_id": ["a", "a"], "doc_id": ["x", "y"], "grade": [1.0, bad]}))


def test_boolean_grades_are_one_and_zero():
    frame, _ = qrels_frame(pl.DataFrame({"query_id": ["a", "a"], "doc_id": ["x", "y"], "label": [True, False]}))

    assert frame["grade"].to_list() == [1.0, 0.0]


def test_run_by_rank_gets_negative_ranks_as_scores():
    frame, _ = run_frame(pl.DataFrame({"qid": ["a", "a"], "doc": ["x", "y"], "rank": [1, 2]}))

    assert frame.columns == ["query_id", "doc_id", "score", "rank"]
    assert frame["score"].to_list() == [-1.0, -2.0]
    with pytest.raises(InputError, match=r"row 2: rank .*a rank must be a whole number"):
        run_frame(pl.DataFrame({"qid": ["a", "a"], "doc": ["x", "y"], "rank": [1.0, 2.5]}))


@pytest.mark.parametrize(
    ("ranks", "kept"), [([2, 1], [2, 1]), ([1, None], None), ([1, 2**53], None), ([1, -(2**53)], None)]
)
def test_ranks_that_are_whole_numbers_stay_so(ranks: list[int | None], kept: list[int] | None):
    rows = {"query_id": ["a", "a"], "doc_id": ["x", "y"], "score": [2.0, 1.0], "rank": ranks}
    frame, notes = run_frame(pl.DataFrame(rows))

    assert (frame["rank"].to_list() if "rank" in frame.columns else None) == kept
    assert bool(notes) == (kept is None)


def test_unusable_rank_beside_a_score_is_left_out_and_said():
    frame, notes = run_frame(pl.DataFrame({"query_id": ["a"], "doc_id": ["x"], "score": [1], "rank": ["first"]}))

    assert frame.columns == ["query_id", "doc_id", "score"]
    assert notes == ("left out 'rank': not whole numbers throughout",)


def test_only_the_needed_columns_of_a_wide_frame_are_converted():
    wide = pd.DataFrame({**RUN, "vector": [object(), object(), object()]})

    assert run_frame(wide)[0].rows() == ROWS


def test_repeated_column_names_are_an_error():
    with pytest.raises(InputError, match="column names must differ, got 'score'"):
        run_frame(pd.DataFrame([["a", "x", 1, 2]], columns=["query_id", "doc_id", "score", "score"]))


def test_arguments_come_back_unchanged():
    frame = pd.DataFrame(RUN)
    before = frame.copy(deep=True)
    run_frame(frame)

    pd.testing.assert_frame_equal(frame, before)


def test_pandas_without_pyarrow_is_read_column_by_column():
    code = """
        import sys
        sys.modules["pyarrow"] = None
        import pandas as pd
        from rankgauge.data.frames import canonical
        ids = ["文档", "007"]
        frame = pd.DataFrame({"qid": [1, 2**60 + 1], "doc": ids, "c": pd.Categorical(["u", "v"])})
        frame["score"] = [1.5, float("nan")]
        got, _ = canonical("run", frame)
        assert got["doc_id"].to_list() == ["文档", "007"], got
        assert got["query_id"].to_list() == ["1", "1152921504606846977"], got
        assert str(got["score"].to_list()) == "[1.5, nan]", got
        got, _ = canonical("run", frame, {"c": "doc_id"})
        assert got["doc_id"].to_list() == ["u", "v"], got
        frame = frame.astype({"qid": "Int64", "score": "Float64"}).head(1)
        assert canonical("run", frame)[0].rows() == [("1", "文档", 1.5)]
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=60)


def test_reading_a_polars_frame_imports_no_other_table_library():
    code = """
        import sys, polars as pl
        from rankgauge.data.frames import canonical
        canonical("run", pl.DataFrame({"query_id": ["a"], "doc_id": ["x"], "score": [1.0]}))
        assert not {"pandas", "pyarrow", "duckdb"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=60)


@pytest.mark.parametrize("odd", [np.array([1.0]), [1.0], 10**400, 1j])
def test_a_score_that_is_no_single_number_is_an_error_that_names_the_column(odd):
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": pd.Series([0.5, odd], dtype=object)})

    with pytest.raises(InputError, match="run, column 'score': score must be numbers, got a column of type"):
        run_frame(frame)


def test_a_scalar_of_numpy_is_the_number_it_holds():
    values = [np.array(1.5), np.float32(0.5), np.int8(2)]
    frame = pd.DataFrame({"query_id": ["q"] * 3, "doc_id": list("abc"), "score": pd.Series(values, dtype=object)})

    assert run_frame(frame)[0]["score"].to_list() == [1.5, 0.5, 2.0]


@pytest.mark.parametrize("odd", [0.5, float("inf"), -float("inf")])
def test_a_measurement_among_text_ids_is_an_error(odd):
    frame = pd.DataFrame({"query_id": pd.Series(["q", odd], dtype=object), "doc_id": ["a", "b"], "score": [1.0, 2.0]})

    with pytest.raises(InputError, match="run, column 'query_id': query_id must be text or whole numbers"):
        run_frame(frame)


def test_a_whole_float_among_text_ids_is_its_digits():
    frame = pd.DataFrame({"query_id": pd.Series(["q", 7.0], dtype=object), "doc_id": ["a", "b"], "score": [1.0, 2.0]})

    assert run_frame(frame)[0]["query_id"].to_list() == ["q", "7"]


def test_half_a_character_is_an_error_that_names_the_column():
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "\udcff"], "score": [1.0, 2.0]}, dtype=object)

    with pytest.raises(InputError, match="column 'doc_id': text must be Unicode, got"):
        run_frame(frame)


@pytest.mark.parametrize("odd", [True, np.True_, 1e308, 2.0**53])
def test_what_is_no_id_among_texts_is_refused_as_in_a_dict(odd):
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": pd.Series(["a", odd], dtype=object), "score": [2.0, 1.0]})

    with pytest.raises(InputError, match="doc_id must be text or whole numbers"):
        run_frame(frame)
    with pytest.raises(InputError, match="an id must be text or an integer"):
        Run.of({"q": {"a": 2.0, odd: 1.0}}).to_frame()


def test_whole_floats_among_texts_stay_ids():
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": pd.Series(["a", 7.0], dtype=object), "score": [2.0, 1.0]})

    assert run_frame(frame)[0]["doc_id"].to_list() == ["a", "7"]


def test_a_number_as_an_array_without_axes_is_no_list():
    score = pd.Series([np.array(1.5)], dtype=object)
    frame = pd.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": score})

    assert Run.of(frame).to_dict() == {"q": {"d": 1.5}}
