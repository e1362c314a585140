"""A message to a web address: once with patience, a few times with pauses, never anywhere else than there.

Redirects are refused, since what is posted may hold what others must not see. Nothing that is said of a failure has the
address in it.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Timer
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from rankgauge._numbers import short
from rankgauge._show import cut, neutral
from rankgauge._text import Text, zh
from rankgauge._version import __version__
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
    until = _Deadline(timeout)
    try:
        request = Request(url, data=body, headers={**kind, **(headers or {})}, method="POST")
        with until, _opener(until).open(request, timeout=timeout) as answer:
            found = _read(answer, monotonic() + timeout)
        if until.is_over:  # what was cut off looks like an answer that ended
            raise TimeoutError
        return found
    except HTTPError as e:
        with e:
            raise _answered(e) from None
    except TimeoutError:
        raise Refused(_late(timeout), again=True) from None
    except URLError as e:
        raise _unreached(TimeoutError() if until.is_over else e.reason, timeout) from None
    except ssl.SSLError:
        raise Refused(_UNTRUSTED) from None
    except (OSError, HTTPException) as e:
        raise _unreached(TimeoutError() if until.is_over else e, timeout) from None
    except ValueError:  # an address that http.client would show in full
        raise Refused(Text("the address cannot be used.", "地址无法使用。")) from None


class _Deadline:
    """Ends connections that were made under it, however slowly their answers come.

    A time-out of a socket is one of each read: a server that sends a byte now and then keeps it waiting for good.
    """

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._sockets: list[socket] = []
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(SHUT_RDWR)

    def kept(self, kind: type[HTTPConnection]) -> Callable[..., HTTPConnection]:
        """Connections of a kind, whose sockets it can end."""
        sockets = self._sockets

        class Kept(kind):  # type: ignore[misc, valid-type]
            def connect(self) -> None:
                super().connect()
                sockets.append(self.sock)

        return Kept


class _Http(HTTPHandler):
    def __init__(self, until: _Deadline) -> None:
        super().__init__()
        self._until = until

    def http_open(self, req: Request) -> Any:
        return self.do_open(self._until.kept(HTTPConnection), req)


class _Https(HTTPSHandler):
    def __init__(self, until: _Deadline) -> None:
        super().__init__()
        self._until = until

    def https_open(self, req: Request) -> Any:
        trusted = ssl.create_default_context()
        return self.do_open(self._until.kept(HTTPSConnection), req, context=trusted)


def _opener(until: _Deadline) -> OpenerDirector:
    """The web and nothing else: no files, no redirects."""
    opener = OpenerDirector()
    for handler in (ProxyHandler(), _Http(until), _Https(until), HTTPDefaultErrorHandler(), HTTPErrorProcessor()):
        opener.add_handler(handler)
    return opener


def _read(answer: Any, until: float) -> Any:
    """The beginning of an answer, however slowly it comes."""
    found = b""
    while len(found) < _READ and (some := answer.read1(_READ - len(found))):
        found += some
        if monotonic() > until:
            raise TimeoutError
    text = found.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _answered(e: HTTPError) -> Refused:
    if 300 <= e.code < 400:
        return Refused(
            Text(
                f"the server sends elsewhere (HTTP {e.code}), where a message is not carried. Name the address itself.",
                f"服务器要求转到别处（HTTP {e.code}），消息不会转发。请写最终地址。",
            )
        )
    again = e.code >= 500 or e.code in _LATER
    said = str(e.headers.get("Retry-After", "")) if e.headers is not None else ""
    after = float(said) if said.isdecimal() and len(said) < 6 else 0.0
    return Refused(Text(f"the server answered HTTP {e.code}.", f"服务器回答 HTTP {e.code}。"), again=again, after=after)


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
