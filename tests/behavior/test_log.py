"""Logs of any shape in, the same columns out."""

from __future__ import annotations

import datetime
import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from rankgauge.behavior import clean
from rankgauge.behavior.logs.columns import event_name, recognise_log
from rankgauge.behavior.logs.log import Log, read_log
from rankgauge.behavior.logs.ubi import read_ubi
from rankgauge.errors import InputError, ParameterError

EVENTS = [
    {
        "request_id": "r1",
        "query": "red shoes",
        "sku": "007",
        "pos": 1,
        "event": "Impression",
        "ts": "2026-01-01T10:00:00Z",
    },
    {"request_id": "r1", "query": "red shoes", "sku": "8", "pos": 2, "event": "exposure", "ts": "2026-01-01T10:00:00Z"},
    {
        "request_id": "r1",
        "query": "red shoes",
        "sku": "007",
        "pos": 1,
        "event": "add-to-cart",
        "ts": "2026-01-01T10:00:09Z",
    },
]


def rows(log: Log) -> list[dict]:
    return log.frame.collect().to_dicts()


def write(path: Path, records: list[dict]) -> Path:
    frame = pl.DataFrame(records)
    name = path.name.removesuffix(".gz")
    match Path(name).suffix:
        case ".csv":
            text = frame.write_csv().encode()
        case ".tsv":
            text = frame.write_csv(separator="\t").encode()
        case ".jsonl":
            text = frame.write_ndjson().encode()
        case ".json":
            text = json.dumps(records).encode()
        case ".arrow":
            frame.write_ipc(path)
            return path
        case _:
            frame.write_parquet(path)
            return path
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


NAMES = ["a.csv", "a.tsv", "a.jsonl", "a.json", "a.parquet", "a.arrow", "a.csv.gz", "a.jsonl.gz"]


@pytest.mark.parametrize("name", NAMES)
def test_every_format_gives_the_same_log(tmp_path: Path, name: str):
    log = read_log(write(tmp_path / name, EVENTS))

    assert log.kind == "events"
    assert log.rows == 3
    assert log.events == {"impression": 2, "cart": 1}
    got = rows(log)
    assert [r["item_id"] for r in got] == ["007", "8", "007"]  # the zeros stay
    assert [r["position"] for r in got] == [1, 2, 1]
    assert got[2]["time"] == datetime.datetime(2026, 1, 1, 10, 0, 9)
    assert [str(r["event"]) for r in got] == ["impression", "impression", "cart"]


def test_frames_of_any_library_and_lazy_frames():
    frame = pl.DataFrame(EVENTS)

    for source in (frame, frame.lazy(), frame.to_pandas(), frame.to_arrow()):
        assert read_log(source).events == {"impression": 2, "cart": 1}


def test_a_folder_and_a_list_of_files_are_one_log(tmp_path: Path):
    for i in range(2):
        pl.DataFrame(EVENTS).write_parquet(tmp_path / f"{i}.parquet")

    assert read_log(tmp_path).rows == 6
    assert read_log([tmp_path / "0.parquet", tmp_path / "1.parquet"]).rows == 6


def test_parts_below_a_folder_are_read_and_other_files_named(tmp_path: Path):
    (tmp_path / "day=1").mkdir()
    write(tmp_path / "a.csv", EVENTS)
    write(tmp_path / "day=1" / "b.csv.gz", EVENTS)
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / "README.md").write_text("read me\n")

    log = read_log(tmp_path)

    assert log.rows == 6
    assert "left out 1 file of the folder without a table: 'README.md'" in log.notes
    assert log.notes == read_log(str(tmp_path)).notes


def test_parquet_is_scanned_not_read(tmp_path: Path):
    path = write(tmp_path / "a.parquet", EVENTS)

    assert "Parquet SCAN" in read_log(path).frame.explain()


def test_the_name_is_that_of_the_file(tmp_path: Path):
    assert read_log(write(tmp_path / "shop.csv.gz", EVENTS)).name == "shop"


def test_notes_say_what_was_read_as_what_in_both_languages():
    notes = read_log(pl.DataFrame(EVENTS)).notes

    assert "read 'sku' as item_id" in notes
    assert any(n.of("zh") == "把列 'sku' 读作 item_id" for n in notes)


# events


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("view", "impression"),
        ("SHOW", "impression"),
        ("exposure", "impression"),
        ("曝光", "impression"),
        ("select", "click"),
        ("ATC", "cart"),
        ("add_to_cart", "cart"),
        ("order", "purchase"),
        ("conversion", "purchase"),
        ("return", "refund"),
        ("Wish List", "wish list"),
    ],
)
def test_event_names(raw: str, name: str):
    assert event_name(raw) == name


