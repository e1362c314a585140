"""What is secret comes from the environment, and is never said."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from rankgauge._text import Text
from rankgauge.errors import InputError

__all__ = ["address_of", "secret_of"]


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
