"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge._memory import room_of
from rankgauge._show import neutral, show
from rankgauge._text import Text, composed, in_language, joined, mapped, zh
from rankgauge.cli.places import Target
from rankgauge.cli.style import Option, click, is_dressed
from rankgauge.cli.terminal import wrote
from rankgauge.cli.types import Choice, Number
from rankgauge.data.choosing import ENGINES, batches_to_read
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.policy_fields import PolicyField, fields_of
from rankgauge.evaluation.rankings.policy import Policy

if TYPE_CHECKING:
    from rankgauge.data.columns import Kind

__all__ = [
    "SINGLE_COLUMNS",
    "Input",
    "Place",
    "class_options",
    "classes_of",
    "column_map",
    "columns_option",
    "confidence_option",
    "digits_option",
    "documents_option",
    "engine_options",
    "examples",
    "measures_option",
    "needs_run",
    "number_map",
    "policy_option",
    "policy_options",
    "reading_of",
    "reading_options",
    "shown_options",
    "start_engine",
    "status",
    "table_option",
    "testing_options",
    "tokenizer_of",
    "tokenizer_option",
    "unpacking_option",
    "watched",
    "write_on_spark",
    "write_table",
]

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The epilog of a command: lines that can be typed as they are."""
    heading = Text("Examples:", "示例：")
    if is_dressed:  # rich-click joins lines unless an empty one is between them, which it leaves out
        return joined("\n\n", (heading, *(f"\b  {line}" for line in lines)))
    return "\b\n" + heading + "\n" + "\n".join(f"  {line}" for line in lines)


def measures_option(help: Text, *kinds: str) -> Callable[[F], F]:
    """`-m`, which may be repeated; shells complete names of measures of these kinds, of rankings unless said."""

    def names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        from rankgauge import measures

        known = dict.fromkeys(name for kind in kinds or ("RANKINGS",) for name in getattr(measures, kind).measures)
        return [name for name in known if name.casefold().startswith(incomplete.casefold())]

    return click.option("-m", "--measure", "measures", multiple=True, shell_complete=names, help=help)


def reading_options(command: F) -> F:
    """How labels and scores are found in a table, and what they are."""
    from rankgauge.evaluation.predictions.policy import PredictionPolicy

    for option in (
        click.option("--label", default=None, help=Text("The column of labels.", "标签列。")),
        click.option(
            "--score",
            "models",  # `scores` is a policy of rankings
            multiple=True,
            help=Text("The column of scores; several are several models.", "得分列；给出多个即多个模型。"),
        ),
        click.option(
            "--group",
            default=None,
            help=Text(
                "The column whose rows belong together, such as user_id.", "哪一列标明属于同一组的行，如 user_id。"
            ),
        ),
        click.option("--weight", default=None, help=Text("The column of weights.", "权重列。")),
        click.option(
            "--time", default=None, help=Text("The column that orders rows in time.", "标明行的时间先后的列。")
        ),
        click.option(
            "--slice",
            "--segment",
            "segments",
            multiple=True,
            help=Text("A column to slice by; may be repeated.", "用于切片的列；可重复给出。"),
        ),
        click.option(
            "--positive",
            default=None,
            help=Text("Labels that count as positive: yes, 2, '>=4'.", "哪些标签算正样本：yes、2、'>=4'。"),
        ),
        *(policy_option(name, f) for name, f in fields_of(PredictionPolicy).items()),
    )[::-1]:
        command = option(command)
    return command


def reading_of(options: dict[str, Any]) -> dict[str, Any]:
    """What `reading_options` were told, taken out of the options: keywords of `evaluate_predictions`."""
    from rankgauge.evaluation.predictions.policy import PredictionPolicy

    names = list(options.pop("models"))
    found = {role: options.pop(role) for role in (*SINGLE_COLUMNS, "positive", *fields_of(PredictionPolicy))}
    scores = names[0] if len(names) == 1 else names or None  # one by its name, several as a list
    return {**found, "scores": scores, "slices": options.pop("segments")}


def class_options(command: F) -> F:
    """How several classes are found in a table."""
    for option in (
        click.option(
            "--prediction",
            "called",
            multiple=True,
            help=Text(
                "The column of predicted classes; several are several models. Labels are classes then, also 0 and 1.",
                "预测类别所在的列；多列表示多个模型。此时标签按类别处理，0 和 1 也一样。",
            ),
        ),
        click.option(
            "--probabilities",
            "prefixes",
            multiple=True,
            metavar="PREFIX",
            help=Text(
                "How the columns of probabilities begin, one for each class: p_ for p_cat, p_dog; several are several "
                "models.",
                "概率列名的前缀，每个类别一列：p_ 对应 p_cat、p_dog；多个前缀表示多个模型。",
            ),
        ),
        click.option(
            "--classes",
            default=None,
            metavar="A,B,…",
            help=Text("The names of all classes, in the order of tables.", "所有类别的名称，按表格中的顺序。"),
        ),
    )[::-1]:
        command = option(command)
    return command


def classes_of(options: dict[str, Any]) -> dict[str, Any]:
    """What `class_options` were told, taken out of the options: keywords of `evaluate_predictions`."""
    found: dict[str, Any] = {}
    for option, keyword in (("called", "prediction"), ("prefixes", "probabilities")):
        names = list(options.pop(option))
        found[keyword] = names[0] if len(names) == 1 else names or None
    classes = options.pop("classes")
    return {**found, "classes": None if classes is None else [name.strip() for name in classes.split(",")]}


SINGLE_COLUMNS = ("label", "weight", "group", "time")


def policy_option(name: str, f: PolicyField, *, without: Container[str] = ()) -> Callable[[F], F]:
    """The option of one policy field; `without` are words that the command cannot follow."""
    typed = {word: what for word, what in f.typed.items() if word not in without}
    meaning = _meanings(typed)
    kinds: dict[type[Any], Any] = {
        str: Choice(list(typed)),
        int: click.IntRange(min=1),
        float: Number(f.above, f.at_most, min_open=True),
    }
    option = f"--{name.replace('_', '-')}"
    if f.by_measure:
        return click.option(
            option,
            multiple=True,
            default=None,
            metavar="WORD|MEASURE=WORD",
            callback=lambda ctx, param, given: ",".join(given or ()) or None,
            help=meaning
            + Text(" For single measures: R=skip; may be repeated.", "个别指标单独指定：R=skip；可重复给出。"),
        )
    return click.option(option, type=kinds[f.kind], default=None, help=meaning if typed else f.about)


def _meanings(words: Mapping[str, str]) -> Text:
    """What each word of an option means: `skip: left out; zero: counts as 0.`"""
    each = [composed("{}: {}", "{}：{}", word, what) for word, what in words.items()]
    return composed("{}.", "{}。", joined(Text("; ", "；"), each))


def testing_options(correction: Text) -> Callable[[F], F]:
    """How differences are tested, as `compare` and `sweep` take it; `correction` says what is corrected together."""

    def dressed(command: F) -> F:
        for option in (
            click.option(
                "--test",
                type=Choice(["randomisation", "t", "wilcoxon", "sign", "bootstrap"]),
                default="randomisation",
                show_default=True,
                help=Text("How differences are tested.", "用什么方法检验差异。"),
            ),
            click.option(
                "--correction",
                type=Choice(["holm", "bh", "bonferroni", "none"]),
                default="holm",
                show_default=True,
                help=correction,
            ),
            click.option("--alpha", type=Number(0, 0.5, min_open=True, max_open=True), default=0.05, show_default=True),
            click.option(
                "--margin",
                type=Number(0, min_open=True),
                default=None,
                help=Text(
                    "A difference that does not matter: inside it systems are equivalent.",
                    "无关紧要的差异：在此范围内视为等效。",
                ),
            ),
            click.option("--permutations", type=click.IntRange(100), default=10_000, show_default=True),
            click.option(
                "--seed",
                type=click.IntRange(0),
                default=0,
                show_default=True,
                help=Text("Of the permutations.", "置换所用的随机种子。"),
            ),
        )[::-1]:
            command = option(command)
        return command

    return dressed


def policy_options(command: F) -> F:
    """What measures leave open: the policy words, depth and relevance level, and the named conventions."""
    convention = click.option(
        "--convention",
        default=None,
        help=Text(
            "Compute as another tool does: trec_eval, trec_eval-9, pytrec_eval, ir_measures, ranx, … "
            "[default: rankgauge]",
            "按其他工具的方式计算：trec_eval、trec_eval-9、pytrec_eval、ir_measures、ranx、…[默认：rankgauge]",
        ),
    )
    for option in (convention, *(policy_option(name, f) for name, f in fields_of(Policy).items()))[::-1]:
        command = option(command)
    return command


def shown_options(command: F) -> F:
    """What measures of shown items need to know of users and items."""
    train = click.option(
        "--train",
        type=Input(),
        default=None,
        help=Text(
            "Interactions before, for measures of what is shown (ARP, MIUF, Unseen), and to see whether the test was "
            "learned from: a table with user_id and item_id.",
            "此前的交互，供展示类指标（ARP、MIUF、Unseen）使用，并检查测试集是否已被学到：带 user_id 和 item_id 的表。",
        ),
    )
    items = click.option(
        "--items",
        type=Input(),
        default=None,
        help=Text(
            "The catalogue, for measures of what is shown (Coverage, ItemGini): a table with item_id, and what else is "
            "known of items, such as category.",
            "物品目录，供展示类指标（Coverage、ItemGini）使用：带 item_id 的表，可有 category 等属性。",
        ),
    )
    return train(items(command))


def tokenizer_option(command: F) -> F:
    """What counts the tokens of budgets."""
    return click.option(
        "--tokenizer",
        default=None,
        metavar="WORD",
        help=Text(
            "What counts the tokens of budgets such as R(budget=2000t): module:callable (search:count is count in "
            "search.py of this folder), a tokenizer.json, or an encoding of tiktoken. Words and signs unless given.",
            "预算（如 R(budget=2000t)）的词元如何计数：module:callable（search:count 即当前文件夹 search.py 中的 "
            "count）、tokenizer.json，或 tiktoken 的编码名。默认按词和符号计数。",
        ),
    )(command)


def documents_option(command: F) -> F:
    """Texts by id, for commands that show none of them."""
    return click.option(
        "--documents",
        type=Input(),
        default=None,
        help=Text(
            "Texts of results by id (JSONL, CSV, Parquet, a folder of BEIR), for measures with a budget, "
            "'R(budget=2000t)', and for gold that is quoted: it is located in them.",
            "结果的文本（按 id 给出：JSONL、CSV、Parquet、BEIR 文件夹），用于带预算的指标 'R(budget=2000t)'，"
            "以及标准答案是原文的情形：在其中定位。",
        ),
    )(command)


def tokenizer_of(word: str | None) -> Any:
    """What `--tokenizer` names; None where nobody said."""
    if word is None:
        return None
    from rankgauge.collection.tokenizers import tokenizer_named

    return tokenizer_named(word)


class Input(click.Path):
    """A file or folder to read; standard input (`-`), a pipe or a FIFO is taken in at once.

    A word of `words` stands for itself, and with `names` so does whatever is no file; a file of that name is written
    ./word.
    """

    def __init__(self, *words: str, names: bool = False) -> None:
        super().__init__(path_type=Path)
        self.words, self.names = words, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and value in self.words:
            return value
        if isinstance(value, Path) or (ctx is not None and ctx.resilient_parsing):  # a default; completing words
            return value
        from rankgauge._piped import refuse_twice, taken_in

        if value == "./-":  # the way to name a file that is called so; a Path would forget the folder
            return Path.cwd() / "-"
        if ctx is not None:
            refuse_twice(value, ctx.find_object(list) or ())
        found = taken_in(value)
        if self.names and isinstance(found, str) and not Path(found).exists():
            return found
        return found if isinstance(found, Path) else super().convert(value, param, ctx)


class Sliced(Input):
    """A file with attributes of queries; or the word that makes slices of `--train`, with where they begin."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from rankgauge.data.activity import is_word

        return value if is_word(value) else super().convert(value, param, ctx)


