"""Slack, by an incoming webhook. `&`, `<` and `>` are escaped, so that no id becomes a mention or a link."""

from __future__ import annotations

from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.posting import post
from rankgauge.project.channels.secrets import address_of
from rankgauge.project.tables import Channel

__all__ = ["send", "told"]


def send(channel: Channel, digest: Digest, how: Sending) -> None:
    post(address_of(how.variables, channel.url_env), told(digest), channel.timeout)


def told(digest: Digest) -> dict[str, object]:
    """What Slack takes: one text, in which links are links because they stand alone."""
    lines = [f"*{_escaped(digest.title).replace('*', '∗')}*"]
    for block in digest.blocks():
        lines += ["", *map(_escaped, block)]
    return {"text": "\n".join(lines), "unfurl_links": False, "unfurl_media": False}


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
