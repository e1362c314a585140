"""What cannot be read twice: standard input, pipes, FIFOs, what a shell makes of `<(…)`, open files.

Readers look at the first bytes of a file and open it again, some of them in pieces or mapped into memory. What can be
read only once is therefore taken in as a whole where it arrives, into memory and, when it is large, into a file
without a name; from then on that stands for it. Everything else passes as it is.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import IO, Any
from weakref import WeakValueDictionary, finalize

from rankgauge._show import show
from rankgauge._text import Text, composed, zh
from rankgauge.errors import InputError, reason

__all__ = [
    "Piped",
    "all_taken_in",
    "as_given",
    "forget",
    "is_there",
    "keep",
    "passes_by",
    "path_of",
    "refuse_twice",
    "taken_in",
]

_STDIN = re.compile(r"-|/dev/stdin|/dev/fd/0|/proc/(?:self|\d+)/fd/0")
_PIPE = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_PIECE = 1 << 20
_SMALL = 64 << 20  # bytes that stay in memory
_KEPT_FREE = 256 << 20  # bytes that are left to others on the disk
_OPEN_FILES = "/proc/self/fd"  # where Linux lets a file without a name be opened anew

_known: WeakValueDictionary[str, Piped] = WeakValueDictionary()
_read: set[tuple[int, int]] = set()
"""Device and inode of pipes without a name that were read: nothing more comes through them."""
_kept: list[Piped] = []
_names: list[str] = []
"""Of files that need one, to be removed."""


class Piped(type(Path())):  # type: ignore[misc]
    """The path of what came through a pipe; it is there as long as this object is.

    Its `name` is what people call it. Whoever needs only a path can use it as one.
    """

    given: str
    """As the caller wrote it."""
    _label: str | None = None

    @property
    def name(self) -> str:  # parents and the like have no name of their own
        return super().name if self._label is None else self._label

    def __deepcopy__(self, memo: Any) -> Piped:
        return self

    def __reduce__(self) -> Any:  # another process cannot see it
        return Path, (self.given,)


_STANDARD_INPUT = Text("standard input", "标准输入")


def taken_in(obj: Any) -> Any:
    """What can be read only once as a path that can be read again and again; everything else unchanged."""
    if isinstance(obj, Piped) or not isinstance(obj, (str, PathLike)):
        return _from_file(obj) if _is_open_file(obj) else obj
    given = os.fspath(obj)
    if not isinstance(given, str):
        return obj
    if given in _known:
        return _known[given]
    if _STDIN.fullmatch(given):
        return _from_stdin(given)
    if _once_only(given) is None:
        return obj
    try:
        with open(given, "rb", buffering=0) as file:
            pipe = _PIPE.fullmatch(given)
            return _spooled(
                file.read, given, Text(f"pipe {pipe[1]}", f"管道 {pipe[1]}") if pipe else Path(given).name, file
            )
    except OSError as e:
        raise InputError(composed("{} cannot be opened: {}.", "无法打开 {}：{}。", show(given), reason(e))) from e


def all_taken_in(*objects: Any) -> tuple[Any, ...]:
    """The inputs of one call; a pipe that is named for two of them is an error, before anybody waits for it."""
    paths = [obj for obj in objects if isinstance(obj, (str, PathLike)) and not isinstance(obj, Piped)]
    for path in paths:
        refuse_twice(path, paths)
    return tuple(map(taken_in, objects))


def refuse_twice(path: str | PathLike[str], paths: Sequence[str | PathLike[str]]) -> None:
    """Raises an error where this is a pipe and two of the paths lead to it."""
    pipe = _once_only(path)
    if pipe is not None and [_once_only(p) for p in paths].count(pipe) > 1:
        raise _twice(show(os.fspath(path)))


def passes_by(path: str | PathLike[str]) -> bool:
    """Whether what is there can be read once only, and nobody has taken it in yet."""
    if isinstance(path, Piped) or os.fspath(path) in _known:
        return False
    return _STDIN.fullmatch(str(os.fspath(path))) is not None or _once_only(path) is not None


def path_of(obj: str | PathLike[str]) -> Path:
    """The path to open: the one door for everything that is read. What nobody could open is an error here."""
    found = taken_in(obj)
    path = found if isinstance(found, Path) else Path(found)
    try:
        path.exists()
    except OSError as e:  # a name that is too long, a folder that nobody may look into
        raise InputError(composed("{} cannot be opened: {}.", "无法打开 {}：{}。", show(str(path)), reason(e))) from e
    return path


def is_there(text: str | PathLike[str]) -> bool:
    """Whether a text is the path of something; one that cannot be a path is none."""
    return os.path.exists(text)


def as_given(path: str | PathLike[str]) -> str:
    """The path as people wrote it."""
    return path.name if isinstance(path, Piped) else str(path)


def keep(path: Path) -> None:
    """Keeps what came through a pipe for as long as the process lives, for what reads it nobody knows when."""
    if isinstance(path, Piped):
        _kept.append(path)


def forget() -> None:
    """Removes what needed a name, at the end of the process."""
    for name in _names:
        _remove(name)


def _remove(name: str) -> None:
    if name in _names:
        _names.remove(name)
        with contextlib.suppress(OSError):
            os.unlink(name)


def _once_only(path: str | PathLike[str]) -> tuple[int, int] | None:
    """Device and inode of what is neither a file nor a folder, but gives its bytes once."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    mode = found.st_mode
    is_once = stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)
    return (found.st_dev, found.st_ino) if is_once else None


