"""What the files and options of `rankgauge gate` say, as a gate of rankings or of labels and scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge._piped import is_there, keep, path_of
from rankgauge._text import Text, composed
from rankgauge._unpacked import inner_suffix
from rankgauge.cli.files import Given, parted
from rankgauge.cli.gate_options import RANKINGS, ROWS, is_said, typed
from rankgauge.cli.options import column_map, reading_of
from rankgauge.cli.retriever_options import HOW, retriever_named_in
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy

if TYPE_CHECKING:
    from rankgauge.gate import Gate, PredictionGate

__all__ = ["files_of", "gate_of"]

Flags = dict[str, Any]


def gate_of(files: tuple[Path, ...], flags: Flags) -> tuple[Gate | PredictionGate, dict[str, str]]:
    """The gate that files and flags describe, and what run and baseline are called where that was said."""
    if _is_of_rows(files, flags):
        return _of_rows(files[0], flags), {}
    if said := typed(flags, ROWS):
        raise ParameterError(
            composed(
                "{} is for a table of labels and scores, and this gate is about rankings. Leave it out.",
                "{} 用于标签与得分的表，而这个门禁针对排序结果。请去掉。",
                ", ".join(said),
            )
        )
    return _of_rankings(files, flags)


def _is_of_rows(files: tuple[Path, ...], flags: Flags) -> bool:
    """Whether this is about labels and scores: a table with their options, or a CONFIG that names such a table."""
    if len(files) != 1:
        return False
    path = files[0]  # not opened yet: a pipe is read once
    if inner_suffix(path) != ".toml":
        return bool(typed(flags, ROWS))
    from rankgauge.gate.file import gate_file

    return "predictions" in gate_file(path)[0]


def _of_rows(file: Path, flags: Flags) -> PredictionGate:
    from rankgauge.gate import PredictionGate

    if said := typed(flags, RANKINGS):
        raise ParameterError(
            composed(
                "{} is for rankings, and this gate is about labels and scores. Leave it out.",
                "{} 用于排序结果，而这个门禁针对标签与得分。请去掉。",
                ", ".join(said),
            )
        )
    reading = reading_of(asked := dict(flags))
    scores = reading.pop("scores")
    if isinstance(scores, list):
        raise ParameterError(
            Text(
                "gate decides on one model: name one --score, and the model in use with --baseline-score.",
                "gate 只裁决一个模型：请只给一个 --score，在用模型用 --baseline-score 指定。",
            )
        )
    columns, in_use, baseline = (asked.pop(name) for name in ("columns", "baseline_score", "baseline"))
    path = path_of(file)
    is_config = inner_suffix(path) == ".toml"
    return PredictionGate.from_flags(
        file=path if is_config else None,
        predictions=None if is_config else str(path),
        score=scores,
        baseline=in_use or baseline,
        columns=column_map(columns),
        **_said(asked | reading),
    )


def _of_rankings(files: tuple[Path, ...], flags: Flags) -> tuple[Gate, dict[str, str]]:
    from rankgauge.gate import Gate

    asked = {name: value for name, value in flags.items() if name not in ROWS}
    called, retriever = retriever_named_in(asked.pop("retriever") or "")
    roles = {role: asked.pop(role) for role in ("qrels", "run", "baseline")}
    config, given = _placed(files, roles, is_asked=bool(retriever))
    sliced_by = [_text(x) for x in asked.pop("slices")]
    slices = {
        "file": sliced_by if len(sliced_by) > 1 else next(iter(sliced_by), None),
        "min_queries": asked.pop("min_queries"),
    }
    policy = {name: asked.pop(name) for name in ("convention", *fields_of(Policy))}
    columns = asked.pop("columns")
    read: Flags = {name: _text(asked.pop(name)) for name in ("standards", "train", "items", "documents", "chunks")}
    read["queries"] = _text(asked.pop("query_texts"))
    how = {"resume": _text(asked.pop("journal"))} | {name: asked.pop(name) for name in HOW}
    try:
        gate = Gate.from_flags(
            file=config,
            **{role: file.path for role, file in given.items()},
            **read,
            slices={name: value for name, value in slices.items() if value is not None},
            policy={name: value for name, value in policy.items() if value is not None},
            columns=column_map(columns),
            retriever=retriever or None,
            collect={name: value for name, value in how.items() if value is not None},
            **_said(asked),
        )
    except InputError as e:
        if config is None or ".toml" in path_of(config).suffixes:
            raise
        told = ("{} gate takes one CONFIG.toml, or QRELS and RUN.", "{}gate 需要一个 CONFIG.toml，或者 QRELS 和 RUN。")
        raise InputError(composed(*told, e.text), e.problems) from e
    named = {role: file.name for role, file in given.items() if file.name}
    names = {"run" if role == "qrels" else role: name for role, name in named.items()}
    return gate, names | ({"run": called} if called else {})


def _said(asked: Flags) -> Flags:
    """What was said; options go by the names of what they set."""
    return {name: value for name, value in asked.items() if is_said(value)}


def files_of(gate: Any) -> list[str]:
    """What the gate reads, whoever named it."""
    if hasattr(gate, "predictions"):
        stored = gate.baseline if gate.baseline is not None and is_there(gate.baseline) else None
        return [path for path in (gate.predictions, stored) if path is not None]
    from rankgauge.data.activity import is_word

    sliced_by = () if gate.slices is None else gate.slices.file
    tables = [x for x in ((sliced_by,) if isinstance(sliced_by, str) else sliced_by) if not is_word(x)]
    read = ("qrels", "run", "baseline", "standards", "train", "items", "documents", "queries", "chunks")
    named = [path for path in (*(getattr(gate, name) for name in read), *tables) if path is not None]
    if gate.retriever is not None:
        from rankgauge.collection.named import file_of

        named += map(str, file_of(gate.retriever))
    return named


def _placed(
    files: tuple[Path, ...], options: dict[str, Any], *, is_asked: bool
) -> tuple[Path | None, dict[str, Given]]:
    """The config file, if there is one, and the other files by their role."""
    from rankgauge.data.together import holds_both

    given = {role: _given(word) for role, word in options.items() if word is not None}
    if not files:
        return None, given
    if len(files) == 1:
        only = _given(files[0])
        path = path_of(only.path)
        keep(path)  # the gate names its files by their paths
        is_both = "qrels" not in given and inner_suffix(path) != ".toml" and (is_asked or holds_both(path))
        return (None, {**given, "qrels": Given(str(path), only.name)}) if is_both else (path, given)
    if len(files) == 2 and not given.keys() & {"qrels", "run"}:
        return None, {**given, "qrels": Given(str(files[0])), "run": _given(files[1])}
    raise ParameterError(
        Text(
            f"gate takes one CONFIG.toml, or QRELS and RUN, got {len(files)} files: {', '.join(map(str, files))}.",
            f"gate 接受一个 CONFIG.toml，或 QRELS 和 RUN，实际为 {len(files)} 个文件：{', '.join(map(str, files))}。",
        )
    )


def _given(word: str | Path) -> Given:
    name, path = parted(str(word))
    return Given(path, name)


def _text(path: Path | None) -> str | None:
    if path is None:
        return None
    keep(path)
    return str(path)
