"""The one door through which anything is written: complete or not there, and never in place of something else.

A regular file is replaced when the new one is complete. It keeps its mode and its owner, and a link to it stays a link.
Devices, pipes and open descriptors (`/dev/fd/63`) are written through; `-` is standard output. Folders and disks are
refused. A reader that has gone away has seen what it wanted: that is no error.

A file that grows line by line and may be left at any moment (`appending`) is the only one that is there before it is
complete.
"""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

from rankgauge._show import neutral, show
from rankgauge._text import Text, composed
from rankgauge.errors import InputError, ParameterError, reason

__all__ = ["STANDARD_OUTPUT", "appending", "is_stream", "refuse_overwriting", "regular", "writing"]

STANDARD_OUTPUT = Path("-")


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to. A regular one gets its name when the block ends well."""
    with _unwritten(path), _opened(path) as file:
        yield file


def _reason(error: OSError) -> str:
    if error.strerror:
        return reason(error)
    return re.sub(r" \(os error \d+\)$", "", str(error))  # Polars knows no errno, and says it so


def is_stream(path: Path) -> bool:
    """Whether what is written there passes by: standard output, a pipe, a device. Such names tell no format."""
    if path == STANDARD_OUTPUT or _descriptor(path) is not None:
        return True
    try:
        return not stat.S_ISREG(mode := path.stat().st_mode) and not stat.S_ISDIR(mode)
    except OSError:
        return False


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if path == STANDARD_OUTPUT:
        with _standard_output() as file:
            yield file
    elif (number := _descriptor(path)) is not None:
        with _through(lambda: os.dup(number)) as file:
            yield file
    elif (found := _found(path)) is None or stat.S_ISREG(found.st_mode):
        if found is not None and _is_store(path):
            raise PermissionError(
                errno.EPERM,
                Text(
                    "it is a store (SQLite), and everything in it would be lost; name another file",
                    "这是一个存储（SQLite），写入会毁掉其中的一切；请换一个文件",
                ),
            )
        with _replaced(Path(os.path.realpath(path)), found) as file:
            yield file
    elif stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, Text("it is a folder", "这是文件夹"))
    elif stat.S_ISBLK(found.st_mode):
        raise PermissionError(
            errno.EPERM, Text("it is a disk, and everything on it would be lost", "这是磁盘，写入会毁掉其中的一切")
        )
    else:  # neither created nor cut
        flags = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
        with _through(lambda: os.open(path, flags)) as file:
            yield file


def _is_store(path: Path) -> bool:
    """Nothing that is written here is one: a history, or somebody else's database, is not an output."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def _found(path: Path) -> os.stat_result | None:
    """What is there, behind links; None where there is nothing yet."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


# over a regular file

_SAFE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_TRIES = 100


@contextmanager
def _replaced(target: Path, found: os.stat_result | None) -> Iterator[BinaryIO]:
    number, part = _part(target.parent)
    try:
        with _swept(part):
            with os.fdopen(number, "wb") as file:
                yield file
                file.flush()
                _dress(number, found)
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _part(folder: Path) -> tuple[int, Path]:
    """A new file beside the target, with a name that nobody can foresee, for its owner only until it is complete."""
    for _ in range(_TRIES):
        part = folder / f".rankgauge-{os.urandom(8).hex()}.part"
        try:
            return os.open(part, _SAFE, 0o600), part
        except FileExistsError:  # a file or a link: somebody guessed
            continue
        except FileNotFoundError as e:
            raise FileNotFoundError(
                e.errno, Text(f"the folder {show(str(folder))} does not exist", f"文件夹 {show(str(folder))} 不存在")
            ) from e
    raise FileExistsError(
        errno.EEXIST,
        Text(
            f"no free name for a temporary file in {show(str(folder))}",
            f"在 {show(str(folder))} 中找不到可用的临时文件名",
        ),
    )


def _dress(number: int, found: os.stat_result | None) -> None:
    """The mode and the owner of the file that was there, or those of a new one."""
    if not hasattr(os, "fchmod"):  # Windows
        return
    if found is None:
        mask = os.umask(0o077)  # can only be read by setting it
        os.umask(mask)
        os.fchmod(number, 0o666 & ~mask)
        return
    mode, own = stat.S_IMODE(found.st_mode) & 0o777, os.fstat(number)
    if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
        try:
            os.fchown(number, found.st_uid, found.st_gid)
        except PermissionError:  # another group may do what others may
            mode = mode & 0o707 | (mode & 0o007) << 3
    os.fchmod(number, mode)


@contextmanager
def _swept(part: Path) -> Iterator[None]:
    """SIGTERM and SIGHUP end a process on the spot, where nobody has taken them: here they take the part along."""
    if threading.current_thread() is not threading.main_thread():  # only that one may handle signals
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        part.unlink(missing_ok=True)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


# at the end of a regular file


@contextmanager
def appending(path: Path, size: int, whole: int) -> Iterator[Callable[[bytes], None]]:
    """Writes each line at the end of a file, at once, and is the only one who does.

    The file is as long as it was when somebody read it; of that, so many bytes are whole and kept.
    """
    if is_stream(path):
        raise InputError(
            Text(
                f"cannot write {show(str(path))}: it must be a regular file, which can be taken up again.",
                f"无法写入 {show(str(path))}：必须是普通文件，才能继续写入。",
            )
        )
    with _unwritten(path):
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)

    def write(line: bytes) -> None:
        left = memoryview(line)
        with _unwritten(path):
            while left:
                left = left[os.write(number, left) :]

    try:
        with _unwritten(path):
            if not _is_ours(number) or os.fstat(number).st_size != size:
                raise InputError(
                    Text(
                        f"cannot write {show(str(path))}: somebody else is writing to it. Name another file, or wait.",
                        f"无法写入 {show(str(path))}：另有程序正在写入。请换一个文件名，或稍后再试。",
                    )
                )
            os.ftruncate(number, whole)
        yield write
    finally:
        os.close(number)


@contextmanager
def _unwritten(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise InputError(composed("cannot write {}: {}.", "无法写入 {}：{}。", show(str(path)), _reason(e))) from e


def _is_ours(number: int) -> bool:
    """Whether no other process holds the file; from now on this one does, until it closes it or ends."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, lockf
    except ImportError:  # Windows
        return True
    try:
        lockf(number, LOCK_EX | LOCK_NB)
    except OSError as e:
        return e.errno not in (errno.EACCES, errno.EAGAIN)  # a file system that knows no locks is as good as none
    return True


