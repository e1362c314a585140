"""`report`, `plot`, `--html` and `--language`."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from command_line import rankgauge
from rankgauge.cli.app import _loaded
from rankgauge.reporting.figures import KINDS

CHINESE = re.compile(r"[\u4e00-\u9fff]")

COMMANDS = {
    "evaluate": "evaluate qrels.txt bm25.run -m nDCG@10",
    "compare": "compare qrels.txt bm25.run dense.run -m nDCG@10 --permutations 200",
    "diagnose": "diagnose qrels.txt dense.run --scenario ranking",
    "gate": "gate qrels.txt dense.run --floor nDCG@10>=0.1",
    "power": "power --sd 0.2 --difference 0.02",
    "funnel": "funnel qrels.txt recall=bm25.run rank=dense.run",
    "predictions": "predictions clicks.csv --score old -m AUC -m LogLoss",
    "calibrate": "calibrate clicks.csv --score old --kind platt",
    "scenarios": "scenarios faq",
    "explain": "explain nDCG@10",
    "measures": "measures recall",
    "audit": "audit qrels.txt dense.run",
    "demo": "demo",
}
"""A line for each command that has results."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled shop and some records of it; tests write elsewhere, or under names of their own."""
    folder = tmp_path_factory.mktemp("shop")
    rankgauge("demo", "--save", ".", cwd=folder)
    for name in ("bm25", "dense"):
        rankgauge("evaluate", "qrels.txt", f"{name}.run", "-m", "nDCG@10", "-o", f"{name}.json", cwd=folder)
    rankgauge(*shlex.split(COMMANDS["compare"]), "-o", "compared.json", cwd=folder)
    rankgauge(*shlex.split(COMMANDS["funnel"]), "-o", "funnel.json", cwd=folder)
    rankgauge(*shlex.split(COMMANDS["predictions"]), "-o", "clicks.json", cwd=folder)
    return folder


def sections(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")
    return re.findall(r'<section id="([\w-]+)"', text)


# report


@pytest.mark.parametrize(
    ("files", "shown"),
    [
        (["bm25.json"], ["verdict", "queries", "contract"]),
        (["bm25.json", "dense.json"], ["verdict", "differences", "queries", "contract"]),
        (["compared.json"], ["verdict", "differences", "queries", "contract"]),
        (["funnel.json"], ["verdict", "funnel", "contract"]),
        (["clicks.json"], ["verdict", "contract"]),
        (["compared.json", "funnel.json"], ["verdict", "differences", "queries", "funnel", "contract"]),
    ],
    ids=" ".join,
)
def test_report_of_stored_records(shop: Path, tmp_path: Path, files: list[str], shown: list[str]):
    page = tmp_path / "page.html"

    done = rankgauge("report", *files, "-o", page, cwd=shop)

    found = sections(page)
    assert [s for s in found if s in shown] == shown
    assert f"wrote {page}" in done.stderr
    assert ("comparing with bm25" in done.stderr) == (files == ["bm25.json", "dense.json"])


def test_report_has_a_name_of_its_own_title_and_language(shop: Path, tmp_path: Path):
    rankgauge("report", shop / "bm25.json", "--title", "Release 7", "--language", "zh", cwd=tmp_path)

    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ">Release 7</title>" in text
    assert '<html lang="zh"' in text


def test_report_errors(shop: Path, tmp_path: Path):
    def fails(*files: str | Path) -> str:
        return rankgauge("report", *files, "-o", tmp_path / "page.html", cwd=shop, code=2).stderr

    assert "'qrels.txt' must hold an evaluation" in fails("qrels.txt")
    assert "two runs are called 'x'" in fails("x=bm25.json", "x=dense.json")
    assert "a page holds one comparison" in fails("compared.json", "bm25.json", "dense.json")
    assert "about rankings, about labels and scores, or about classes, not several" in fails("bm25.json", "clicks.json")
    assert "nowhere.json" in fails("nowhere.json")
    assert not (tmp_path / "page.html").exists()


def test_evaluations_whose_files_are_called_alike_are_told_apart(shop: Path, tmp_path: Path):
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "bm25.json"
    twin.write_bytes((shop / "dense.json").read_bytes())

    done = rankgauge("report", shop / "bm25.json", twin, "-o", tmp_path / "page.html")

    assert f"comparing with {shop.name}/bm25" in done.stderr
    assert "other/bm25 against" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "comparing with old" in rankgauge("report", f"old={twin}", shop / "bm25.json", cwd=tmp_path).stderr


def test_weeks_of_other_queries_stand_beside_each_other(tmp_path: Path):
    for week in (1, 2, 10):
        (tmp_path / "qrels.txt").write_text("".join(f"w{week}q{i} 0 a 1\n" for i in range(6)))
        (tmp_path / "x.run").write_text(
            "".join(f"w{week}q{i} Q0 {d} 1 {s} t\n" for i in range(6) for d, s in ("a2", "b1"))
        )
        rankgauge("evaluate", "qrels.txt", "x.run", "-m", "RR", "-o", f"week{week}.json", cwd=tmp_path)

    done = rankgauge("report", "week1.json", "week10.json", "week2.json", cwd=tmp_path)

    assert "not compared: not comparable: 6 of 6 queries are only in 'week1'" in done.stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "week10 in numbers: the latest of 3" in page
    assert "3 evaluations that are not compared with each other" in page


# plot


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("measures qrels.txt bm25.run -m nDCG@10", "Means with intervals"),
        ("differences qrels.txt bm25.run dense.run -m nDCG@10", "nDCG@10 of dense minus bm25"),
        ("differences compared.json", "nDCG@10 of dense minus bm25"),
        ("slices qrels.txt bm25.run dense.run -m nDCG@10 --slices queries.jsonl", "language=zh"),
        ("by_cutoff qrels.txt bm25.run dense.run -m R", "R@k"),
        ("funnel funnel.json", "relevant items"),
        ("roc clicks.csv --score old --score new", "ROC curve"),
        ("segments clicks.csv --score old --segment device", "device="),
    ],
)
def test_plot(shop: Path, tmp_path: Path, line: str, says: str):
    path = tmp_path / "figure.svg"

    done = rankgauge("plot", *shlex.split(line), "-o", path, cwd=shop)

    assert says in "".join(ET.parse(path).getroot().itertext())
    assert f"wrote {path}" in done.stderr
    assert done.stdout == ""