_NOTHING = Text("", "")


def slices_option(why: Text = _NOTHING) -> Callable[[F], F]:
    """`--slices`, which may be said again: a table beside the word."""
    return click.option(
        "--slices",
        type=Sliced("activity"),
        multiple=True,
        callback=_one_or_several,
        metavar="[activity | FILE]",
        help=help_on_slices(why),
    )


def help_on_slices(why: Text) -> Text:
    """What `--slices` takes, and what for."""
    return Text(
        f"Attributes of queries{why}: CSV, JSONL, Parquet with a query_id column; or activity: users who are cold (not "
        "in --train), warm, heavy; 'activity(warm=5, heavy=0.9)' says from how many interactions on, or above which "
        "share of users. A file called activity is written ./activity. May be given again, to have both.",
        f"查询的属性{zh(why)}：带 query_id 列的 CSV、JSONL、Parquet；或 activity：按 --train 把用户分为 "
        "cold（不在其中）、warm、heavy；'activity(warm=5, heavy=0.9)' 指定从多少次交互起，或高于多大比例的用户。"
        "名为 activity 的文件写作 ./activity。可以重复，两者并用。",
    )


def _one_or_several(ctx: click.Context, param: click.Parameter, value: tuple[Any, ...]) -> Any:
    return list(value) if len(value) > 1 else next(iter(value), None)