# through to somebody else

_OWN = re.compile(r"/(?:dev|proc/(?:self|thread-self|(?P<pid>\d+)))/fd/(?P<number>\d+)")
_LINKS = 40  # as many as Linux follows


def _descriptor(path: Path) -> int | None:
    """The descriptor of this process that a path names, also behind links such as /dev/stdout.

    Opening its path again would cut a file that a shell is appending to.
    """
    if os.name != "posix":
        return None
    at = os.path.abspath(path)
    for _ in range(_LINKS):
        m = _OWN.fullmatch(at)
        if m and m["pid"] in (None, str(os.getpid())):
            return int(m["number"])
        try:
            at = os.path.normpath(os.path.join(os.path.dirname(at), os.readlink(at)))
        except OSError:
            return None
    return None


@contextmanager
def _through(opened: Callable[[], int]) -> Iterator[BinaryIO]:
    if sys.stdout is not None:
        sys.stdout.flush()  # what was printed before comes before
    try:
        with os.fdopen(opened(), "wb") as file:
            yield file
    except OSError as e:
        if e.errno != errno.EPIPE and not str(e).endswith(f"(os error {errno.EPIPE})"):
            raise


@contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    """All of it or nothing: what is written in the block comes out at its end."""
    buffer = io.BytesIO()
    yield buffer
    out: Any = sys.stdout
    if out is None:  # closed
        return
    with suppress(BrokenPipeError):
        if hasattr(out, "buffer") and not out.isatty():
            out.flush()
            out.buffer.write(buffer.getbuffer())
        else:  # a person looks at it, or a notebook
            out.write(neutral(buffer.getvalue().decode("utf-8", "backslashreplace")))
        out.flush()


# never over what was read


def refuse_overwriting(target: Path, inputs: Iterable[str | PathLike[str]], option: str = "") -> None:
    """What is written is none of these files, by whatever name; nor lies in one of these folders already."""
    for path in inputs:
        if any(_would_destroy(target, p) for p in _matching(path)):
            said = f"{option} {show(str(target))}".lstrip()
            raise ParameterError(
                Text(
                    f"{said} would overwrite the input {show(str(path))}. Name another file.",
                    f"{said} 会覆盖输入 {show(str(path))}。请换一个文件名。",
                )
            )


def _matching(path: str | PathLike[str]) -> Sequence[str | PathLike[str]]:
    """The file and what is read beside it (sizes of groups), or those that a pattern such as runs/*.parquet names."""
    if _status(path) is not None:
        plain = str(path)
        for packed in (".gz", ".bz2", ".xz", ".zst"):
            plain = plain.removesuffix(packed)
        return [path, *(f"{plain}{s}{c}" for s in (".query", ".group") for c in ("", ".gz", ".bz2", ".xz", ".zst"))]
    import glob  # needed by few

    return glob.glob(str(path))


_NEVER_READ = (".html", ".md", ".tex", ".svg", ".png", ".pdf", ".xml")


def _would_destroy(target: Path, source: str | PathLike[str]) -> bool:
    there, here = regular(target), _status(source)
    if there is None or here is None:
        return False
    if stat.S_ISDIR(here.st_mode):
        inside = Path(os.path.realpath(source)) in Path(os.path.realpath(target)).parents
        return inside and target.suffix.lower() not in _NEVER_READ
    return os.path.samestat(there, here)


def _status(path: str | PathLike[str]) -> os.stat_result | None:
    try:
        return os.fstat(sys.stdin.fileno()) if str(path) == "-" else os.stat(path)
    except (OSError, ValueError, AttributeError):  # nothing there, or a name that no file can have
        return None


def regular(path: Path) -> os.stat_result | None:
    """What is known of a regular file, behind links; None of anything else."""
    found = None if path == STANDARD_OUTPUT else _status(path)
    return found if found is not None and stat.S_ISREG(found.st_mode) else None