def test_unknown_events_keep_their_name_and_are_counted():
    records = [*EVENTS, {**EVENTS[0], "event": "hover"}, {**EVENTS[0], "event": "hover"}]

    log = read_log(pl.DataFrame(records))

    assert log.events == {"hover": 2, "impression": 2, "cart": 1}
    assert any("hover (2)" in n for n in log.notes)
    assert read_log(pl.DataFrame(records), events={"hover": "click"}).events["click"] == 2


# impression tables


def test_one_column_per_behaviour_in_any_spelling():
    frame = pl.DataFrame(
        {
            "session_id": [1, 1],
            "q": ["a", "b"],
            "doc_id": [5.0, None],
            "rank": ["1", "x"],
            "clicked": ["true", "False"],
            "added_to_cart": [0, 2],
            "bought": [None, True],
        }
    )

    log = read_log(frame)

    assert log.kind == "impressions"
    assert log.events == {"impression": 2, "click": 1, "cart": 1, "purchase": 1}
    got = rows(log)
    assert [r["request_id"] for r in got] == ["1|a", "1|b"]  # a session has a list per query
    assert [r["item_id"] for r in got] == [5, None]
    assert [r["position"] for r in got] == [1, None]
    assert [r["purchase"] for r in got] == [False, True]


def test_a_flag_that_is_none_is_refused():
    frame = pl.DataFrame({"user_id": ["u"], "item_id": ["i"], "click": ["perhaps"]})

    with pytest.raises(InputError, match="column 'click': click must hold true and false, or 0 and 1, got 'perhaps'"):
        read_log(frame)


def test_a_type_beside_clicks_is_no_event():
    log = read_log(pl.DataFrame({"user": ["u"], "item": ["i"], "type": ["book"], "click": [1]}))

    assert log.kind == "impressions"


def test_the_user_stands_for_the_query_where_nobody_asks():
    log = read_log(pl.DataFrame({"user_id": ["u"], "item_id": ["i"], "click": [1]}))

    assert rows(log)[0]["query_id"] == "u"
    assert any("each user is a query" in n for n in log.notes)


# positions, times, dwell


@pytest.mark.parametrize(
    ("given", "base", "wanted"),
    [
        ([0.0, 1.0, 2.0], "auto", [1, 2, 3]),
        ([1, 2, 3], "auto", [1, 2, 3]),
        ([2, 3, 4], "auto", [2, 3, 4]),
        ([0, 1, 2], 1, [None, 1, 2]),
        ([1, 2, 3], 0, [2, 3, 4]),
        ([-1.0, 1.5, float("nan")], "auto", [None, None, None]),
        ([float("inf"), 1.0, None], "auto", [None, 1, None]),
    ],
)
def test_positions_start_from_one(given: list, base, wanted: list):
    frame = pl.DataFrame(
        {"user_id": ["u"] * 3, "item_id": list("abc"), "click": [0] * 3, "position": given}, strict=False
    )

    assert [r["position"] for r in rows(read_log(frame, position_base=base))] == wanted


def test_shifted_positions_are_said():
    frame = pl.DataFrame({"user_id": ["u"], "item_id": ["a"], "click": [0], "position": [0]})

    assert any(n.startswith("positions start from 0: 1 was added") for n in read_log(frame).notes)
    with pytest.raises(ParameterError, match="`position_base` must be 'auto', 0 or 1, got 2"):
        read_log(frame, position_base=2)


NOON = datetime.datetime(2026, 1, 1, 12)
SECONDS = 1_767_268_800


@pytest.mark.parametrize(
    "value",
    [
        SECONDS,
        SECONDS * 1000,
        SECONDS * 1_000_000,
        SECONDS * 1_000_000_000,
        float(SECONDS),
        str(SECONDS),
        "2026-01-01T12:00:00Z",
        "2026-01-01 12:00:00.000000+00:00",
        "2026-01-01T20:00:00+08:00",
        "2026-01-01 12:00:00",
        "2026/01/01 12:00",
        NOON,
        NOON.replace(tzinfo=datetime.UTC),
    ],
    ids=str,
)
def test_times_in_any_form(value):
    frame = pl.DataFrame({"user_id": ["u"], "item_id": ["a"], "click": [0], "time": [value]})

    assert rows(read_log(frame))[0]["time"] == NOON