class Place(Input):
    """An input; or an address such as s3a://bucket/run, which only Spark can open."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if "://" in str(value) else super().convert(value, param, ctx)


def unpacking_option() -> click.Option:
    """How far compressed input may unpack; `app` gives it to every command that reads."""
    return Option(
        ["--max-unpacked"],
        metavar="SIZE",
        expose_value=False,
        is_eager=True,
        callback=_limit_unpacked,
        envvar="RANKGAUGE_MAX_UNPACKED",
        show_envvar=True,
        help=Text(
            "What a compressed input may unpack to in memory, such as 20GiB; unless said, 200 times its size, "
            "at least 1 GiB, at most half of the free memory.",
            "压缩的输入在内存中最多可以解压到多大，如 20GiB；不给出时为其大小的 200 倍，至少 1 GiB，至多"
            "为空闲内存的一半。",
        ),
    )


def _limit_unpacked(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        from rankgauge._unpacked import limit_unpacked

        limit_unpacked(value)
        ctx.call_on_close(lambda: limit_unpacked(None))  # of this command, not of the next one in this process


def engine_options(command: F) -> F:
    """Where the numbers are computed; they are the same everywhere."""
    for option in (
        click.option(
            "--engine",
            type=Choice(list(ENGINES)),
            default="auto",
            show_default=True,
            help=_meanings(ENGINES),
        ),
        click.option(
            "--memory",
            metavar="SIZE",
            default=None,
            help=Text(
                "What may be held in memory, such as 2GiB; half of what is free unless said.",
                "最多可占用的内存，如 2GiB；默认为空闲内存的一半。",
            ),
        ),
        click.option(
            "--master",
            metavar="URL",
            default=None,
            help=Text(
                "With --engine spark: local[*], spark://host:7077, or sc://host:15002 for Spark Connect.",
                "与 --engine spark 同用：local[*]、spark://host:7077，或 Spark Connect 的 sc://host:15002。",
            ),
        ),
    )[::-1]:
        command = option(command)
    return command


@contextmanager
def watched(
    file: str | Path, kind: Kind, columns: Mapping[str, str] | None, engine: str, memory: str | None
) -> Iterator[None]:
    """A spinner while someone watches; what is read in pieces has a bar of its own."""
    try:
        large = engine != "spark" and batches_to_read(file, kind, columns, "", engine, room_of(memory)) is not None
    except InputError:  # whoever reads it says so, or knows that it is something else
        large = False
    with nullcontext() if large else status(Text(f"evaluating {Path(file).name} …", f"正在评测 {Path(file).name} …")):
        yield


def write_on_spark(result: Any, path: Path) -> None:
    """Values that lie on Spark, written by Spark."""
    if not hasattr(result, "write"):
        raise ParameterError(
            Text(
                "--per-query: with --engine spark, name one run; each writes a folder of its own.",
                "--per-query：使用 --engine spark 时只能给出一个结果文件；每个系统各写一个文件夹。",
            )
        )
    if path.suffix != ".parquet":
        raise ParameterError(
            Text(
                f"--per-query: with --engine spark it must end in .parquet, got {show(path.name)}.",
                f"--per-query：使用 --engine spark 时后缀必须是 .parquet，实际为 {show(path.name)}。",
            )
        )
    result.write(path)
    wrote(path)


def start_engine(engine: str, master: str | None) -> None:
    """The Spark session that the call will use."""
    if engine == "spark":
        from rankgauge.engines.spark.session import session

        session(master)
    elif master is not None:
        raise ParameterError(
            Text(
                "--master says where Spark runs: pass --engine spark with it.",
                "--master 说明 Spark 在哪里运行：请同时给出 --engine spark。",
            )
        )


def digits_option(command: F) -> F:
    return click.option(
        "--digits",
        type=click.IntRange(0, 15),
        default=4,
        show_default=True,
        help=Text("Decimals shown.", "显示的小数位数。"),
    )(command)


def confidence_option(command: F) -> F:
    return click.option(
        "--confidence",
        type=Number(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help=Text("Level of the intervals.", "置信区间的置信水平。"),
    )(command)


def columns_option(command: F) -> F:
    return click.option(
        "--columns",
        metavar="NAME=ROLE,…",
        default=None,
        help=Text(
            "Names of columns and their roles: docno=doc_id,sim=score or click=label. Usual names are known.",
            "列名及其含义：docno=doc_id,sim=score 或 click=label。常见列名会自动识别。",
        ),
    )(command)


def column_map(text: str | None) -> dict[str, str] | None:
    """`docno=doc_id,sim=score` → a dict."""
    if not text:
        return None
    out = {}
    for part in text.split(","):
        name, eq, role = part.partition("=")
        if not eq or not name or not role:
            raise ParameterError(
                Text(
                    f"--columns must look like docno=doc_id,sim=score, got {show(part)}.",
                    f"--columns 必须写成 docno=doc_id,sim=score 的形式，实际为 {show(part)}。",
                )
            )
        out[name.strip()] = role.strip()
    return out


def status(text: str) -> Any:
    """A spinner while someone watches."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.text import Text as Words

        return Console(stderr=True).status(Words(neutral(in_language(text))))
    return nullcontext()


