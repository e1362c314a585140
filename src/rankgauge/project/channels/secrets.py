"""What is secret comes from the environment, and is never said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from rankgauge._text import Text
from rankgauge.errors import InputError
from rankgauge.project.tables import CHANNELS, Channel

__all__ = ["address_of", "lacking", "secret_of"]


def secret_of(variables: Mapping[str, str], name: str | None) -> str:
    """What a variable holds; nothing where none is named."""
    if name is None:
        return ""
    value = variables.get(name, "").strip()
    if not value:
        raise InputError(
            Text(f"the environment variable {name} is not set.", f"没有设置环境变量 {name}。"),
        )
    return value


def address_of(variables: Mapping[str, str], name: str | None) -> str:
    """The web address that a variable holds."""
    value = secret_of(variables, name)
    try:
        parts = urlsplit(value)
        is_address = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and value.isascii() and value.isprintable()
        )
        is_address = is_address and " " not in value and (parts.port is None or parts.port > 0)
    except ValueError:
        is_address = False
    if not is_address:
        raise InputError(
            Text(
                f"the environment variable {name} must hold a web address, https://…",
                f"环境变量 {name} 必须是网页地址，https://…",
            )
        )
    return value


def lacking(variables: Mapping[str, str], channel: Channel) -> Iterator[str]:
    """What is wrong with the variables that a channel will need, known before there is anything to tell."""
    for key in (k for keys in CHANNELS[channel.kind] for k in keys if k.endswith("_env")):
        try:
            (address_of if key == "url_env" else secret_of)(variables, getattr(channel, key))
        except InputError as e:
            yield e.text