def test_formats_of_time_may_be_mixed():
    texts = ["2026-01-01T12:00:00Z", "2026-01-01 12:00:00", None]
    frame = pl.DataFrame({"user_id": ["u"] * 3, "item_id": ["a"] * 3, "click": [0] * 3, "time": texts})

    assert [r["time"] for r in rows(read_log(frame))] == [NOON, NOON, None]


def test_a_time_that_is_none():
    frame = pl.DataFrame({"user_id": ["u"], "item_id": ["a"], "click": [0], "time": ["soon"]})

    with pytest.raises(InputError, match=r"time must be a time such as .*, got 'soon'"):
        read_log(frame)
    log = read_log(frame.rename({"time": "day"}))
    assert "time" not in log.columns
    assert "left out 'day': it holds no times" in log.notes


def test_dwell_in_seconds_and_milliseconds():
    frame = pl.DataFrame(
        {"user_id": ["u"] * 3, "item_id": list("abc"), "click": [1] * 3, "dwell_ms": [1500.0, -1.0, None]}
    )

    assert [r["dwell"] for r in rows(read_log(frame))] == [1.5, None, None]
    assert rows(read_log(frame.rename({"dwell_ms": "dwell_time"})))[0]["dwell"] == 1500


# columns


def test_columns_of_the_caller_come_first_and_segments_stay():
    frame = pl.DataFrame({"who": ["u"], "what": ["a"], "click": [1], "kind": ["book"], "position": [3]})

    log = read_log(frame, columns={"who": "user_id", "what": "item_id", "kind": "segment", "position": "ignore"})

    assert log.segments == ("kind",)
    assert rows(log)[0] == {"user_id": "u", "item_id": "a", "kind": "book", "click": True, "query_id": "u"}