@contextmanager
def needs_run(command: str, path: Path) -> Iterator[None]:
    """Says what is missing where the only file that was given cannot be read by itself."""
    from rankgauge.data.together import refuse_one_side
    from rankgauge.errors import InputError

    try:
        yield
    except InputError as e:
        refuse_one_side(path)
        told = (
            "only one file was given, and judgements need a run beside them: rankgauge {0} QRELS RUN. Alone it cannot "
            "be read: {1}",
            "只给了一个文件，而标注需要配上系统结果：rankgauge {0} QRELS RUN。单独无法读取：{1}",
        )
        raise InputError(
            composed(*told, command, mapped(lambda said: said.partition("\n")[0], e.text)), e.problems
        ) from e


def table_option(flag: str, what: Text) -> Callable[[F], F]:
    """An option that names the file for a table of something; `write_table` writes it."""
    help = Text(f"Write {what}: .csv, .tsv, .jsonl or .parquet.", f"写出{what.zh}：.csv、.tsv、.jsonl 或 .parquet。")
    return click.option(flag, type=Target(), default=None, help=help)


def write_table(frame: Any, path: Path, option: str) -> None:
    """A table of values; the file appears only when it is complete."""
    from rankgauge.data.formats.write import write_frame

    write_frame(frame, path, option)
    wrote(path)


def number_map(option: str, text: str | None) -> dict[str, float] | None:
    """`click=1,cart=2` → a dict."""
    if text is None:
        return None
    out = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            out[name.strip()] = float(value if name.strip() else "")
        except ValueError:
            raise ParameterError(
                Text(
                    f"{option} must look like click=1,cart=2, got {show(part)}.",
                    f"{option} 必须写成 click=1,cart=2 的形式，实际为 {show(part)}。",
                )
            ) from None
    return out