def _is_open_file(obj: Any) -> bool:
    return isinstance(obj, io.IOBase) or (type(obj).__module__ == "tempfile" and hasattr(obj, "read"))


def _from_file(file: Any) -> Piped:
    """What an open file still has to give; text as UTF-8."""
    name = getattr(file, "name", None)
    label = Path(name).name if isinstance(name, str) else Text("open file", "打开的文件")
    return _spooled(lambda n: _bytes(file.read(n)), label, label, None)


def _bytes(piece: str | bytes) -> bytes:
    return piece.encode() if isinstance(piece, str) else piece


def _from_stdin(given: str) -> Piped:
    try:
        seen = os.fstat(0)
    except OSError:
        seen = None
    if seen is None or sys.stdin is None:
        raise InputError(
            Text(
                "standard input is closed, so nothing can be read from it. Name a file, or pipe one in.",
                "标准输入已关闭，无法从中读取。请给出文件名，或用管道传入。",
            )
        )
    with open(0, "rb", buffering=0, closefd=False) as file:
        if stat.S_ISREG(seen.st_mode) and _has_open_files() and not file.tell():  # `< file`: there is nothing to copy
            _only_once(seen, _STANDARD_INPUT)
            if not seen.st_size:
                raise _empty(_STANDARD_INPUT)
            return _piped(f"{_OPEN_FILES}/0", given, _STANDARD_INPUT)
        return _spooled(file.read, given, _STANDARD_INPUT, file)


def _spooled(read: Callable[[int], bytes | None], given: str, label: str, pipe: io.FileIO | None) -> Piped:
    called: str = show(given)
    # a FIFO with a name may have a new writer
    if pipe is not None and (_STDIN.fullmatch(given) or _PIPE.fullmatch(given)):
        called = label
        _only_once(os.fstat(pipe.fileno()), label)
    kept = _in_memory()
    size = 0
    try:
        while piece := read(_PIECE):
            if kept is None or size <= _SMALL < size + len(piece):
                kept = _on_disk(kept)
            kept.write(piece)
            size += len(piece)
            if size > _SMALL and not size // _PIECE % 64:
                _refuse_full_disk(kept)
        if kept is not None:
            kept.flush()
    except OSError as e:
        if kept is not None:
            kept.close()
        raise InputError(
            composed(
                "{} cannot be taken in after {:,} bytes: {}. "
                "Let TMPDIR name a folder on a larger disk, or write it to a file first.",
                "{} 在读入 {:,} 字节后中断：{}。请让 TMPDIR 指向更大磁盘上的文件夹，或先写入文件。",
                called,
                size,
                reason(e),
            )
        ) from e
    if kept is None or not size:
        if kept is not None:
            kept.close()
        raise _empty(called)
    if not _has_open_files():
        _names.append(kept.name)
        found = _piped(kept.name, given, label, kept)
        finalize(found, _remove, kept.name)
        return found
    return _piped(f"{_OPEN_FILES}/{kept.fileno()}", given, label, kept)


def _piped(path: str, given: str, label: str, file: IO[bytes] | None = None) -> Piped:
    found = Piped(path)
    found.given, found._label = given, label
    if file is not None:
        finalize(found, file.close)
    _known[path] = found
    return found


def _only_once(seen: os.stat_result, label: str) -> None:
    if (seen.st_dev, seen.st_ino) in _read:
        raise _twice(label)
    _read.add((seen.st_dev, seen.st_ino))


def _twice(called: str) -> InputError:
    return InputError(
        Text(
            f"{called} is named for two inputs, but what comes through it can be read only once. "
            "Name it for one of them, and a file for the other.",
            f"{zh(called)} 用于两个输入，但其中的内容只能读取一次。请只用于其中一个，另一个给出文件。",
        )
    )


def _empty(label: str) -> InputError:
    return InputError(
        Text(
            f"{label} is empty: no byte came through it. Look at the command that should write it.",
            f"{zh(label)} 是空的：没有收到任何字节。请检查写入它的命令。",
        )
    )


def _has_open_files() -> bool:
    return os.path.isdir(_OPEN_FILES)


def _in_memory() -> IO[bytes] | None:
    """A file that takes no disk; None where there is no such thing."""
    if not hasattr(os, "memfd_create") or not _has_open_files():
        return None
    return open(os.memfd_create("rankgauge"), "w+b")


def _on_disk(begun: IO[bytes] | None) -> IO[bytes]:
    """A file without a name that goes on where another one has become too large; with a name where it needs one."""
    import shutil
    import tempfile

    if not _has_open_files():
        if begun is None:
            return tempfile.NamedTemporaryFile(prefix="rankgauge-", delete=False)
        return begun
    file = tempfile.TemporaryFile()  # noqa: SIM115
    if begun is not None:
        with begun:
            begun.seek(0)
            shutil.copyfileobj(begun, file, _PIECE)
    return file


def _refuse_full_disk(kept: IO[bytes]) -> None:
    """A pipe without an end must not take the last byte from everybody else."""
    if not hasattr(os, "fstatvfs"):  # Windows
        return
    found = os.fstatvfs(kept.fileno())
    if found.f_bavail * found.f_frsize < _KEPT_FREE:
        raise OSError(28, Text("no room is left on the disk", "磁盘空间不足"))


atexit.register(forget)
