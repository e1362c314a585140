"""Who may come in: a token, a session made of it, or a proxy that names its user.

Nothing here knows of pages. Tokens are compared in constant time; a session is the time of its end, signed.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError

__all__ = ["SHORTEST_TOKEN", "Access", "access_for", "is_loopback"]

SHORTEST_TOKEN = 16
_LIFE = 14 * 24 * 3600
"""Seconds that a session lasts."""
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Access:
    """What a server asks of those who come."""

    token: str = ""
    """Empty: only a proxy lets people in."""
    trust_header: str = ""
    """The header in which a proxy names its user."""
    proxies: frozenset[str] = frozenset()
    """Addresses that are believed when they send it."""
    hosts: frozenset[str] = _LOCAL
    """Names by which the server may be called."""
    any_address: bool = False
    """Whether it may be called by any number: an address cannot be rebound, a name can."""
    key: bytes = field(default=b"", repr=False)
    """Signs sessions."""
    ended: set[str] = field(default_factory=set, repr=False, compare=False)
    """Sessions that were left before their time, as long as the server runs."""

    def is_token(self, given: str) -> bool:
        """Whether this is the token; takes as long for every wrong one."""
        return bool(self.token) and _same(given, self.token)

    def session(self, now: float | None = None) -> str:
        """A signed session that ends in two weeks."""
        until = str(int((time.time() if now is None else now) + _LIFE))
        return f"{until}.{self._signature(until)}"

    def is_session(self, cookie: str, now: float | None = None) -> bool:
        """Whether a cookie is a session of ours that has not ended."""
        until, _, signature = cookie.partition(".")
        if not (self.token and until.isascii() and until.isdigit() and len(until) < 16):
            return False
        is_ours = _same(signature, self._signature(until)) and int(until) > (time.time() if now is None else now)
        return is_ours and cookie not in self.ended

    def end(self, cookie: str) -> None:
        """Whoever has this session is out."""
        if self.is_session(cookie):
            self.ended.add(cookie)

    def _signature(self, text: str) -> str:
        return hmac.new(self.key, text.encode(), sha256).hexdigest()

    def user_of_proxy(self, address: str, said: str) -> str:
        """Whom a proxy names; nobody where it is not one that is believed."""
        return said.strip() if self.trust_header and address in self.proxies else ""

    def is_host(self, host: str) -> bool:
        """Whether a request may call the server by this name."""
        name = _name_of(host)
        return name in self.hosts or (self.any_address and _is_address(name))


def access_for(
    host: str,
    *,
    token: str | None = None,
    trust_header: str = "",
    proxies: Iterable[str] = (),
    names: Iterable[str] = (),
) -> Access:
    """The access of a server that listens on `host`: whatever is not this machine alone needs a token or a proxy.

    Without a token a random one is made, where only this machine can reach the server.
    """
    addresses = frozenset(_address(p) for p in proxies)
    if trust_header and not addresses:
        raise ParameterError(
            Text(
                f"--trust-header {trust_header} needs the address of the proxy that sends it: --proxy 10.0.0.5. "
                "Anybody else could send it too.",
                f"--trust-header {trust_header} 需要发送它的代理的地址：--proxy 10.0.0.5。否则任何人都能发送它。",
            )
        )
    if addresses and not trust_header:
        raise ParameterError(
            Text(
                "--proxy needs the header in which it names its users: --trust-header X-Forwarded-User.",
                "--proxy 需要代理用来说明用户的请求头：--trust-header X-Forwarded-User。",
            )
        )
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ParameterError(
            Text(
                f"--token must have at least {SHORTEST_TOKEN} printable ASCII characters, got {len(token)}. Try: "
                f'python -c "import secrets; print(secrets.token_urlsafe())"',
                f"--token 必须至少有 {SHORTEST_TOKEN} 个可打印的 ASCII 字符，实际为 {len(token)} 个。可用："
                'python -c "import secrets; print(secrets.token_urlsafe())"',
            )
        )
    if not is_loopback(host) and token is None and not trust_header:
        raise ParameterError(
            Text(
                f"--host {host} lets others reach the dashboard, and nothing says who may. Pass --token (or "
                "RANKGAUGE_TOKEN), or --trust-header with --proxy; or leave out --host.",
                f"--host {host} 会让其他机器访问看板，但没有说明谁可以访问。请给出 --token（或 RANKGAUGE_TOKEN），"
                "或 --trust-header 和 --proxy；或去掉 --host。",
            )
        )
    chosen = token if token is not None else "" if trust_header else secrets.token_urlsafe(24)
    return Access(
        chosen,
        trust_header.lower(),
        addresses,
        frozenset({*_LOCAL, _name_of(host), *(_name_of(n) for n in names)}),
        any_address=not is_loopback(host),
        key=sha256(b"rankgauge session " + chosen.encode()).digest(),
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), known.encode())


def _name_of(host: str) -> str:
    """The name in a Host header, without its port; nothing where it is none."""
    host = host.strip().lower()
    if re.search(r"[@/\\\s]", host):
        return ""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host if host.count(":") > 1 else host.partition(":")[0].rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as e:
        raise ParameterError(
            Text(
                f"--proxy must be an address such as 10.0.0.5, got {show(text)}.",
                f"--proxy 必须是地址，如 10.0.0.5，实际为 {show(text)}。",
            )
        ) from e
