"""Every rule against a loop over rows that says the same, and the counters against the rows."""

from __future__ import annotations

import datetime
import json
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankgauge.behavior.cleaning import parts as cleaning_parts
from rankgauge.behavior.cleaning.clean import Cleaned, Cleaning, clean
from rankgauge.behavior.cleaning.dwell import PRESETS, Dwell, dwell_rule, dwell_thresholds
from rankgauge.behavior.grading.pair_counts import count_pairs
from rankgauge.behavior.logs.log import read_log
from rankgauge.behavior.logs.ubi import read_ubi
from rankgauge.errors import InputError, ParameterError, UnknownName

START = datetime.datetime(2026, 1, 1, 23, 59, 30)  # events of one minute are on two days
BEHAVIOURS = ("click", "cart", "purchase", "refund")
SCHEMA = {
    "request_id": pl.String,
    "query_id": pl.String,
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Float64,
    "event": pl.String,
    "time": pl.Datetime("us"),
    "dwell": pl.Float64,
}


def frame_of(rows: list[dict]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMA)


def event(request="r", item="a", name="impression", second=0.0, position=1.0, **more) -> dict:
    time = None if second is None else START + datetime.timedelta(seconds=second)
    found = {"request_id": request, "query_id": "q", "user_id": "u", "item_id": item, "position": position}
    return {**found, "event": name, "time": time, "dwell": None, **more}


def balanced(c: Cleaned) -> bool:
    return c.rows_in == c.rows_out + sum(r.rows for r in c.rules if r.lost)


def counted(c: Cleaned) -> dict[str, int]:
    return {r.rule: r.rows for r in c.rules if r.rows}


# the rules as loops


def naive(rows: list[dict], rules: Cleaning) -> tuple[Counter, dict]:
    """The counters, and {(request, item): (query, position, events, examined)}."""
    lost: Counter = Counter()
    last = max((r["time"] for r in rows if r["time"]), default=None)
    days = Counter((r["user_id"], r["time"] and r["time"].date()) for r in rows if r["user_id"])
    kept = []
    for r in rows:
        if rules.bots and r["user_id"] and days[r["user_id"], r["time"] and r["time"].date()] > rules.bots:
            lost["bots"] += 1
        elif r["event"] not in ("impression", *BEHAVIOURS):
            lost["other_events"] += 1
        elif not r["item_id"] or not r["request_id"] or (r["event"] == "impression" and not r["query_id"]):
            lost["incomplete"] += 1
        else:
            kept.append(r)
    groups = defaultdict(list)
    for r in kept:
        p = r["position"]
        whole = int(p) if p is not None and p >= 1 and p == int(p) else None
        groups[r["request_id"], r["item_id"], r["event"]].append({**r, "position": whole})
    shown, acts = {}, defaultdict(list)
    for (request, item, name), members in groups.items():
        members.sort(key=lambda r: (r["time"] is None, r["time"] or START, r["position"] is None, r["position"] or 0))
        left = [members[0]]
        for before, r in pairwise(members):
            if rules.duplicates is not None and is_copy(before, r, rules.duplicates):
                lost["duplicates"] += 1
            else:
                left.append(r)
        if name == "impression":
            lost["shown_again"] += len(left) - 1
            if rules.no_position and left[0]["position"] is None:
                lost["no_position"] += 1
            else:
                shown[request, item] = left[0]
        else:
            if rules.first_only:
                lost["repeated"] += len(left) - 1
                left = left[:1]
            acts[request, item] += left
    reached = defaultdict(int)
    table = {}
    for pair in list(acts):
        if pair not in shown:
            lost["no_impression"] += len(acts.pop(pair))
    for (request, item), r in shown.items():
        followed = acts.get((request, item), [])
        deep = any(a["event"] in ("cart", "purchase") for a in followed)
        accidents = [
            a
            for a in followed
            if a["event"] == "click" and not deep and a["dwell"] is not None and a["dwell"] < rules.dwell
        ]
        lost["accidental"] += len(accidents)
        real = [a for a in followed if a not in accidents]
        if rules.maturity is not None and r["time"] and r["time"] > last - datetime.timedelta(seconds=rules.maturity):
            lost["immature"] += 1 + len(real)
            continue
        if followed:
            reached[request] = max(reached[request], r["position"] or 0)
        table[request, item] = (r["query_id"], r["position"], frozenset(a["event"] for a in real), bool(followed))
    out = {}
    for (request, item), (query, position, events, touched) in table.items():
        seen = touched or request not in reached or (position is not None and position <= reached[request] + 1)
        lost["unseen"] += not seen
        out[request, item] = (query, position, events, seen)
    return lost, out


