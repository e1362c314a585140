"""A message to a web address: once with patience, a few times with pauses, never anywhere else than there.

Redirects are refused, since what is posted may hold what others must not see. Nothing that is said of a failure has the
address in it.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import URLError
from urllib.request import Request

from rankgauge._numbers import short
from rankgauge._show import cut, neutral
from rankgauge._text import Text, zh
from rankgauge._version import __version__
from rankgauge._web import answered
from rankgauge.errors import InputError, reason
from rankgauge.project.tables import Channel

__all__ = ["Refused", "attempted", "post", "refuse_code"]

_READ = 1 << 16
"""Bytes of an answer that are looked at."""
_PAUSE, _LONGEST = 1.0, 30.0
"""Seconds: the first pause, which doubles, and the longest."""
_LATER = (408, 425, 429)


class Refused(InputError):
    """A message that was not taken; `again` says whether it is worth another attempt, `after` how soon."""

    def __init__(self, message: str, *, again: bool = False, after: float = 0.0) -> None:
        super().__init__(message)
        self.again, self.after = again, after


def attempted(send: Callable[[], Any], channel: Channel, sleep: Callable[[float], Any]) -> Any:
    """What `send` gives, tried as often as the channel says, with pauses that grow and end."""
    pause = _PAUSE
    for left in range(channel.attempts - 1, -1, -1):
        try:
            return send()
        except Refused as e:
            if not (e.again and left):
                raise
            sleep(min(max(pause, e.after), _LONGEST))
            pause = min(2 * pause, _LONGEST)
    raise AssertionError  # pragma: no cover - the last attempt returns or raises


def post(url: str, told: Any, timeout: float, headers: Mapping[str, str] | None = None) -> Any:
    """Posts JSON; what the server answers, as JSON where it is, else as text."""
    body = json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
    kind = {"Content-Type": "application/json; charset=utf-8", "User-Agent": f"rankgauge/{__version__}"}
    try:
        request = Request(url, data=body, headers={**kind, **(headers or {})}, method="POST")
        with answered(request, timeout, timeout) as answer:
            if is_taken := 200 <= answer.status < 300:
                found = _read(answer)
    except TimeoutError:
        raise Refused(_late(timeout), again=True) from None
    except URLError as e:
        raise _unreached(e.reason, timeout) from None
    except ssl.SSLError:
        raise Refused(_UNTRUSTED) from None
    except (OSError, HTTPException) as e:
        raise _unreached(e, timeout) from None
    except ValueError:  # an address that http.client would show in full
        raise Refused(Text("the address cannot be used.", "地址无法使用。")) from None
    if not is_taken:
        raise _refused(answer.status, answer.headers)
    return found


def _read(answer: Any) -> Any:
    """The beginning of an answer."""
    found = b""
    while len(found) < _READ and (some := answer.read1(_READ - len(found))):
        found += some
    text = found.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _refused(code: int, headers: Mapping[str, str]) -> Refused:
    if 300 <= code < 400:
        return Refused(
            Text(
                f"the server sends elsewhere (HTTP {code}), where a message is not carried. Name the address itself.",
                f"服务器要求转到别处（HTTP {code}），消息不会转发。请写最终地址。",
            )
        )
    said = str(headers.get("Retry-After", ""))
    after = float(said) if said.isdecimal() and len(said) < 6 else 0.0
    again = code >= 500 or code in _LATER
    return Refused(Text(f"the server answered HTTP {code}.", f"服务器回答 HTTP {code}。"), again=again, after=after)


_UNTRUSTED = Text("the certificate of the server is not trusted.", "服务器的证书不可信。")


def _late(timeout: float) -> Text:
    return Text(f"no answer within {short(timeout)} seconds.", f"{short(timeout)} 秒内没有回答。")


def _unreached(why: Any, timeout: float) -> Refused:
    if isinstance(why, TimeoutError):
        return Refused(_late(timeout), again=True)
    if isinstance(why, ssl.SSLError):
        return Refused(_UNTRUSTED)
    if isinstance(why, OSError) and why.errno is not None and why.strerror:
        said = reason(why)
        return Refused(Text(f"no connection: {said}.", f"无法连接：{zh(said)}。"), again=True)
    return Refused(Text("no connection.", "无法连接。"), again=True)


def refuse_code(answer: Any, names: tuple[str, ...], secrets: tuple[str, ...] = ()) -> None:
    """Raises where a service answers 200 and says in the body that it did not take the message."""
    if not isinstance(answer, dict):
        return
    code = next((answer[name] for name in names if name in answer), 0)
    if code in (0, "0"):
        return
    words = neutral(str(next((answer[k] for k in ("errmsg", "msg", "StatusMessage") if k in answer), "")))
    for secret in filter(None, secrets):
        words = words.replace(secret, "…")
    said = cut(" ".join(f"{code} {words}".split()), 200)
    raise Refused(Text(f"the service refused it: {said}.", f"服务拒绝了消息：{said}。"))
