"""Words and decimal numbers out of raw bytes, many at a time.

Eight bytes are loaded as one number at any place of a text; digits become numbers by a few operations on such words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["decimals", "low_bytes", "words_of"]

Array = NDArray[Any]

_ZEROS = np.uint64(0x3030303030303030)
_HIGH = np.uint64(0x8080808080808080)
_OVER_9 = np.uint64(0x7676767676767676)


def words_of(buffer: Array) -> Array:
    """The eight bytes that start at each place, as one number."""
    return np.ndarray((len(buffer) - 7,), "<u8", buffer, strides=(1,))


_LOW = np.array([(1 << (8 * i)) - 1 for i in range(9)], dtype=np.uint64)


def low_bytes(count: Array) -> Array:
    """Masks that keep the first `count` bytes of a word."""
    return _LOW.take(count, mode="clip")


def decimals(buffer: Array, words: Array, start: Array, end: Array) -> Array | None:
    """Decimal numbers such as -12.3456, exactly as float() reads them; None when one is written otherwise."""
    negative = buffer[start] == 45
    has_negative = bool(negative.any())
    if has_negative:
        start = start + negative
    length = end - start
    if int(length.min()) < 1 or int(length.max()) > 24:
        return None
    point = _point(buffer, start, end)
    fraction = np.maximum(point, 0)
    whole_length = length - fraction - (point >= 0)
    if int(fraction.max()) >= len(_TEN) or int(whole_length.min()) < 1:
        return None
    if np.ndim(point) == 0 and int(length.max()) <= 9:
        number = _short(words, end, fraction, whole_length + fraction)
    else:
        whole, behind = _digits(words, start + whole_length, whole_length), _digits(words, end, fraction)
        if whole is None or behind is None:
            return None
        if int(length.max()) > 18 and (whole[whole_length + fraction > 18] > 0).any():
            return None
        number = whole * _POWERS.take(fraction, mode="clip") + behind
    if number is None:
        return None
    value = _quotient(buffer, number, fraction, start, end)
    return np.where(negative, -value, value) if has_negative and value is not None else value


_POWERS = np.array([10**i for i in range(19)], dtype=np.int64)
_TEN = np.array([10.0**i for i in range(23)])  # these powers of ten are exact in double precision


def _short(words: Array, end: Array, fraction: Any, n_digits: Array) -> Array | None:
    """The digits of numbers of at most eight, without their point: two words, one from each side of it."""
    before = _LOW[8 - int(fraction)]
    word = words[end - 9] & before
    word |= words[end - 8] & ~before
    return _joined(word, n_digits)


def _quotient(buffer: Array, number: Array, fraction: Array, start: Array, end: Array) -> Array | None:
    """number / 10^fraction, correctly rounded.

    Below 2^53 the number is exact in double precision, as the power of ten is, and one division of exact values is
    rounded correctly. Beyond, extended precision holds both exactly; its quotient, rounded once more to double, can be
    wrong only where it lies halfway between two doubles, and those few numbers are read by float().
    """
    scale = _TEN.take(fraction)
    value: Array = number / scale
    if int(number.max()) < 1 << 53:
        return value
    if np.finfo(np.longdouble).nmant != 63:  # no extended precision on this machine
        return None
    extended = number.astype(np.longdouble) / scale.astype(np.longdouble)
    value = extended.astype(np.float64)
    rest, gap = np.abs(extended - value), np.spacing(value)
    raw = memoryview(buffer)  # type: ignore[arg-type]
    for i in np.flatnonzero((2 * rest == gap) | (4 * rest == gap)).tolist():
        value[i] = float(raw[start[i] : end[i]])
    return value


def _point(buffer: Array, start: Array, end: Array) -> Any:
    """How many digits stand behind the decimal point of each number, -1 without a point; one value if all are alike."""
    first = bytes(buffer[start[0] : end[0]])
    usual = len(first) - 1 - first.find(b".") if b"." in first else 0
    if (buffer[end - 1 - usual] == 46).all() and (end - 1 - usual >= start).all():
        return np.int64(usual)
    point = np.full(len(start), -1)
    left = np.arange(len(start))
    for d in range(int((end - start).max())):
        at = end[left] - 1 - d
        hit = (buffer[at] == 46) & (at >= start[left])
        point[left[hit]] = d
        left = left[~hit]
    return point


def _digits(words: Array, end: Array, length: Any) -> Array | None:
    """The whole numbers that end there, of up to 18 digits and leading zeros; None when a byte is not a digit."""
    total = _eight_digits(words, end, length)
    for k in range(8, int(length.max()), 8):  # eight digits at a time, from the last ones up
        part = _eight_digits(words, end - k, np.maximum(length - k, 0))
        if total is None or part is None or (k == 16 and int(part.max()) > 99):
            return None
        total = total + part * 10**k
    return total


_LAST = ~_LOW[::-1]  # masks that keep the last bytes of a word, by how many


def _eight_digits(words: Array, end: Array, length: Any) -> Array | None:
    """The number that the last `length` digits before `end` write, at most eight: as in parsers for SIMD.

    The eight bytes before `end` are loaded at once; those before the number become zeros, then
    neighbouring digits, pairs and fours of them are put together.
    """
    return _joined(words[end - 8], length)


def _joined(d: Array, length: Any) -> Array | None:
    """The number that the last `length` bytes of each word write; None when one of them is not a digit."""
    d ^= _ZEROS
    d &= _LAST.take(length, mode="clip")
    check = d + _OVER_9
    check |= d
    check &= _HIGH
    if check.any():
        return None
    for step in _JOIN:
        higher = d >> step.shift
        d *= step.base
        d += higher
        d &= step.mask
    number: Array = d.view(np.int64)
    return number


class _Step(NamedTuple):
    shift: np.uint64
    base: np.uint64
    mask: np.uint64


_JOIN = (
    _Step(np.uint64(8), np.uint64(10), np.uint64(0x00FF00FF00FF00FF)),
    _Step(np.uint64(16), np.uint64(100), np.uint64(0x0000FFFF0000FFFF)),
    _Step(np.uint64(32), np.uint64(10_000), np.uint64(0x00000000FFFFFFFF)),
)
