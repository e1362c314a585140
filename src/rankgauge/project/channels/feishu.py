"""Feishu (Lark), by a bot of a group. Texts are fields of a rich post, where nothing in them is markup.

With a secret, a message is signed: base64(HMAC-SHA256(key = "timestamp\\nsecret", nothing)), seconds since 1970.
"""

from __future__ import annotations

import base64
import hmac
from typing import Any

from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.posting import post, refuse_code
from rankgauge.project.channels.secrets import address_of, secret_of
from rankgauge.project.tables import Channel

__all__ = ["send", "signature", "told"]


def send(channel: Channel, digest: Digest, how: Sending) -> None:
    url, secret = address_of(how.variables, channel.url_env), secret_of(how.variables, channel.secret_env)
    message = told(digest)
    if secret:
        at = int(how.now())
        message |= {"timestamp": str(at), "sign": signature(at, secret)}
    refuse_code(post(url, message, channel.timeout), ("code", "StatusCode"), (url, secret))


def signature(at: int, secret: str) -> str:
    """As the service computes it."""
    return base64.b64encode(hmac.digest(f"{at}\n{secret}".encode(), b"", "sha256")).decode()


def told(digest: Digest) -> dict[str, Any]:
    """What the service takes: a title, and lines of texts and links."""
    lines = [[_part(line)] for block in digest.blocks() for line in [*block, ""]][:-1]
    post_ = {"title": digest.title, "content": lines}
    return {"msg_type": "post", "content": {"post": {"zh_cn" if digest.language == "zh" else "en_us": post_}}}


def _part(line: str) -> dict[str, str]:
    if line.startswith(("https://", "http://")):
        return {"tag": "a", "text": line, "href": line}
    return {"tag": "text", "text": line}