def is_copy(before: dict, r: dict, window: float) -> bool:
    if r["time"] is None and before["time"] is None:
        return r["position"] == before["position"]
    if r["time"] is None or before["time"] is None:
        return False
    return (r["time"] - before["time"]).total_seconds() <= window


def table_of(c: Cleaned) -> dict:
    return {
        (r["request_id"], r["item_id"]): (
            r["query_id"],
            r["position"],
            frozenset(b for b in c.behaviours if r[b]),
            r["examined"],
        )
        for r in c.impressions.to_dicts()
    }


some_rows = st.lists(
    st.builds(
        lambda request, item, name, second, position, user, query, dwell: {
            **event(request, item, name, second, position),
            "user_id": user,
            "query_id": query,
            "dwell": dwell,
        },
        st.sampled_from(["r1", "r1", "r2", None]),
        st.sampled_from(["a", "b", "c", None]),
        st.sampled_from(
            ["impression", "impression", "impression", "click", "click", "cart", "purchase", "refund", "hover"]
        ),
        st.sampled_from([None, 0, 1, 2, 4, 29, 31, 50]),
        st.sampled_from([1.0, 2.0, 3.0, 4.0, 1.5, -1.0, None]),
        st.sampled_from(["u", "v", None]),
        st.sampled_from(["q", "q", "q", None]),
        st.sampled_from([None, 1.0, 9.0]),
    ),
    min_size=1,
    max_size=24,
)


@settings(max_examples=250, deadline=None)
@given(some_rows, st.booleans(), st.booleans(), st.sampled_from([None, 19.0, 20.0]), st.sampled_from([None, 0.0, 2.0]))
def test_rules_against_loops_and_no_row_is_lost_in_silence(rows, first_only, no_position, maturity, duplicates):
    assume(any(r["event"] == "impression" for r in rows))
    rules = Cleaning(
        bots=6, dwell=5.0, first_only=first_only, no_position=no_position, maturity=maturity, duplicates=duplicates
    )
    assume(maturity is None or any(r["time"] for r in rows))

    got = clean(read_log(frame_of(rows), position_base=1), rules, behaviours=BEHAVIOURS)

    lost, table = naive(rows, rules)
    assert {k: n for k, n in counted(got).items() if k != "censored"} == {k: n for k, n in lost.items() if n}
    assert table_of(got) == table
    assert balanced(got)


@settings(max_examples=60, deadline=None)
@given(some_rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, random):
    assume(any(r["event"] == "impression" for r in rows))
    shuffled = random.sample(rows, len(rows))
    rules = Cleaning(bots=6, dwell=5.0)

    a, b = (clean(read_log(frame_of(x), position_base=1), rules, behaviours=BEHAVIOURS) for x in (rows, shuffled))

    assert counted(a) == counted(b)
    assert table_of(a) == table_of(b)


# each rule by itself


def test_events_within_two_seconds_are_one():
    rows = [event(), event(name="click", second=5), event(name="click", second=6.5), event(name="click", second=8)]

    got = clean(frame_of(rows))

    assert counted(got) == {"duplicates": 2, "censored": 1}  # 8 s is within 2 s of the copy at 6.5 s
    assert counted(clean(frame_of(rows), Cleaning(duplicates=None))) == {"repeated": 2, "censored": 1}


def test_without_time_exact_copies_are_one():
    rows = frame_of([event(), event(), event(position=2.0)]).drop("time")

    assert counted(clean(rows)) == {"duplicates": 1, "shown_again": 1}


def test_clicks_without_impression_are_left_out_or_make_one():
    rows = frame_of([event(item="a"), event(item="b", name="click", position=2.0)])

    assert clean(rows)["no_impression"].rows == 1
    kept = clean(rows, Cleaning(no_impression=False))
    assert kept.impressions.select("item_id", "position", "click").rows() == [("a", 1, False), ("b", 2, True)]
    assert balanced(kept)
    assert kept.rows_out == 2


def test_a_log_of_clicks_only_is_refused():
    with pytest.raises(InputError, match=r"must have impressions, got events click only.*no_impression=False"):
        clean(frame_of([event(name="click")]))


