"""Any web address: everything as JSON, with a token where one is asked for."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.posting import Refused, post
from rankgauge.project.channels.secrets import address_of, secret_of
from rankgauge.project.tables import Channel

__all__ = ["send"]


def send(channel: Channel, digest: Digest, how: Sending) -> None:
    """Posts the digest as `Digest.to_dict` has it."""
    url = address_of(how.variables, channel.url_env)
    token = secret_of(how.variables, channel.token_env)
    if token and not (token.isascii() and token.isprintable()):
        raise Refused(
            Text(
                f"no header can carry what the environment variable {channel.token_env} holds.",
                f"环境变量 {channel.token_env} 的内容无法放进请求头。",
            )
        )
    post(url, digest.to_dict(), channel.timeout, {"Authorization": f"Bearer {token}"} if token else None)
