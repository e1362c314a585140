"""The pages that describe every measure and every policy, made from their records."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text, check_language, in_language
from rankgauge.evaluation.policy_fields import PolicyField, fields_of, words_as_text
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.evaluation.rankings.conventions import CONVENTIONS
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.measures import families
from rankgauge.measures.classes import families as of_classes
from rankgauge.measures.explanation import explain
from rankgauge.measures.predictions import families as of_predictions
from rankgauge.measures.shown import families as of_shown
from rankgauge.measures.spans import families as of_spans
from rankgauge.reporting.explanation import sections_of_explanation
from rankgauge.reporting.grid import Cell, Grid, Section
from rankgauge.reporting.words import MEASURE

__all__ = ["measures_page", "policies_page", "sections_of_measures"]

_POLICIES = Text(
    """\
What measures leave open is decided by words, one for each policy, printed with every result. They are arguments of
`rg.evaluate`, `rg.compare` and the pytest fixture, options of commands (`--no-relevant zero`) and keys of `[policy]` in
a gate's file. `policy=ev.policy` takes all of them from an evaluation; words beside it win. A convention gives its
words where no policy is passed, and its parameters of measures always. The first choice is the default.
""",
    """\
指标没有规定的部分由策略决定，每项一个词，并随结果一起打印。它们是 `rg.evaluate`、`rg.compare` 和 pytest
fixture 的参数、命令的选项（`--no-relevant zero`）以及门禁文件中 `[policy]` 的键。`policy=ev.policy`
沿用某次评测的全部策略，旁边写出的词优先。没有传入 policy 时由 convention 给出各词；convention
的指标参数始终有效。第一个选项是默认值。
""",
)

_BY_MEASURE = Text(
    """\
Single measures may have a word of their own: `no_relevant={"R": "skip", "Hit": "zero"}`, on the command line
`--no-relevant R=skip --no-relevant Hit=zero`, in a gate's file a table. Measures that are not named keep the word of
the policy or the convention; `"other"` (on the command line a bare word) changes theirs. Results print the word of all
others first (`no_relevant=skip,Hit=zero`), and `counts["left_out_by"]` says how many queries each measure left out.
""",
    """\
单个指标可以有自己的词：`no_relevant={"R": "skip", "Hit": "zero"}`，命令行写作
`--no-relevant R=skip --no-relevant Hit=zero`，门禁文件中写成表。未列出的指标沿用 policy 或 convention 的词；
`"other"`（命令行中不带指标名的词）可改变它们。结果中先写其余指标的词（`no_relevant=skip,Hit=zero`），
`counts["left_out_by"]` 给出每个指标未计入的查询数。
""",
)


def sections_of_measures(words: tuple[str, ...] = ()) -> list[Section]:
    """A table per family; only measures that mention all the words, or whose families do where none does itself."""
    out, every = [], _all_families()
    by_family = not any(cls.mentions(words) for _, members in every for cls in members)
    for family, members in every:
        rows = []
        for cls in members:
            if cls.mentions(words, family=by_family):
                shown = cls.name + ("@k" if any(p.at for p in cls.params.values()) else "")
                rows.append([Cell(shown, strong=True), Cell(cls.question), Cell(_names(cls), quiet=True)])
        if rows:
            header = [MEASURE, Text("question", "问题"), Text("also typed as", "其他写法")]
            out.append(Section(family, Grid(header, rows, frozenset({0, 1, 2}))))
    return out


def _names(cls: Any) -> Text:
    """A few other names: those in Latin letters, or the Chinese ones first."""
    own = [name for name in cls.aliases if not cls.spellings.get(name)]  # others stand for other numbers
    latin = [name for name in own if name.isascii()]
    chinese = sorted((name for name in own if not name.isascii()), key=lambda name: name != cls.title.zh)
    return Text(", ".join(latin[:4]), "、".join((*chinese, *latin)[:4]))


def _all_families() -> list[tuple[str, list[Any]]]:
    """Of rankings, of what is shown, of spans, of labels and scores, of several classes."""
    kinds = (families, of_shown, of_spans, of_predictions, of_classes)
    return [item for kind in kinds for item in kind().items()]


def _sample_of(cls: Any) -> Any:
    """The measure with its defaults; a required threshold is that of its worked example."""
    return cls(threshold=0.5) if "threshold" in cls.params else cls()


_MEASURES = Text(
    "# Measures\n\nMade by `rankgauge measures --markdown`; `rankgauge explain NAME` shows one of them.\n",
    "# 指标\n\n由 `rankgauge measures --markdown --language zh` 生成；"
    "`rankgauge explain 名称 --language zh` 显示其中一个。\n",
)


def measures_page(language: str | None = None) -> str:
    """Everything about every measure, in Markdown."""
    from rankgauge.reporting.markup import markdown

    language = check_language(language)
    parts = [_MEASURES.of(language), markdown(sections_of_measures(), language)]
    for cls in (cls for _, members in _all_families() for cls in members):
        first, *rest = sections_of_explanation(explain(_sample_of(cls)))
        parts.append(f"## {in_language(first.title, language)}\n")
        parts.append(markdown([Section(grid=first.grid), *rest], language))
    return "\n".join(parts)


def policies_page() -> str:
    """What every policy decides and can be told, in both languages, and what conventions say, in Markdown."""
    from rankgauge.reporting.markup import markdown

    parts = ["# Policies\n", _POLICIES.en, _POLICIES.zh]
    for title, policy in (("Of rankings 排序", Policy), ("Of labels and scores 标签与得分", PredictionPolicy)):
        parts.append(f"## {title}\n")
        for name, f in fields_of(policy).items():
            parts.append(f"### `{name}`\n")
            parts.append(markdown([_section_of_policy(f)]))
            parts += [_BY_MEASURE.en, _BY_MEASURE.zh] if f.by_measure else []
    parts.append("## Conventions 约定\n")
    rows = [
        [
            Cell(c.name, strong=True),
            Cell(" ".join(f"{name}={words_as_text(word)}" for name, word in c.policy.items())),
            Cell(
                " ".join(f"{m}({', '.join(f'{k}={v}' for k, v in given.items())})" for m, given in c.parameters.items())
            ),
        ]
        for c in CONVENTIONS.values()
    ]
    header = [Text("convention", "约定"), Text("words", "词"), Text("parameters", "参数")]
    parts.append(markdown([Section(grid=Grid(header, rows, frozenset({0, 1, 2})))]))
    return "\n".join(parts)


def _section_of_policy(f: PolicyField) -> Section:
    if not f.choices:
        return Section(notes=[f"{f.about.en} {f.about.zh}"])
    rows = [[Cell(word, strong=True), Cell(what.en), Cell(what.zh)] for word, what in f.choices.items()]
    header = [Text("choice 选项", "choice 选项"), f.about.en, f.about.zh]
    return Section(grid=Grid(header, rows, frozenset({0, 1, 2})))
