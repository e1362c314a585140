"""Numbers as people read them: the only place that rounds, with the drawing of charts.

Records keep numbers as they are. Whoever says one, in a table, in a sentence or in an error, writes it with one of
these; `tests/test_rounding.py` sees that nobody else does.
"""

from __future__ import annotations

from math import isfinite, isinf, isnan
from typing import SupportsFloat, cast

from rankgauge._text import Text

__all__ = [
    "apart",
    "count",
    "counted",
    "grouped",
    "is_seen",
    "number",
    "p_value",
    "percent",
    "ranged",
    "share",
    "short",
    "signed",
    "size_of",
]


_SAME = 1e-12  # of sums in another order


def number(x: float | None, digits: int = 4) -> str:
    """A number with so many decimals.

    >>> number(0.41237), number(-0.00001), number(float("nan"))
    ('0.4124', '0.0000', '–')
    """
    if x is None or isnan(x):
        return "–"
    if isinf(x):
        return "∞" if x > 0 else "-∞"
    text = f"{x:.{digits}f}"
    return text.lstrip("-") if text.strip("-0.") == "" else text


def signed(x: float, digits: int = 4) -> str:
    """A difference with its sign.

    >>> signed(0.0125), signed(-0.00001)
    ('+0.0125', '0.0000')
    """
    if isnan(x):
        return "–"
    text = f"{x:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]  # a rounded nothing has no sign


def apart(x: float, limit: float, digits: int = 4) -> tuple[str, str]:
    """A number and the limit it is held against, with as many digits as it takes to see on which side it is.

    >>> apart(0.4124, 0.4), apart(10_000 / 20_001, 0.5), apart(0.5, 0.50000001)
    (('0.4124', '0.4'), ('0.49998', '0.5'), ('0.500000', '0.50000001'))
    """
    said = number(x, digits), short(limit, digits + 2)
    if not (isfinite(x) and isfinite(limit)) or abs(x - limit) <= _SAME * max(abs(limit), 1.0):
        return said
    for more in range(digits, 16):
        said = number(x, more), short(limit, more + 2)
        low, high = map(float, said)
        if low != high and (low < high) == (x < limit):
            break
    return said


def ranged(low: float, high: float, digits: int = 4, *, sign: bool = False) -> str:
    """An interval: `0.1 … 0.3`; nothing where there is none."""
    if isnan(low) or isnan(high):
        return ""
    show = signed if sign else number
    return f"{show(low, digits)} … {show(high, digits)}"


def share(x: float | None, digits: int = 1) -> str:
    """A share in percent.

    >>> share(0.1234), share(0.5, 0)
    ('12.3%', '50%')
    """
    return "–" if x is None or isnan(x) else f"{100 * x:.{digits}f}%"


def percent(level: float) -> str:
    """A level or a limit in percent, without decimals that it does not have.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * level:g}%"


def p_value(p: float) -> str:
    """A p-value: three decimals, or how far below them."""
    if isnan(p):
        return "–"
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def short(x: SupportsFloat | None, digits: int = 6) -> str:
    """A number that somebody chose or wrote, as short as it can be; with fewer digits one of which the size matters.

    >>> short(0.05), short(3.0), short(1e9), short(12.3456, 3)
    ('0.05', '3', '1e+09', '12.3')
    """
    return "–" if x is None else f"{cast('float', x):.{digits}g}"


def grouped(x: SupportsFloat, digits: int = 0) -> str:
    """A large number that need not be whole, such as a weight, its thousands apart.

    >>> grouped(12345.6), grouped(12345.678, 1)
    ('12,346', '12,345.7')
    """
    return f"{cast('float', x):,.{digits}f}"


def is_seen(x: float, digits: int = 4) -> bool:
    """Whether something is left of a number when it is shown with so many decimals."""
    return not isnan(x) and bool(f"{x:.{digits}f}".strip("-0."))


def count(n: int, noun: str) -> str:
    """1 query, 2 queries."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{n:,} {noun if n == 1 else plural}"


def counted(n: int, noun: str, zh: str) -> Text:
    """A number of things; Chinese has no plural and a measure word.

    >>> counted(2, "query", "个查询").of("en"), counted(1234, "row", "行").of("zh")
    ('2 queries', '1,234 行')
    """
    return Text(count(n, noun), f"{n:,} {zh}")


def size_of(n: int) -> str:
    """Bytes as people write them.

    >>> size_of(2000), size_of(3 << 30)
    ('2.0 KiB', '3.0 GiB')
    """
    for unit, name in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if n >= 1 << unit:
            return f"{number(n / (1 << unit), 1)} {name}"
    return f"{n} bytes"