def test_a_click_finds_its_query_through_the_impression():
    got = clean(frame_of([event(), event(name="click", second=9, query_id=None, position=None)]))

    assert got.impressions.select("query_id", "click").rows() == [("q", True)]


def test_bots_lose_the_day_and_people_keep_theirs():
    rows = [event(f"r{i}", second=i, user_id="bot") for i in range(40)] + [event("s", user_id="u")]

    got = clean(frame_of(rows), Cleaning(bots=20))

    assert got["bots"].rows == 30  # 30 rows before midnight, 10 after
    assert got["bots"].of == 41
    assert set(got.impressions["user_id"]) == {"u", "bot"}
    assert clean(frame_of(rows), Cleaning(bots=None)).impressions.height == 41


def test_sessions_are_cut_only_where_there_are_no_requests():
    rows = [event(second=s, item=i, name=n) for s, i, n in [(0, "a", "impression"), (60, "a", "click")]]
    rows += [event(second=60 + 1801, item="a"), event(second=60 + 1802, item="b", position=2.0)]
    frame = frame_of(rows)

    cut = clean(frame.drop("request_id"))

    assert cut["session_cut"].rows == 1
    assert not cut["session_cut"].lost
    assert cut.impressions["request_id"].to_list() == ["u|0|q", "u|1|q", "u|1|q"]
    assert "session_cut" not in {r.rule for r in clean(frame).rules}
    assert clean(frame.drop("request_id"), Cleaning(session_gap=7200))["session_cut"].rows == 0


def test_what_is_below_the_last_click_is_unknown():
    rows = [event(item=i, position=float(p)) for p, i in enumerate("abcde", 1)]
    rows += [event(item="b", name="click", second=9, position=2.0)]
    frame = frame_of(rows)

    def seen(**rules) -> list[bool]:
        return clean(frame, Cleaning(**rules)).impressions.sort("position")["examined"].to_list()

    assert seen() == [True, True, True, False, False]
    assert seen(examined="all") == [True] * 5
    assert clean(frame)["unseen"].rows == 2


def test_a_list_without_a_click_was_examined_or_only_its_first_item():
    frame = frame_of([event(item=i, position=float(p)) for p, i in enumerate("abc", 1)])

    assert clean(frame).impressions["examined"].to_list() == [True] * 3
    assert clean(frame, Cleaning(abandoned="first")).impressions["examined"].to_list() == [True, False, False]


def test_viewed_says_what_was_examined_and_a_click_as_well():
    frame = pl.DataFrame(
        {
            "request_id": ["r"] * 3,
            "query_id": ["q"] * 3,
            "item_id": list("abc"),
            "position": [1, 2, 3],
            "viewed": [1, 0, 0],
            "click": [0, 0, 1],
        }
    )

    assert clean(frame).impressions["examined"].to_list() == [True, False, True]
    assert clean(frame, Cleaning(examined="last_click+1")).impressions["examined"].to_list() == [True] * 3


def test_young_impressions_wait():
    rows = [event("r1", second=0), event("r1", name="click", second=3), event("r2", second=50), event("r3", second=60)]

    got = clean(frame_of(rows), Cleaning(maturity=30))

    assert got["immature"].rows == 2
    assert clean(frame_of(rows), Cleaning(maturity=10))["immature"].rows == 1  # ten seconds are old enough for ten
    assert set(got.impressions["request_id"]) == {"r1"}
    assert balanced(got)


def test_impression_tables_have_no_events_to_lose():
    frame = pl.DataFrame(
        {
            "request_id": ["r", "r", "r", "s"],
            "query_id": ["q"] * 4,
            "item_id": ["a", "a", "b", None],
            "position": [1, 1, None, 1],
            "click": [False, True, True, True],
            "dwell": [None, 9.0, 9.0, 9.0],
        }
    )

    got = clean(frame, Cleaning(dwell=5))

    assert counted(got) == {"incomplete": 1, "duplicates": 1, "no_position": 1}  # the copy was clicked: so was the item
    assert got.impressions.select("item_id", "click").rows() == [("a", True)]
    assert balanced(got)


def test_an_accidental_click_of_an_impression_table_is_taken_back():
    frame = pl.DataFrame(
        {
            "request_id": list("rst"),
            "query_id": ["q"] * 3,
            "item_id": ["a"] * 3,
            "click": [True] * 3,
            "purchase": [False, True, False],
            "dwell": [1.0, 1.0, None],
        }
    )

    got = clean(frame, Cleaning(dwell=5))

    assert got["accidental"].rows == 1
    assert not got["accidental"].lost
    assert got["censored"].rows == 1
    assert got.impressions["click"].to_list() == [False, True, True]  # bought: no accident; unknown: kept
    assert balanced(got)


