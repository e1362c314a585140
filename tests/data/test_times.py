"""Times of logs and predictions: in one unit, in a format that can be read, or counted and said."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.behavior import judgements, read_log, read_ubi
from rankgauge.data.times import mixed_units, order_of
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.splits import split_rows

SECONDS, THOUSANDTHS = 1_577_836_800, 1_577_836_800_000  # the first of January 2020


def log_of(times: list[Any], name: str = "time") -> pl.DataFrame:
    n = len(times)
    shown = {"request_id": range(n), "query_id": ["q"] * n, "item_id": ["a"] * n, "position": [1] * n, "click": [1] * n}
    return pl.DataFrame({**shown, name: times})


def times_of(log: Any, **options: Any) -> list[datetime | None]:
    return read_log(log, **options).frame.select("time").collect().to_series().to_list()


def predictions(times: Any, name: str = "time", *, as_frame: bool, **options: Any) -> rg.Predictions:
    given = {"label": [1, 0] * (len(times) // 2), "score": [0.1] * len(times), name: times}
    return rg.Predictions.of(pl.DataFrame(given) if as_frame else given, **options)


both = pytest.mark.parametrize("as_frame", [True, False], ids=["frame", "mapping"])

# logs


def test_times_of_a_log_that_cannot_be_read_are_counted():
    log = read_log(log_of(["2020-01-01", "yesterday", "2020-01-03", "soon", None, *["2020-01-02"] * 40]))

    assert "2 values of 'time' cannot be read as a time (such as 'soon' in row 4): no time for those rows" in log.notes
    assert log.frame.select(pl.col("time").null_count()).collect().item() == 3


def test_count_of_unread_times_reaches_the_judgements():
    others = log_of(["2020-01-01"] * 19 + ["never"]).with_columns(item_id=pl.lit("b"), click=pl.lit(0, pl.Int64))
    frame = pl.concat([log_of(["2020-01-01"] * 20), others])
    found = judgements(frame, {"click": 1}, prior=(1, 1))

    assert any("1 value of 'time' cannot be read as a time" in note for note in found.notes)


def test_numbers_written_as_text_that_are_no_numbers_are_counted():
    log = read_log(log_of([str(SECONDS)] * 1000 + ["junk"]))

    assert any("1 value of 'time' cannot be read as a time (such as 'junk' in row 1,001)" in note for note in log.notes)


def test_format_that_comes_after_the_first_thousand_rows_is_read():
    found = times_of(log_of(["2020-01-01"] * 1000 + ["2020-01-02T03:04:05Z"]))

    assert found[-1] == datetime(2020, 1, 2, 3, 4, 5)


def test_infinite_times_are_counted_and_missing_ones_are_not():
    log = read_log(log_of([float(SECONDS), float("nan"), float("inf"), *[float(SECONDS)] * 30]))

    assert [n for n in log.notes if "no time" in n] == [
        "1 value of 'time' cannot be read as a time (such as 'inf' in row 3): no time for that row"
    ]


@pytest.mark.parametrize("cast", [int, float, str])
@pytest.mark.parametrize(
    ("numbers", "form"),
    [
        ([20260921141742, 20260922000000], "%Y%m%d%H%M%S"),
        ([202609211417, 202609220000], "%Y%m%d%H%M"),
        ([20260921, 19700101], "%Y%m%d"),
    ],
)
def test_dates_written_as_numbers_are_those_dates(numbers: list[int], form: str, cast: Any):
    log = read_log(log_of([*map(cast, numbers), None]))

    found = log.frame.select("time").collect().to_series().to_list()
    assert found == [*(datetime.strptime(str(n), form) for n in numbers), None]
    said = {8: "YYYYMMDD", 12: "YYYYMMDDhhmm", 14: "YYYYMMDDhhmmss"}[len(str(numbers[0]))]
    assert f"numbers of 'time' read as {said}" in log.notes


@pytest.mark.parametrize("odd", [20261341, 18991231, 21010101, 20260921.5, 1, 202609211417])
def test_numbers_of_which_one_is_no_such_date_are_seconds_or_parts_of_them(odd: float):
    log = read_log(log_of([20260921.0, odd]))

    assert not any("YYYYMMDD" in note for note in log.notes)


def test_dates_written_as_numbers_split_predictions_in_their_order():
    days = [20260131, 20260201, 20251231, 20260115] * 10
    rows = {"label": [0, 1] * 20, "score": [0.3, 0.6] * 20, "time": days}

    for as_frame in (True, False):
        found = split_rows(rg.Predictions.of(pl.DataFrame(rows) if as_frame else rows), "time")

        assert {days[i] for i in found.fit} == {20251231, 20260115}
        assert found.cut == "20260131"


def test_one_text_among_numbers_is_named_with_its_row():
    times = [str(SECONDS + i) for i in range(10)]

    with pytest.raises(InputError, match=r"got 1 of 10 that cannot be read as the others are, such as '昨天' in row 4"):
        read_log(log_of([*times[:3], "昨天", *times[4:]]))
    log = read_log(log_of([*times * 3, "昨天"]))
    assert "1 value of 'time' cannot be read as a time (such as '昨天' in row 31): no time for that row" in log.notes
    assert times_of(log_of([*times * 3, "昨天"]))[:1] == [datetime(2020, 1, 1)]


@pytest.mark.parametrize("first", [0, 1], ids=["texts first", "numbers first"])
def test_times_half_in_texts_and_half_in_numbers_are_refused(first: int):
    halves = [["2020-01-01T00:00:00Z"] * 50, [str(SECONDS)] * 50]

    with pytest.raises(InputError, match=r"got 50 of 100 that cannot be read as the others are"):
        read_log(log_of(halves[first] + halves[1 - first]))


@pytest.mark.parametrize("cast", [int, float, str])
def test_seconds_mixed_with_milliseconds_in_a_log_are_refused(cast: Any):
    with pytest.raises(InputError, match="time must be in one unit, got seconds and milliseconds since 1970"):
        read_log(log_of([cast(SECONDS), cast(THOUSANDTHS)]))


@pytest.mark.parametrize("per_second", [1, 1_000, 1_000_000, 1_000_000_000])
def test_each_unit_by_itself_is_read(per_second: int):
    assert times_of(log_of([SECONDS * per_second, 0]))[0] == datetime(2020, 1, 1)


@pytest.mark.parametrize("name", ["time", "date"])
def test_date_that_may_begin_with_day_or_month_is_refused_in_a_log(name: str):
    with pytest.raises(InputError, match='"time day-first"} or "time month-first"'):
        read_log(log_of(["01/02/2020", "03/04/2020"], name))


def test_what_comes_first_can_be_said():
    log = log_of(["01/02/2020", "03.04.2020 10:30", "05-06-2020T07:08:09"], "date")

    assert times_of(log, columns={"date": "time day-first"}) == [
        datetime(2020, 2, 1),
        datetime(2020, 4, 3, 10, 30),
        datetime(2020, 6, 5, 7, 8, 9),
    ]
    assert times_of(log, columns={"date": "time month-first"})[0] == datetime(2020, 1, 2)


def test_a_day_above_12_anywhere_in_the_log_tells():
    log = read_log(log_of(["01/02/2020"] * 1500 + ["13/02/2020"]))

    assert log.frame.select("time").head(1).collect().item() == datetime(2020, 2, 1)
    assert "dates of 'time' begin with the day" in log.notes


def test_dates_of_both_kinds_are_refused():
    with pytest.raises(InputError, match="must say whether dates begin with the day or the month"):
        read_log(log_of(["13/02/2020", "02/13/2020"]))


def test_timestamps_of_ubi_that_cannot_be_read_are_counted():
    event = {"action_name": "click", "query_id": "r1", "event_attributes": {"object": {"object_id": "d1"}}}
    log = read_ubi(pl.DataFrame([{**event, "timestamp": t} for t in ("2020-01-01T00:00:00Z", "?", str(THOUSANDTHS))]))

    assert "1 timestamp cannot be read: no time for those rows" in log.notes


# predictions


@both
def test_times_of_predictions_that_cannot_be_read_are_an_error_with_their_count(as_frame: bool):
    with pytest.raises(InputError, match=r"got 1 of 2 that are none, such as 'yesterday' \(row 2\)"):
        predictions(["2020-01-01", "yesterday"], as_frame=as_frame)


@both
def test_column_of_dates_that_nobody_asked_for_is_left_out_with_the_count(as_frame: bool):
    found = predictions(["2020-01-01", "yesterday"], "date", as_frame=as_frame)

    assert found.time is None
    assert "got 1 of 2 that are none" in found.notes[-1]


@both
@pytest.mark.parametrize("cast", [int, float, str])
def test_seconds_mixed_with_milliseconds_in_predictions_are_refused(as_frame: bool, cast: Any):
    with pytest.raises(InputError, match="time must be in one unit, got seconds and milliseconds since 1970"):
        predictions([cast(SECONDS), cast(THOUSANDTHS)], as_frame=as_frame)


@both
def test_date_that_may_begin_with_day_or_month_is_refused_in_predictions(as_frame: bool):
    with pytest.raises(InputError, match="must say whether dates begin with the day or the month, got '01/02/2020'"):
        predictions(["01/02/2020", "03/04/2020"], as_frame=as_frame)


@both
def test_what_comes_first_can_be_said_of_predictions(as_frame: bool):
    day, month = (
        predictions(["01/02/2020", "03/04/2020"], "date", as_frame=as_frame, columns={"date": f"time {order}"}).time
        for order in ("day-first", "month-first")
    )

    assert day is not None
    assert month is not None
    assert day.astype("datetime64[D]").tolist() == [datetime(2020, 2, 1).date(), datetime(2020, 4, 3).date()]
    assert month.astype("datetime64[D]").tolist() == [datetime(2020, 1, 2).date(), datetime(2020, 3, 4).date()]


@both
def test_a_day_above_12_tells_and_is_said(as_frame: bool):
    found = predictions(["01/02/2020", "13/04/2020"], as_frame=as_frame)

    assert found.time is not None
    assert found.time.astype("datetime64[D]").tolist()[0] == datetime(2020, 2, 1).date()
    assert "dates of 'time' begin with the day" in found.notes


def test_order_is_said_of_times_only():
    with pytest.raises(ParameterError, match="'date' must be 'time day-first' or 'time month-first'"):
        predictions(["01/02/2020", "03/04/2020"], "date", as_frame=True, columns={"date": "group day-first"})


def test_formats_may_be_mixed():
    found = predictions(["2020-01-01", "2020-01-02T10:00:00Z"], as_frame=True)

    assert found.time is not None
    assert (found.time[1] - found.time[0]).astype("timedelta64[h]").astype(int) == 34


# the pieces


def test_order_is_told_by_a_number_above_12():
    assert [order_of(13, 12), order_of(12, 13), order_of(12, 12), order_of(13, 13)] == [
        "day-first",
        "month-first",
        None,
        None,
    ]


def test_units_are_told_by_times_of_our_days_only():
    assert mixed_units(np.array([0, 5, SECONDS])) == []
    assert mixed_units(np.array([14_102_100, 20_141_021])) == []
    assert mixed_units(np.array([SECONDS, SECONDS * 10**6])) == [1, 10**6]
    assert mixed_units(np.array([np.nan, np.inf, float(SECONDS)])) == []


# headers


@pytest.mark.parametrize("read", [read_log, rg.read_predictions, rg.read_run])
def test_name_that_two_columns_have_is_an_error_that_names_both(tmp_path: Path, read: Any):
    (tmp_path / "t.csv").write_text("query_id,doc_id,score,label,position,click,score\n1,2,3,1,1,0,5\n1,3,2,0,2,1,6\n")

    with pytest.raises(InputError, match="column names must differ, got 'score' for columns 3 and 7"):
        read(tmp_path / "t.csv")


def test_slices_with_a_name_twice_are_an_error_that_names_both(tmp_path: Path):
    (tmp_path / "s.csv").write_text("query_id,lang,lang\nq,de,en\n")

    with pytest.raises(InputError, match=r"'s\.csv', line 1: column names must differ, got 'lang' for columns 2 and 3"):
        rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR", slices=tmp_path / "s.csv")


def test_texts_with_a_name_twice_are_an_error_that_names_both(tmp_path: Path):
    from rankgauge.data.document_texts import read_texts

    (tmp_path / "d.csv").write_text("doc_id,title,title\na,b,c\n")

    with pytest.raises(InputError, match="column names must differ, got 'title' for columns 2 and 3"):
        read_texts(tmp_path / "d.csv", ["a"])


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_frames_with_a_name_twice_are_an_error_that_names_both(library: str):
    module = pytest.importorskip(library)
    names, rows = ["query_id", "doc_id", "score", "score"], [["q"], ["a"], [0.1], [0.2]]
    frame = (
        module.DataFrame(dict(enumerate(rows))).set_axis(names, axis=1)
        if library == "pandas"
        else module.table([module.array(r) for r in rows], names=names)
    )
    for read in (rg.Run.of, lambda f: rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR", slices=f), read_log):
        with pytest.raises(InputError, match="column names must differ, got 'score' for columns 3 and 4"):
            read(frame)


def test_a_year_of_three_digits_is_no_date():
    """024-05-31 was read as a day of the year 24, before all others."""
    days = [f"2024-05-{day}" for day in range(10, 31)]
    rows = {"label": [0, 1] * 11, "score": [0.1, 0.9] * 11, "time": [*days, "024-05-31"]}

    with pytest.raises(InputError, match=r"got 1 of 22 that are none, such as '024-05-31' \(row 22\)"):
        rg.evaluate_predictions(rows, "AUC")
    assert rg.evaluate_predictions({**rows, "time": [*days, "2024-05-31"]}, "AUC")["AUC"] == 1
