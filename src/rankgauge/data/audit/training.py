"""What a recommender learned from, beside what it is asked: has it seen the answers, or the future?

These look where `train` is given. A user is a query here, an interaction of the test a judgement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rankgauge._numbers import share
from rankgauge._text import Text
from rankgauge.data.audit.evidence import Evidence, Ranking
from rankgauge.data.audit.registry import EXAMPLES, Found, among, are, check, of, show
from rankgauge.data.id_codes import counted
from rankgauge.data.learned import SeenShown, followed, in_train, is_learned

if TYPE_CHECKING:
    import polars as pl


@check(
    "test-in-train",
    why=Text(
        "What a model learned by heart is no recommendation: it has seen the answers.",
        "模型在训练中见过的答案不算推荐出来的。",
    ),
    try_=Text(
        "Take these pairs out of train, or out of the test where things are done again: rg.split(…, seen='drop').",
        "请从训练集去掉这些交互；如果属于重复消费，则从测试集去掉：rg.split(…, seen='drop')。",
    ),
)
def _test_in_train(e: Evidence) -> Iterator[Found]:
    if e.train is None:
        return
    test = e.qrels.relevant
    known = test.filter(in_train(e.train, test))
    if n := known.height:
        said = Text(
            f"{of(n, test.height, 'relevant items')} of the test {are(n)} in train, for the same user.",
            f"测试集的{among(n, test.height, '个相关物品')}已在同一用户的训练集中。",
        )
        is_error = is_learned(n, test.height)
        for run in e.runs:
            there = _seen(e, run)
            if there.raises(e.train):
                is_error = True
                said += Text(
                    f" So {are(there.learned)} {of(there.learned, there.hits, 'hits')} of {run.name}.",
                    f"{run.name} 的{among(there.learned, there.hits, '个命中')}也是如此。",
                )
        yield Found(e.qrels.name, n, said, _pairs(known), "error" if is_error else "warning")


def _seen(e: Evidence, run: Ranking) -> SeenShown:
    """What the first results hold of train."""
    import polars as pl

    assert e.train is not None
    shown = run.top.with_columns(seen=in_train(e.train, run.top)).join(e.qrels.items, ["query_id", "doc_id"], "left")
    hit, seen = pl.col("grade") >= e.qrels.rel, pl.col("seen")
    counted = {"hits": hit, "learned": hit & seen, "seen": seen, "tested": seen & pl.col("grade").is_not_null()}
    return SeenShown(**shown.select(**{name: mask.sum() for name, mask in counted.items()}).row(0, named=True))


@check(
    "future-in-train",
    why=Text(
        "A model that learned from what happened after the test knows trends and new items that nobody could "
        "know then.",
        "从测试之后的交互中学习，模型就知道了当时不可能知道的趋势和新物品。",
    ),
    try_=Text(
        "Split by time: rg.split(…, by='time').",
        "请按时间划分：rg.split(…, by='time')。",
    ),
)
def _future_in_train(e: Evidence) -> Iterator[Found]:
    if e.train is None or e.train.times is None or e.first_test is None:
        return
    later = e.train.times > e.first_test
    if n := int(later.sum()):
        yield Found(
            "train",
            n,
            Text(
                f"{of(n, len(e.train), 'training interactions')} happened after the first one of the test.",
                f"{among(n, len(e.train), '条训练交互')}发生在测试集的第一条交互之后。",
            ),
            _pairs(e.train.where(later).to_frame().rename({"user_id": "query_id", "item_id": "doc_id"})),
        )


@check(
    "seen-items-shown",
    why=Text(
        "What a user knows already, as far as it is no hit of the test, takes the place of another item.",
        "用户已有过、又不是测试集中命中的物品，占用了其他物品的位置。",
    ),
    try_=Text(
        "Leave out what is in train (Run.from_scores(…, seen=train)), unless things are done again on purpose.",
        "请去掉训练集中已有的物品（Run.from_scores(…, seen=train)），除非本来就要推荐重复消费。",
    ),
)
def _seen_items_shown(e: Evidence) -> Iterator[Found]:
    if e.train is None:
        return
    for run in e.runs:
        shown = run.top
        seen = shown.filter(in_train(e.train, shown)).join(e.qrels.relevant, ["query_id", "doc_id"], "anti")
        if n := seen.height:
            yield Found(
                run.name,
                n,
                Text(
                    f"{of(n, shown.height, 'first results')} {are(n)} in the training data of the same user and not "
                    "relevant in the test.",
                    f"{among(n, shown.height, '条靠前的结果')}已在同一用户的训练集中，且在测试集中不相关。",
                ),
                _pairs(seen),
            )


@check(
    "users-without-training",
    why=Text(
        "A model knows nothing of a user whom it never saw: such users say how strangers are served.",
        "模型对从未见过的用户一无所知：这些用户反映的是对新用户的效果。",
    ),
    try_=Text(
        "Look at them apart, or leave them out of the test: rg.split(…, cold_users='drop').",
        "请单独查看，或从测试集去掉：rg.split(…, cold_users='drop')。",
    ),
)
def _users_without_training(e: Evidence) -> Iterator[Found]:
    if e.train is None:
        return
    users = e.qrels.known
    strange = users.filter(e.train.user_codes(users) < 0)
    if n := strange.len():
        yield Found(
            e.qrels.name,
            n,
            Text(
                f"{of(n, users.len(), 'users')} of the test {are(n)} not in train.",
                f"测试集的{among(n, users.len(), '个用户')}不在训练集中。",
            ),
            [Text(f"user {show(u)}", f"用户 {show(u)}") for u in strange.head(EXAMPLES)],
            "error" if n == users.len() else "note",
        )


@check(
    "repeated-interactions",
    why=Text(
        "Interactions that are there twice count twice in popularity and in training.",
        "重复的交互在热度统计和训练中会计两次。",
    ),
    try_=Text(
        "Nothing, when users do things again; else keep each once.",
        "如果是重复消费则无需处理；否则每条只保留一次。",
    ),
)
def _repeated_interactions(e: Evidence) -> Iterator[Found]:
    if e.train is None:
        return
    if n := e.train.n_repeated:
        again = _again(e.train.to_frame().select(query_id="user_id", doc_id="item_id"))
        yield Found(
            "train",
            n,
            Text(
                f"{of(n, len(e.train), 'training interactions')} {are(n)} there already: same user, same item.",
                f"{among(n, len(e.train), '条训练交互')}与之前的重复：同一用户、同一物品。",
            ),
            _pairs(again),
            "note",
        )


@check(
    "popularity-with-test",
    why=Text(
        "Popularity that was counted over the test as well knows which items will be asked for.",
        "连测试集一起统计的热度，已经知道了将要问到哪些物品。",
    ),
    try_=Text(
        "Count popularity over train alone: rg.baseline(train, 'popularity').",
        "请只按训练集统计热度：rg.baseline(train, 'popularity')。",
    ),
)
def _popularity_with_test(e: Evidence) -> Iterator[Found]:
    if e.train is None:
        return
    asked = (x.filter(~in_train(e.train, x))["doc_id"] for x in (e.qrels.relevant, e.qrels.items))
    tests = [counted(e.train.item_codes(items), e.train.n_items) for items in asked]
    for run in e.runs:
        codes = e.train.item_codes(run.frame["doc_id"])[run.order]
        steps = run.owner[1:] == run.owner[:-1]
        seen = followed(e.train, tests, codes, steps)
        if seen is not None:
            by_all, by_train = (share(n / seen.steps) for n in (seen.with_test, seen.train))
            yield Found(
                run.name,
                seen.steps - seen.train,
                Text(
                    f"the lists follow popularity over train and test ({by_all} of steps from one result to the next), "
                    f"not that over train ({by_train}).",
                    f"列表的顺序符合训练集加测试集的热度（相邻结果中 {by_all}），而不是训练集的热度（{by_train}）。",
                ),
                (),
                "error",
            )


def _again(frame: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    return frame.filter(~pl.struct(frame.columns).is_first_distinct())


def _pairs(frame: pl.DataFrame) -> list[Text]:
    return [
        Text(f"user {show(u)}, {show(i)}", f"用户 {show(u)}，{show(i)}")
        for u, i in frame.select("query_id", "doc_id").head(EXAMPLES).iter_rows()
    ]
