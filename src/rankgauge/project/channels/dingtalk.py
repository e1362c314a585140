"""DingTalk, by a bot of a group. Plain text: nothing in it is markup, and nobody is mentioned.

With a secret, the address is signed: base64(HMAC-SHA256(secret, "timestamp\\nsecret")), milliseconds since 1970.
"""

from __future__ import annotations

import base64
import hmac
from typing import Any
from urllib.parse import urlencode

from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.posting import post, refuse_code
from rankgauge.project.channels.secrets import address_of, secret_of
from rankgauge.project.tables import Channel

__all__ = ["send", "signature", "told"]


def send(channel: Channel, digest: Digest, how: Sending) -> None:
    url, secret = address_of(how.variables, channel.url_env), secret_of(how.variables, channel.secret_env)
    if secret:
        at = int(how.now() * 1000)
        url += ("&" if "?" in url else "?") + urlencode({"timestamp": at, "sign": signature(at, secret)})
    refuse_code(post(url, told(digest), channel.timeout), ("errcode",), (url, secret))


def signature(at: int, secret: str) -> str:
    """As the service computes it."""
    return base64.b64encode(hmac.digest(secret.encode(), f"{at}\n{secret}".encode(), "sha256")).decode()


def told(digest: Digest) -> dict[str, Any]:
    """What the service takes."""
    return {"msgtype": "text", "text": {"content": digest.text()}, "at": {"isAtAll": False}}