# dwell


def test_thresholds_come_from_the_segment_within_bounds():
    rng = np.random.default_rng(3)
    times = {"phone": rng.uniform(0, 50, 400), "desk": rng.uniform(0, 1000, 400), "watch": rng.uniform(0, 5, 400)}
    frame = pl.concat([pl.DataFrame({"device": [d] * 400, "dwell": t}) for d, t in times.items()])
    few = pl.DataFrame({"device": ["tv"] * 99, "dwell": [500.0] * 99})
    gone = pl.DataFrame({"device": ["phone"] * 500, "dwell": [None] * 500}, schema_overrides={"dwell": pl.Float64})

    got = dwell_thresholds(pl.concat([frame, few, gone]).lazy(), Dwell())

    assert got.segments == {
        ("phone",): pytest.approx(np.quantile(times["phone"], 0.1)),
        ("desk",): 10.0,
        ("watch",): 2.0,
    }
    assert got.clicks == 1_299  # unknown dwells are no noughts
    both = np.concatenate([*times.values(), few["dwell"]])
    assert np.quantile(both, 0.1) < got.overall == 2.0
    rows = pl.DataFrame({"device": ["phone", "desk", "tv", None]})
    assert rows.select(got.expression()).to_series().to_list() == pytest.approx(
        [got.segments[("phone",)], 10.0, got.overall, got.overall]
    )


def test_presets_seconds_and_nothing():
    assert dwell_rule("web_search").seconds == 30
    assert dwell_rule(7).seconds == 7
    assert dwell_rule(None) is None
    assert dwell_rule("quantile") == PRESETS["quantile"] == Dwell()
    with pytest.raises(ParameterError, match="`dwell` must be one of quantile, web_search, got 'web'"):
        dwell_rule("web")


def test_dwell_by_a_column_that_is_not_there():
    frame = pl.DataFrame({"dwell": [1.0]}).lazy()

    with pytest.raises(InputError, match=r"columns missing from the log: 'shop'. Found: 'dwell'. Pass columns="):
        dwell_thresholds(frame, Dwell(by=("shop",)))


# parts


def many(n: int = 3_000) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    names = rng.choice(["impression", "impression", "impression", "click", "cart", "hover"], n)
    return pl.DataFrame(
        {
            "request_id": [f"r{i}" for i in rng.integers(0, 150, n)],
            "query_id": [f"q{i}" for i in rng.integers(0, 3, n)],
            "user_id": [f"u{i}" for i in rng.integers(0, 40, n)],
            "item_id": [f"i{i}" for i in rng.integers(0, 12, n)],
            "position": rng.integers(0, 9, n),
            "event": names,
            "time": START + pl.Series(rng.integers(0, 90_000, n)).cast(pl.Duration("ms")),
        }
    )


@pytest.mark.parametrize("without", [[], ["request_id"]], ids=["requests", "users"])
def test_parts_do_not_show(monkeypatch: pytest.MonkeyPatch, without: list[str]):
    log = read_log(many().drop(without), position_base=1)
    rules = Cleaning(bots=55)
    whole, pairs = clean(log, rules), count_pairs(log, ["click", "cart"], rules)

    monkeypatch.setattr(cleaning_parts, "ROWS_PER_PART", 170)
    parts, parted = clean(log, rules), count_pairs(log, ["click", "cart"], rules)

    assert whole["bots"].rows > 0
    assert (
        [r.to_dict() for r in parts.rules] == [r.to_dict() for r in whole.rules] == [r.to_dict() for r in parted.rules]
    )
    order = ["request_id", "item_id"]
    assert parts.impressions.sort(order).equals(whole.impressions.sort(order))
    assert parted.pairs.equals(pairs.pairs)
    assert parted.followed.equals(pairs.followed)
    assert balanced(parts)


def test_hashes_stand_for_requests_and_lose_nothing():
    log = read_log(many(), position_base=1)

    assert count_pairs(log, ["click"]).pairs.equals(count_pairs(clean(log), ["click"]).pairs)