def test_plot_of_a_query_with_its_documents(shop: Path, tmp_path: Path):
    line = ["plot", "query", shop / "qrels.txt", shop / "bm25.run", shop / "dense.run", "--query", "q001"]

    rankgauge(*line, "-m", "nDCG@10", "--documents", shop / "products.jsonl", cwd=tmp_path)

    text = (tmp_path / "query.svg").read_text(encoding="utf-8")  # its name unless said
    assert "q001: nDCG@10" in text
    assert re.search(r"SKU-\d+ · \w", text)


def test_plot_reads_labels_and_scores_as_predictions_does(tmp_path: Path):
    """Labels yes and no, weights: without the words the file cannot be read, or gives another curve."""
    (tmp_path / "x.csv").write_text("bought,p,stake\nyes,0.9,1\nno,0.8,5\nyes,0.2,1\nno,0.1,1\n", encoding="utf-8")
    line = ["plot", "roc", "x.csv", "--label", "bought", "--positive", "yes", "--score", "p"]

    rankgauge(*line, "-o", "plain.svg", cwd=tmp_path)
    rankgauge(*line, "--weight", "stake", "--scale", "probability", "-o", "weighed.svg", cwd=tmp_path)

    assert (tmp_path / "plain.svg").read_text("utf-8") != (tmp_path / "weighed.svg").read_text("utf-8")


def test_help_of_plot_names_every_kind():
    said = " ".join(_loaded("plot").help.split())

    assert {k for k in KINDS if not re.search(rf"\b{k}\b", said)} == set()


def test_plot_in_chinese(shop: Path, tmp_path: Path):
    rankgauge("plot", "measures", shop / "bm25.json", "--language", "zh", cwd=tmp_path)

    assert "均值与置信区间" in (tmp_path / "measures.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("diferences compared.json", "no chart 'diferences'. Did you mean differences?"),
        ("roc", "plot roc needs files: a file of labels and scores."),
        ("funnel", "plot funnel needs files: a funnel, stored as JSON."),
        (
            "differences qrels.txt",
            "plot differences needs QRELS and runs, a file that holds both, or a stored record, got 1 file.",
        ),
        ("roc compared.json", "roc needs an evaluation of labels and scores, got Comparison. It has: measures,"),
        ("query qrels.txt bm25.run dense.run", "plot query needs --query ID."),
        ("query qrels.txt bm25.run --query q001", "plot query needs judgements and two runs"),
        ("query qrels.txt bm25.run dense.run --query zz", "no judgements for query 'zz'"),
        ("differences compared.json --system dnse", "no system 'dnse'. Did you mean dense?"),
        ("differences compared.json -o figure.jpg", "a figure's name must end in .svg, .png, .pdf, got 'figure.jpg'"),
        ("clipping", "plot clipping needs files: an off-policy estimate, stored as JSON."),
        ("clipping qrels.txt bm25.run", "plot clipping needs an off-policy estimate, stored as JSON, got 2 files."),
        ("roc clicks.csv --ties best", "plot roc draws labels and scores: --ties would change nothing."),
        ("measures qrels.txt bm25.run --scale logit", "plot measures draws rankings: --scale would change nothing."),
        ("measures qrels.txt bm25.run --score x", "plot measures draws rankings: --score would change nothing."),
        ("measures bm25.json --ties best", "draws a stored record, which is finished: --ties would change nothing."),
        ("by_cutoff bm25.json", "this evaluation was stored and has no ranks of judged items"),
    ],
)
def test_plot_errors(shop: Path, line: str, says: str):
    before = set(shop.iterdir())

    assert says in rankgauge("plot", *shlex.split(line), cwd=shop, code=2).stderr
    assert set(shop.iterdir()) == before


