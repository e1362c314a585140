"""Files under names that the demo chooses: what somebody else put there is not overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from rankgauge._output import writing
from rankgauge._show import show_all
from rankgauge._text import Text
from rankgauge.errors import InputError

__all__ = ["save_files"]


def save_files(folder: str | PathLike[str], files: Mapping[str, Iterable[str]]) -> list[Path]:
    """Lines by name of file, as UTF-8 with ``\\n`` everywhere; the paths come back.

    A file that holds the same already stays. One that holds something else is an error, before anything is written.
    """
    target = Path(folder)
    data = {target / name: "".join(f"{line}\n" for line in lines).encode() for name, lines in files.items()}
    others = [str(path) for path, new in data.items() if path.exists() and not _holds(path, new)]
    if others:
        raise InputError(
            Text(
                f"these files are there and hold something else: {show_all(others)}. Name another folder.",
                f"这些文件已经存在，而且内容不同：{show_all(others)}。请换一个文件夹。",
            )
        )
    target.mkdir(parents=True, exist_ok=True)
    for path, new in data.items():
        if not path.exists():
            with writing(path) as file:
                file.write(new)
    return list(data)


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data
