"""WeCom (WeChat Work), by a bot of a group. Plain text of at most 2,048 bytes; nobody is mentioned."""

from __future__ import annotations

from typing import Any

from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.posting import post, refuse_code
from rankgauge.project.channels.secrets import address_of
from rankgauge.project.tables import Channel

__all__ = ["send", "told"]

_BYTES = 2048


def send(channel: Channel, digest: Digest, how: Sending) -> None:
    url = address_of(how.variables, channel.url_env)
    refuse_code(post(url, told(digest), channel.timeout), ("errcode",), (url,))


def told(digest: Digest) -> dict[str, Any]:
    """What the service takes."""
    text = digest.text().replace("<@", "< @")  # a mention, where it is one
    return {"msgtype": "text", "text": {"content": _fitted(text), "mentioned_list": []}}


def _fitted(text: str) -> str:
    raw = text.encode("utf-8", "replace")
    return text if len(raw) <= _BYTES else raw[: _BYTES - 3].decode("utf-8", "ignore") + "…"
