"""`rankgauge demo`: the whole path on bundled data."""

from __future__ import annotations

from pathlib import Path

from rankgauge.cli.options import examples, show, write_text
from rankgauge.cli.style import click

__all__ = ["command"]

_MEASURES = ("nDCG@10", "AP", "RR@10", "R@50")


@click.command("demo", epilog=examples("rankgauge demo", "rankgauge demo --save shop"))
@click.option(
    "--save",
    "folder",
    type=click.Path(path_type=Path),
    default=None,
    help="Write the demo's judgements, runs, queries and clicks to this folder, to try the commands on.",
)
@click.option("--seed", type=int, default=7, show_default=True, help="Another shop, with other numbers.")
def command(folder: Path | None, seed: int) -> None:
    """Evaluate and compare three product-search systems on a small bundled shop, offline; say what to try next."""
    from rankgauge import demo
    from rankgauge.comparison import compare
    from rankgauge.evaluation import evaluate
    from rankgauge.report.comparison import sentence

    shop = demo.shop(seed=seed)
    languages = [q["language"] for q in shop.queries.values()]
    write_text(
        f"A made-up shop: {len(shop.products):,} products, {len(shop.queries)} queries "
        f"({languages.count('en')} English, {languages.count('zh')} Chinese), "
        f"{sum(map(len, shop.qrels.values())):,} graded judgements, three systems.\n",
        None,
    )
    slices = {q: {"language": v["language"], "intent": v["intent"]} for q, v in shop.queries.items()}
    systems = evaluate(shop.qrels, shop.runs, _MEASURES)
    show(systems, None, None)
    *_, second, best = sorted(systems, key=lambda name: systems[name]["nDCG@10"])
    change = compare({second: systems[second], best: systems[best]}, None, ["nDCG@10"])
    write_text(f"\nIs {best} really better than {second}?\n\n{sentence(change['nDCG@10'], change)}\n", None)
    write_text(f"\nWhere does {best} do well, and where not?\n\n", None)
    show(evaluate(shop.qrels, shop.runs[best], ["nDCG@10", "R@50"], slices=slices), None, None)
    if folder is not None:
        demo.save(shop, folder)
        demo.save_clicks(demo.clicks(seed=seed), folder)
    place = str(folder) if folder is not None else "shop"
    saved = "" if folder is not None else f"  rankgauge demo --save {place}\n"
    write_text(
        "\nTry next:\n"
        + saved
        + f"  rankgauge evaluate {place}/qrels.txt {place}/bm25.run {place}/dense.run -m nDCG@10 -m R@50\n"
        f"  rankgauge compare {place}/qrels.txt {place}/dense.run {place}/hybrid.run\n"
        f"  rankgauge diagnose {place}/qrels.txt {place}/dense.run --scenario ranking --slices {place}/queries.jsonl\n"
        f"  rankgauge audit {place}/qrels.txt {place}/hybrid.run\n"
        f"  rankgauge predictions {place}/clicks.csv --score old --score new\n"
        "  rankgauge explain nDCG@10\n",
        None,
    )
