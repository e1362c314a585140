"""`rankgauge demo`: the whole path on bundled data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rankgauge._output import STANDARD_OUTPUT
from rankgauge._show import show
from rankgauge._text import LANGUAGES, Text, in_language
from rankgauge.cli.languages import language_option
from rankgauge.cli.options import examples
from rankgauge.cli.output import Output, typed, write_text
from rankgauge.cli.places import Target, fresh
from rankgauge.cli.style import click
from rankgauge.cli.terminal import wrote
from rankgauge.errors import InputError

if TYPE_CHECKING:
    from rankgauge.demo import Shop

__all__ = ["command"]

_MEASURES = ("nDCG@10", "AP", "RR@10", "R@50")


@click.command(
    "demo",
    zh="在自带的小商店数据上离线评测并比较三个商品搜索系统，并给出接下来可以尝试的命令。",
    epilog=examples(
        "rankgauge demo",
        "rankgauge demo --html demo.html --open",
        "rankgauge demo --save shop",
        "rankgauge demo --history shop.db",
    ),
)
@click.option(
    "--save",
    "folder",
    type=click.Path(path_type=Path),
    default=None,
    help=Text(
        "Write the demo's files to this folder, to try the commands on: judgements, runs, queries, products, logs, "
        "experiments.",
        "把演示文件写到这个文件夹，供各命令试用：标注、结果、查询、商品、日志、实验。",
    ),
)
@click.option(
    "--html",
    "page",
    type=Target(),
    default=None,
    metavar="FILE",
    help=Text(
        "Write the report of the three systems: one HTML file that opens offline.",
        "写出三个系统的报告：一个可离线打开的 HTML 文件。",
    ),
)
@click.option(
    "--history",
    "store",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help=Text(
        "Write twelve weeks of evaluations to this store, to look at with rankgauge ui.",
        "把十二周的评测写入这个存储，可用 rankgauge ui 查看。",
    ),
)
@click.option("--open", "opened", is_flag=True, help=Text("Open the report in the browser.", "在浏览器中打开报告。"))
@click.option(
    "--seed",
    type=int,
    default=7,
    show_default=True,
    help=Text("Another shop, with other numbers.", "换一个商店，得到另一组数字。"),
)
@language_option()
def command(folder: Path | None, page: Path | None, store: Path | None, opened: bool, seed: int, language: str) -> None:
    """Evaluate and compare three product-search systems on a small bundled shop, offline; say what to try next."""
    from rankgauge import demo
    from rankgauge.comparison import compare
    from rankgauge.data import Run
    from rankgauge.evaluation import evaluate
    from rankgauge.reporting import Sheet, sections

    def say(en: str, zh: str) -> None:
        write_text(in_language(Text(en, zh), language), None)

    out = Output(language=language)
    shop = demo.shop(seed=seed)
    slices = {q: {"language": v["language"], "intent": v["intent"]} for q, v in shop.queries.items()}
    # files first: whoever reads the output may stop reading
    if folder is not None:
        demo.save(shop, folder)
        demo.save_clicks(demo.clicks(seed=seed), folder)
        demo.save_searches(demo.searches(seed, shop), folder)
        demo.save_experiments(demo.experiments(seed=seed), folder)
    if page is not None or opened:
        _write_page(page or fresh(Path("rankgauge-demo.html"), "--html"), shop, slices, language, opened=opened)
    if store is not None:
        _write_history(store, shop, slices, seed)
    if page == STANDARD_OUTPUT:
        return
    languages = [q["language"] for q in shop.queries.values()]
    n_judged = sum(map(len, shop.qrels.values()))
    say(
        f"A made-up shop: {len(shop.products):,} products, {len(shop.queries)} queries "
        f"({languages.count('en')} English, {languages.count('zh')} Chinese), {n_judged:,} graded judgements, "
        "three systems.\n",
        f"一个虚构的商店：{len(shop.products):,} 件商品，{len(shop.queries)} 个查询（{languages.count('en')} 个英文，"
        f"{languages.count('zh')} 个中文），{n_judged:,} 条分级标注，三个系统。\n",
    )
    systems = evaluate(shop.qrels, shop.runs, _MEASURES)
    out.show(systems)
    *_, second, best = sorted(systems, key=lambda name: systems[name]["nDCG@10"])
    change = compare({second: systems[second], best: systems[best]}, None, ["nDCG@10"])
    say(f"\nIs {best} really better than {second}?\n\n", f"\n{best} 真的比 {second} 好吗？\n\n")
    out.show(Sheet(sections(change)[:1]))
    say(f"\nWhere does {best} do well, and where not?\n\n", f"\n{best} 在哪里好，在哪里不好？\n\n")
    out.show(evaluate(shop.qrels, Run.of(shop.runs[best], name=best), ["nDCG@10", "R@50"], slices=slices))
    place = str(folder) if folder is not None else "shop"
    say("\nTry next:\n", "\n接下来试试：\n")
    saved = "" if folder is not None else f"  rankgauge demo --html demo.html --open\n  rankgauge demo --save {place}\n"
    spoken = "" if language == LANGUAGES[0] else f" --language {language}"
    write_text(
        saved
        + f"  rankgauge evaluate {place}/qrels.txt {place}/bm25.run {place}/dense.run -m nDCG@10 -m R@50{spoken}\n"
        f"  rankgauge compare {place}/qrels.txt {place}/dense.run {place}/hybrid.run --html report.html{spoken}\n"
        f"  rankgauge diagnose {place}/qrels.txt {place}/dense.run --scenario ranking --slices {place}/queries.jsonl"
        f"{spoken}\n"
        f"  rankgauge audit {place}/qrels.txt {place}/hybrid.run{spoken}\n"
        f"  rankgauge predictions {place}/clicks.csv --score old --score new --html clicks.html{spoken}\n"
        f"  rankgauge judgements {place}/log.csv -o clicked.qrels{spoken}\n"
        f"  rankgauge online ab {place}/experiment.csv --numerator clicks --denominator impressions --unit user_id"
        f"{spoken}\n"
        f"  rankgauge explain nDCG@10{spoken}\n",
        None,
    )
    say("\nTwelve weeks of it in the browser:\n", "\n在浏览器中查看它的十二周：\n")
    there = str(store or (Path("weeks.db") if folder is None else folder / "weeks.db"))
    made = "" if store is not None else f"  rankgauge demo --history {there}{spoken}\n"
    write_text(f"{made}  rankgauge ui {there}{spoken}\n", None)


def _write_history(path: Path, shop: Shop, slices: Mapping[str, Mapping[str, str]], seed: int) -> None:
    """Twelve weeks: evaluated, judged by two rules, with what the team did about them."""
    from rankgauge import demo
    from rankgauge.data import Run
    from rankgauge.demo.weeks import RULED
    from rankgauge.evaluation import evaluate
    from rankgauge.history import History
    from rankgauge.history.judging import acknowledge, alerts
    from rankgauge.history.rules import HealthRule, ReleaseRule

    if path.exists():
        raise InputError(
            Text(
                f"{show(str(path))} is there already. Name another file.",
                f"{show(str(path))} 已经存在。请换一个文件名。",
            )
        )
    with History(path) as history:
        for week in demo.weeks(seed, shop):
            for name, run in week.runs.items():
                ev = evaluate(week.qrels, Run.of(run, name=name), _MEASURES, slices=slices)
                about = {"project": "shop", "system": name, "dataset": "judgements", "version": week.version}
                entry = history.add(ev, **about, at=week.at)
                if week.number == RULED:
                    acknowledge(history, entry, week.note, "Ana", at=week.at)
        rules = [ReleaseRule(measures=("nDCG@10",)), HealthRule(unchanged=True, stale="8d")]
        found = alerts(history, rules, project="shop", at=week.at)
        history.add(found, project="shop", system="", dataset="judgements", at=week.at)
        for a in found.ringing:
            data = {"key": a.key, "state": a.state, "since": a.since, "zh": in_language(a.sentence, "zh")}
            history.event("alert", in_language(a.sentence, "en"), entry=a.entry, project="shop", at=week.at, data=data)
    wrote(path)


def _write_page(path: Path, shop: object, slices: object, language: str, *, opened: bool) -> None:
    from typing import Any, cast

    from rankgauge.comparison import compare
    from rankgauge.reporting.page import report

    data = cast("Any", shop)
    found = compare(data.qrels, data.runs, _MEASURES, slices=slices)
    queries = {q: v["text"] for q, v in data.queries.items()}
    title = Text("A made-up shop: bm25, dense, hybrid", "虚构的商店：bm25、dense、hybrid")
    report(found, path, language=language, title=title, documents=data.products, queries=queries, command=typed())
    wrote(path)
    if opened:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