# every command


@pytest.mark.slow
@pytest.mark.parametrize("name", list(COMMANDS))
def test_html_is_written_beside_what_is_printed(shop: Path, tmp_path: Path, name: str):
    line = COMMANDS[name]
    page = tmp_path / "page.html"

    plain = rankgauge(*shlex.split(line), cwd=shop)
    done = rankgauge(*shlex.split(line), "--html", page, cwd=shop)

    assert done.stdout == plain.stdout
    assert plain.stdout.strip()
    assert f"wrote {page}" in done.stderr
    if "contract" in sections(page):
        typed = shlex.join(["rankgauge", *shlex.split(line), "--html", str(page)])
        assert f"<pre>{typed}</pre>" in html.unescape(page.read_text(encoding="utf-8"))


def test_pages_with_numbers_say_how_they_were_made(shop: Path, tmp_path: Path):
    """The condition above must not be false everywhere."""
    rankgauge(*shlex.split(COMMANDS["evaluate"]), "--html", tmp_path / "page.html", cwd=shop)

    assert "contract" in sections(tmp_path / "page.html")


@pytest.mark.parametrize("name", list(COMMANDS))
def test_everything_is_said_in_chinese(shop: Path, name: str):
    words = shlex.split(COMMANDS[name])

    asked = rankgauge(*words, "--language", "zh", cwd=shop).stdout
    by_environment = rankgauge(*words, cwd=shop, language="zh").stdout

    assert CHINESE.search(asked)
    assert by_environment == asked
    if name != "demo":  # whose shop has Chinese queries
        assert not CHINESE.search(rankgauge(*words, cwd=shop).stdout)


def test_the_option_beats_the_environment(shop: Path):
    out = rankgauge("explain", "nDCG@10", "--language", "en", cwd=shop, language="zh").stdout

    assert not CHINESE.search(out)


def test_page_instead_of_a_table(shop: Path, tmp_path: Path):
    words = shlex.split(COMMANDS["evaluate"])

    rankgauge(*words, "-o", tmp_path / "page.html", cwd=shop)
    printed = rankgauge(*words, "--format", "html", cwd=shop).stdout

    assert "contract" in sections(tmp_path / "page.html")
    assert printed.startswith("<!doctype html>")
    assert printed.rstrip().endswith("</html>")


def test_slices_bring_the_texts_of_queries(shop: Path, tmp_path: Path):
    words = shlex.split(COMMANDS["compare"])

    rankgauge(*words, "--html", tmp_path / "without.html", cwd=shop)
    rankgauge(*words, "--html", tmp_path / "with.html", "--slices", "queries.jsonl", cwd=shop)

    text = "pixmarrow wireless earbuds"  # of q001
    assert text not in (tmp_path / "without.html").read_text(encoding="utf-8")
    assert text in (tmp_path / "with.html").read_text(encoding="utf-8")
    assert "slices" in sections(tmp_path / "with.html")


@pytest.mark.parametrize("line", [COMMANDS["evaluate"], COMMANDS["explain"], "report bm25.json"])
def test_a_page_that_cannot_be_written(shop: Path, tmp_path: Path, line: str):
    """No folder, and a file where a folder should be: said, with nothing left behind."""
    (tmp_path / "file").write_text("as it was")
    before = set(shop.iterdir())
    option = "-o" if line.startswith("report") else "--html"

    for place in (tmp_path / "nowhere" / "page.html", tmp_path / "file" / "page.html"):
        done = rankgauge(*shlex.split(line), option, place, cwd=shop, code=2)
        assert done.stderr.startswith("Error: ")
        assert str(place.parent) in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "as it was"
    assert set(shop.iterdir()) == before


@pytest.mark.slow
def test_files_are_there_although_nobody_reads_on(tmp_path: Path):
    """`rankgauge demo --save shop | head -1`"""
    words = [sys.executable, "-m", "rankgauge", "demo", "--save", "shop", "--html", "demo.html"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait()

    assert {"qrels.txt", "log.csv", "clicks.csv"} <= {p.name for p in (tmp_path / "shop").iterdir()}
    assert (tmp_path / "demo.html").stat().st_size > 100_000
