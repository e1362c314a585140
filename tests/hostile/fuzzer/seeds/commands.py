"""Every command, as it is typed. `{run}` is a slot; its file is written by the case."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

from fuzzer.checks import Outcome

from .seed import GATE, OK, Seed, ran

__all__ = ["COMMANDS"]


def _command(
    typed: str, *, reads: str = "", weight: int = 1, fixed: str = "", plainest: str = "", mute: bool = False
) -> Seed:
    words = tuple(shlex.split(typed))
    slots = tuple(dict.fromkeys((*re.findall(r"{(\w+)}", typed), *fixed.split())))

    def call(inputs: Mapping[str, Any], options: Mapping[str, Any]) -> Outcome:
        argv = options.get("argv", words)
        names = {slot: str(value) for slot, value in inputs.items()}
        with patch("rankgauge.project.watching.WallClock.wait", _stopped):
            return ran([_filled(word, names) for word in argv], reads)

    promised = GATE if words[0] in ("gate", "run", "watch") else OK
    return Seed(
        f"rankgauge {typed}",
        words[0],
        slots,
        call,
        {},
        False,
        frozenset(fixed.split()),
        words,
        promised,
        weight,
        plainest,
        mute,
        bool(plainest)
        or words[0] == "online"
        or bool({"--score", "--slice"} & set(words)),  # its options name columns, letter by letter
        words[0] in ("audit", "diagnose"),
    )


def _stopped(clock: Any, seconds: float) -> bool:
    """Nobody waits here for the second run of `watch`: it is told to stop."""
    return seconds > 0


def _filled(word: str, names: Mapping[str, str]) -> str:
    return re.sub(r"{(\w+)}", lambda m: names.get(m[1], m[0]), word)


COMMANDS: tuple[Seed, ...] = (
    _command("evaluate {qrels} {run} -m nDCG@10 -m AP -m RR -m P@5 -m R@5 --json", weight=6),
    _command("evaluate {qrels} {run} {run_b} -m nDCG@5 --csv", weight=2, mute=True),
    _command("evaluate {qrels} {run} -m nDCG@10 --slices {slices} --json", weight=2),
    _command("evaluate {qrels} {run} -m nDCG@10 -m P@5 --engine streaming --json", weight=3, plainest="parquet"),
    _command("evaluate {qrels} {run} -m RR -m ERR --ties expected --unjudged remove --json"),
    _command("evaluate {qrels} {run} --convention trec_eval -m all_trec -f trec -q --digits 6", weight=2, mute=True),
    _command("evaluate {qrels} {run} -m nDCG@10 --html page.html --documents {documents} --query-texts {texts} --json"),
    _command("evaluate {ragas} -m nDCG@10 -m RR --json", weight=2),
    _command("evaluate {pairs} -m nDCG@10 -m RR --json", weight=2),
    _command("evaluate {by_query} -m nDCG@10 -m RR --json", weight=2),
    _command("evaluate {columns} -m P@5 -m R@5 --json"),
    _command("evaluate {sides} -m nDCG@10 -m RR --json"),
    _command("evaluate {opensearch} {run} -m nDCG@10 -m RR --json"),
    _command("evaluate {quepid} {run} -m nDCG@10 -m RR --json"),
    _command("compare old={by_query} new={sides} -m RR --permutations 200 --json", fixed="sides"),
    _command("convert {ragas} out.csv --kind qrels", reads="out.csv", mute=True),
    _command("compare {qrels} {run} {run_b} -m nDCG@10 -m RR --permutations 200 --json", weight=3),
    _command("compare {qrels} {run} {run_b} -m nDCG@10 --permutations 200 --slices {slices} --json"),
    _command("compare --evaluations {evaluation} {evaluation_b} --permutations 200 --json", weight=2),
    _command("diagnose {qrels} {run} --json", weight=2),
    _command("diagnose {qrels} {run} {run_b} --scenario faq --json"),
    _command("diagnose {predictions} --json"),
    _command("diagnose {qrels} {run} --scenario faq --standards {standards} --json", weight=2),
    _command(
        "gate {qrels} {run} --floor nDCG@10>=0.3 --ceiling missing_queries<=0 --json gate.json",
        reads="gate.json",
        weight=3,
    ),
    _command(
        "gate {qrels} {run} --baseline {evaluation} --non-inferior nDCG@10:0.2 --json gate.json", reads="gate.json"
    ),
    _command(
        "gate {qrels} {run} --floor RR>=0.1 --slices {slices} --slice-floor RR>=0.1 --min-queries 1 --json gate.json",
        reads="gate.json",
    ),
    _command("gate {gate} --json gate-out.json", reads="gate-out.json", fixed="qrels run slices", weight=3),
    _command(
        "gate {predictions} --score score --floor AUC>=0.1 --bounds COPC=0.1..9 --json gate.json", reads="gate.json"
    ),
    _command(
        "run {project} --store h.db --at 2026-11-02 --json -o out.json", reads="out.json", fixed="qrels run", weight=2
    ),
    _command("watch {project} --store h.db --every 1d --times 1", fixed="qrels run", mute=True),
    _command("export grafana", mute=True),
    _command("power {qrels} {run} {run_b} -m nDCG@10 --difference 0.05"),
    _command("power --sd 0.2 --difference 0.02"),
    _command("funnel {qrels} first={run} last={run_b} -k 5 --json", weight=2),
    _command("channels {qrels} first={run} second={run_b} -k 5 --json", weight=2),
    _command("tradeoff {qrels} a={run} b={run_b} -m RR -m P@3 --permutations 200 --json", weight=2),
    _command("overlap {run} {run_b} -k 5 --json", weight=2),
    _command("answers {qrels} {run} --answers {answers} -k 5 --json", weight=2),
    _command(
        "sweep {qrels} a={run} b={run_b} --documents {documents} --budget 5t --budget 20t --permutations 200 --json",
        fixed="documents",  # those of evaluate are changed
        weight=2,
    ),
    _command("report {evaluation} {evaluation_b} -o page.html", reads="page.html", weight=2),
    _command("report {comparison} -o page.html", reads="page.html"),
    _command("report {funnel} -o page.html", reads="page.html"),
    _command("plot measures {qrels} {run} {run_b} -m nDCG@10 -o chart.svg", reads="chart.svg", mute=True),
    _command("plot reliability {predictions} -o chart.svg", reads="chart.svg"),
    _command("plot confusion {classes} --prediction prediction -o chart.svg", reads="chart.svg"),
    _command("plot funnel {funnel} -o chart.svg", reads="chart.svg"),
    _command(
        "rag {squad} --retriever fuzzer.asking:find -k 5 -m R@5 -m SpanRecall@5 --most 0 --csv", weight=2, mute=True
    ),
    _command("collect {squad} --retriever fuzzer.asking:find -k 5 --run lists.csv", reads="lists.csv", mute=True),
    _command("split {interactions} --json", weight=2),
    _command(
        "split {interactions} --by user --folds 2 --train train.csv --test test.csv", reads="test-1.csv", mute=True
    ),
    _command("baseline {interactions} --kind item-knn -k 3 -o knn.csv", reads="knn.csv", weight=2, mute=True),
    _command("judgements {log} --min-impressions 1 --unclear keep --dwell none --json", weight=3),
    _command("judgements {log} --min-impressions 1 --unclear keep --dwell none -o made.csv", reads="made.csv"),
    _command("bias {log} --min-support 1 --json", weight=2),
    _command("interleave {run} {run_b} --length 4 -o lists-out.csv", reads="lists-out.csv", weight=2, mute=True),
    _command("interleave --assignment {lists} --log {log} --json", weight=2),
    _command("online ab {arms} --numerator clicks --denominator shown --unit user_id --json", weight=2),
    _command("online cuped {arms} --numerator clicks --before before --unit user_id --json"),
    _command("online sample-ratio {units} --unit user_id --json"),
    _command("online off-policy {choices} --reward click --user user_id --json"),
    _command("online agreement {experiments} --json"),
    _command("predictions {predictions} --json", weight=4),
    _command("predictions {predictions} -m AUC -m LogLoss --engine streaming --json", weight=2, plainest="parquet"),
    _command("predictions {predictions} -m AUC -m GAUC --reliability --threshold F1 --slice device"),
    _command("predictions {classes} --prediction prediction --slice device --json", weight=3),
    _command("predictions {classes} -m Accuracy -m f1_macro -m Kappa --per-class by_class.csv", reads="by_class.csv"),
    _command("drift {predictions} --every month --reference 1 --fewest 2 --json"),
    _command("calibrate {predictions}", weight=2),
    _command("calibrate {predictions} --apply {calibrator} --to scores.csv", reads="scores.csv", mute=True),
    _command("audit {qrels} {run} --json", weight=2),
    _command("audit {qrels} --json"),
    _command("audit {qrels} {run} --train {interactions} --json"),
    _command("convert {run} out.jsonl", reads="out.jsonl", weight=2, mute=True),
    _command("convert {qrels} out.csv --kind qrels", reads="out.csv", weight=2, mute=True),
    _command("convert {run} out.parquet --kind run", reads="out.parquet", mute=True),
    _command("history list --store history.db --json"),
    _command("scenarios faq"),
    _command("explain nDCG@10"),
    _command("measures first relevant"),
    _command("completion bash"),
    _command("demo --seed 7"),
)