# what cannot be


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"duplicates": -1}, "`duplicates` must be seconds from 0 on or None, got -1"),
        ({"bots": 0}, "`bots` must be a count of rows from 1 on or None, got 0"),
        ({"examined": "some"}, "`examined` must be one of auto, viewed, last_click.1, all, got 'some'"),
        ({"abandoned": "none"}, "`abandoned` must be 'all' or 'first'"),
        ({"dwell": "x"}, "`dwell` must be one of"),
    ],
)
def test_rules_that_cannot_be(rules: dict, message: str):
    with pytest.raises(ParameterError, match=message):
        Cleaning(**rules)


@pytest.mark.parametrize(
    ("without", "rules", "message"),
    [
        (["position"], Cleaning(examined="last_click+1"), "needs positions and requests"),
        ([], Cleaning(examined="viewed"), "needs a column `viewed`"),
        (["time"], Cleaning(maturity=5), "`maturity` needs a time column"),
    ],
)
def test_rules_that_the_log_does_not_allow(without: list[str], rules: Cleaning, message: str):
    with pytest.raises(InputError, match=message):
        clean(frame_of([event()]).drop(without), rules)


def test_age_cannot_be_told_without_a_single_time():
    with pytest.raises(InputError, match="`maturity` needs times, got none in 1 rows"):
        clean(frame_of([event(second=None)]), Cleaning(maturity=5))


def test_bots_do_not_set_the_threshold_of_dwell():
    people = [
        event(f"p{i}", name=n, second=0, user_id=f"u{i}", dwell=40.0)
        for i in range(120)
        for n in ("impression", "click")
    ]
    bots = [event(f"b{i}", name="click", second=0, user_id="bot", dwell=3.0) for i in range(300)]

    assert clean(frame_of(people + bots), Cleaning(bots=200)).dwell.overall == 10.0
    assert clean(frame_of(people + bots), Cleaning(bots=None)).dwell.overall == 3.0


def test_rules_that_do_not_apply_are_said():
    frame = pl.DataFrame({"item_id": ["a"], "query_id": ["q"], "click": [1]})

    got = clean(frame)

    assert [r.rule for r in got.rules] == ["incomplete"]
    assert any("bots cannot be told" in n for n in got.notes)
    assert any("each row is a list of its own" in n for n in got.notes)
    assert all(r.what.of("zh") != r.what.en for r in got.rules)


def test_counters_have_names():
    with pytest.raises(UnknownName, match=r"no rule 'bot'. Did you mean bots\? There are: bots, "):
        clean(frame_of([event()]))["bot"]


def test_the_record_is_plain_data():
    got = clean(frame_of([event(), event(name="click", second=5, dwell=1.0)]))

    data = json.loads(json.dumps(got.to_dict()))
    assert data["impressions"] == 1
    assert [r["rule"] for r in data["rules"]] == got.to_frame()["rule"].to_list()
    assert got["accidental"].share == 1.0


# real data


def test_ubi_end_to_end(shared: Path):
    folder = shared / "ubi_events_synthetic"

    got = clean(read_ubi(folder / "ubi_events.json.gz", folder / "ubi_queries.json.gz"))

    assert balanced(got)
    assert got["other_events"].rows == 911
    assert got.impressions.height == got["unseen"].of
    assert (
        got.rows_out == got.impressions.height + got.impressions.select(pl.sum_horizontal(got.behaviours)).sum().item()
    )


def test_retrotech_against_loops(shared: Path):
    log = read_log(shared / "retrotech_sessions" / "dryer_sessions.gz")

    got = clean(log)

    lists = defaultdict(list)
    for r in log.frame.collect().iter_rows(named=True):
        lists[r["request_id"]].append(r)
    unseen = 0
    for members in lists.values():
        last = max((r["position"] for r in members if r["click"]), default=None)
        unseen += 0 if last is None else sum(r["position"] > last + 1 for r in members)
    assert got["unseen"].rows == unseen > 0
    assert balanced(got)


def test_open_bandit_end_to_end(shared: Path):
    got = clean(shared / "open_bandit_men" / "bts" / "men" / "men.csv.gz")

    assert got.impressions.height == 10_000
    assert got.impressions["click"].sum() == 69
    assert got.impressions["examined"].all()


def test_a_known_column_may_also_be_a_segment():
    rows = {"request_id": ["r"] * 2, "query_id": ["q"] * 2, "item_id": ["a", "b"], "position": [1, 2], "click": [1, 0]}

    found = clean(read_log(pl.DataFrame({**rows, "ranker": ["x", "x"]}), columns={"ranker": "segment"}))

    assert found.impressions["ranker"].to_list() == ["x", "x"]