@pytest.mark.parametrize(
    ("columns", "names", "error", "message"),
    [
        ({}, ["user_id", "click"], InputError, "columns missing from log: 'item_id' .*Found: 'user_id', 'click'"),
        ({}, ["item_id", "click"], InputError, "columns missing from log: 'query_id'"),
        ({}, ["item_id", "query_id", "event"], InputError, "'request_id' .which list an event belongs to"),
        ({}, ["item_id", "user_id"], InputError, "'event' .impression, click, …., or one column per behaviour"),
        ({}, ["sku", "asin", "user_id", "click"], InputError, "'sku' and 'asin' could both be item_id. Pass columns="),
        ({"x": "item"}, ["x"], ParameterError, "'x' must map to one of .*got 'item'. Did you mean item_id"),
        ({"item_id": "x"}, ["x"], ParameterError, 'Pass columns={"x": "item_id"}'),
        ({"y": "item_id"}, ["x"], InputError, "`columns` names 'y', found: 'x'"),
        ({"x": "item_id", "y": "item_id"}, ["x", "y"], ParameterError, "'x' and 'y' both map to 'item_id'"),
    ],
)
def test_columns_that_cannot_be(columns: dict, names: list[str], error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        recognise_log(names, columns)


def test_what_is_no_log(tmp_path: Path):
    with pytest.raises(InputError, match="a log must be a file, a folder, a list of files or a table, got int"):
        read_log(7)
    with pytest.raises(InputError, match=r"log 'none.csv' does not exist"):
        read_log(tmp_path / "none.csv")
    (tmp_path / "one.csv").write_text("abc\n1\n")
    with pytest.raises(InputError, match="line 1: expected names of columns separated by comma"):
        read_log(tmp_path / "one.csv")
    with pytest.raises(InputError, match="has no rows"):
        read_log(pl.DataFrame(EVENTS).clear())


# real data


def test_ubi_events_of_three_applications(shared: Path):
    folder = shared / "ubi_events_synthetic"

    log = read_ubi(folder / "ubi_events.json.gz", folder / "ubi_queries.json.gz")

    assert log.rows == 3_555
    assert (log.events["impression"], log.events["click"]) == (2_051, 342 + 11)  # with the item clicks of the demo
    frame = log.frame.collect()
    assert frame["time"].null_count() == 0  # both formats
    assert frame["position"].min() == 1
    assert frame.filter(pl.col("event") == "impression")["position"].null_count() == 0  # no 0 is left
    assert "portable charger" in frame["query_id"].to_list()
    assert frame.filter(pl.col("event") == "on_search")["query_id"][0] == "handbag"  # the message of the search
    assert any("Chorus, esci_ubi_sample start from 0" in n for n in log.notes)


def test_ubi_is_told_by_its_content(shared: Path):
    path = shared / "ubi_events_synthetic" / "ubi_events.json.gz"

    assert read_log(path).events == read_ubi(path).events
    with pytest.raises(InputError, match="UBI events must have action_name, query_id and event_attributes"):
        read_ubi(pl.DataFrame(EVENTS))


def test_retrotech_sessions(shared: Path):
    log = read_log(shared / "retrotech_sessions" / "dryer_sessions.gz")

    assert (log.kind, log.rows) == ("impressions", 100_000)
    first = log.frame.head(1).collect().row(0, named=True)
    assert (first["request_id"], first["item_id"], first["position"]) == ("2|dryer", "12505451713", 1)
    assert "048231011402" in log.frame.select("item_id").collect()["item_id"].to_list()


def test_open_bandit_is_one_query(shared: Path):
    log = read_log(shared / "open_bandit_men" / "random" / "men" / "men.csv.gz")

    assert log.events == {"impression": 10_000, "click": 46}
    assert any("all rows are one query" in n for n in log.notes)
    assert log.frame.select(pl.col("propensity").max()).collect().item() == pytest.approx(1 / 34)


@pytest.mark.parametrize("size", [10, 1 << 20, (1 << 20) + 1])
def test_bytes_that_are_not_utf8_name_their_line_wherever_they_stand(tmp_path: Path, size: int):
    path = tmp_path / "log.csv"
    rows = b"r1,q,a,1,click\n" * -(-size // 15)
    path.write_bytes(b"request_id,query_id,item_id,position,event\n" + rows + b"r2,\xe6\x9f,b,1,click\n")

    with pytest.raises(
        InputError, match=rf"log 'log.csv', line {rows.count(b'r1') + 2}: text must be UTF-8, got .*0xe6"
    ):
        read_log(path)


def test_letters_across_pieces_of_a_file_are_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rankgauge.data.formats.table._PIECE", 7)
    path = tmp_path / "log.csv"
    path.write_text("request_id,query_id,item_id,position,event\nr1,查询,商品,1,click\n", encoding="utf-8")

    assert read_log(path).events == {"click": 1}
    path.write_bytes(path.read_bytes()[: -len("品,1,click\n".encode())] + b"\xe5")
    with pytest.raises(InputError, match="line 2: ends in the middle of a letter"):
        read_log(path)


def test_parquet_that_is_cut_off_is_an_input_error(tmp_path: Path):
    path = tmp_path / "log.parquet"
    pl.DataFrame({"request_id": ["r"], "query_id": ["q"], "item_id": ["a"], "event": ["click"]}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-9])

    with pytest.raises(InputError, match=r"log 'log\.parquet' cannot be read"):
        read_log(path)


def test_columns_must_be_a_mapping():
    with pytest.raises(ParameterError, match="`columns` must map names of the input to roles, got 'x'"):
        read_log(pl.DataFrame({"item_id": ["a"]}), columns="x")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_of_a_log_are_no_rows(tmp_path: Path, end: str):
    lines = ["request_id,query_id,item_id,position,event", "r1,q,a,1,impression", "r1,q,a,1,click"]
    (tmp_path / "plain.csv").write_text(end.join(lines), encoding="utf-8", newline="")
    (tmp_path / "blank.csv").write_text((end * 3).join(lines) + end * 4, encoding="utf-8", newline="")

    plain, blank = (read_log(tmp_path / name) for name in ("plain.csv", "blank.csv"))

    assert blank.events == plain.events == {"click": 1, "impression": 1}
    assert blank.frame.collect().equals(plain.frame.collect())


def test_json_lines_with_a_byte_order_mark_are_read(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"request_id": "r", "query_id": "q", "item_id": "a", "event": "click"}\n', encoding="utf-8-sig")

    assert read_log(path).events == {"click": 1}


@pytest.mark.parametrize("line", ["r1,q,a,1,click,more,fields", '"r1,q,a'])
def test_rows_that_are_no_rows_are_errors_when_the_log_is_read_or_cleaned(tmp_path: Path, line: str):
    path = tmp_path / "log.csv"
    path.write_text(f"request_id,query_id,item_id,position,event\nr1,q,a,1,impression\n{line}\n", encoding="utf-8")

    with pytest.raises(InputError, match="log 'log"):
        clean(path)


def test_a_line_of_json_that_is_no_object_is_an_input_error(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    path.write_text(
        '{"request_id": "r", "query_id": "q", "item_id": "a", "event": "impression"}\n0\n', encoding="utf-8"
    )

    with pytest.raises(InputError, match="log 'log"):
        clean(path)


def test_blanks_around_numbers_are_no_part_of_them(tmp_path: Path):
    (tmp_path / "a.csv").write_text("request_id,query,sku,pos,event\nr,q,a, 1,click\nr,q,b,2 ,click\n")

    assert [row["position"] for row in rows(read_log(tmp_path / "a.csv"))] == [1, 2]


def test_a_date_beyond_all_calendars_is_an_error():
    table = {"request_id": ["r"], "user_id": ["u"], "query": ["q"], "sku": ["a"], "pos": [1], "click": [1]}
    frame = pl.DataFrame({**table, "time": pl.Series([2**31 - 1], dtype=pl.Int32).cast(pl.Date)})

    with pytest.raises(InputError, match="log 'log' cannot be read: out-of-range date"):
        clean(frame)


JOINED = (
    "request_id,query_id,item_id,position,event,time\nr1,q,a,1,impression,1790000000\rr1,q,b,2,impression,1790000000\n"
)


def test_two_lines_that_became_one_are_refused_whichever_columns_are_read(tmp_path: Path):
    (tmp_path / "log.csv").write_bytes(JOINED.encode())

    with pytest.raises(
        InputError, match=r"log 'log\.csv', line 2: a carriage return must stand at the end of a line, "
    ):
        read_log(tmp_path / "log.csv")


def test_a_quoted_separator_is_no_further_field(tmp_path: Path):
    (tmp_path / "log.csv").write_text(JOINED.replace("\r", "\n").replace("q,a", '"q,1",a'))

    assert rows(read_log(tmp_path / "log.csv"))[0]["query_id"] == "q,1"


def test_two_spellings_of_one_column_are_refused(tmp_path: Path):
    row = {"request_id": "r1", "query_id": "q", "item_id": "a", "position": 1, "event": "impression"}
    other = {"ite m_id" if name == "item_id" else name: value for name, value in row.items()}
    (tmp_path / "log.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps(other)}\n")

    with pytest.raises(InputError, match="columns 'item_id' and 'ite m_id' could both be item_id"):
        read_log(tmp_path / "log.jsonl")


@pytest.mark.parametrize("cell", [17900, "17900"])
def test_a_number_that_is_no_time_of_our_days_is_told(cell: int | str):
    times = [1790000000, 1790000001, cell]
    log = read_log(
        pl.DataFrame(
            {
                "request_id": ["r1"] * 3,
                "query_id": ["q"] * 3,
                "item_id": ["a", "b", "c"],
                "event": ["impression"] * 3,
                "time": times if isinstance(cell, int) else [str(t) for t in times],
            }
        )
    )

    assert "1 value of 'time' (such as 17900) is no time from 1990 to 2100, as others are" in log.notes


def test_json_lines_whose_values_are_of_several_kinds_are_an_input_error(tmp_path: Path):
    row = {
        "request_id": "r1",
        "query_id": "q",
        "item_id": "a",
        "position": 1,
        "event": "impression",
        "time": 1790000000,
    }
    lines = [json.dumps(row), json.dumps({**row, "time": {"d01": 1}})]
    (tmp_path / "log.jsonl").write_text("\n".join(lines))

    with pytest.raises(InputError, match=r"log 'log' cannot be read|time must be"):
        assert clean(read_log(tmp_path / "log.jsonl")).impressions is None


@pytest.mark.parametrize("odd", [{"a": 1}, ["a"], [1], [], {}])
def test_a_list_or_an_object_among_the_ids_of_json_lines_is_no_id(tmp_path: Path, odd):
    """Polars writes it out where it stands among texts, and a query of that name would be everybody's."""
    shown = [
        {"request_id": f"r{i}", "query_id": q, "item_id": "a", "position": 1, "click": 0}
        for i, q in enumerate(["q", odd])
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in shown))

    assert [row["query_id"] for row in rows(read_log(path))] == ["q", None]
    counted = {rule.rule: rule.rows for rule in clean(read_log(path)).rules}
    assert counted["incomplete"] == 1


def test_braces_and_brackets_are_letters_of_ids_elsewhere(tmp_path: Path):
    ids = ["{3F2504E0-4F89-41D3-9A0C-0305E82C3301}", "[12]"]
    pl.DataFrame({"request_id": ids, "query_id": ids, "item_id": ids, "position": [1, 1], "click": [0, 1]}).write_csv(
        tmp_path / "l.csv"
    )

    assert [row["query_id"] for row in rows(read_log(tmp_path / "l.csv"))] == ids
