"""A file of JSON lines, one for each message."""

from __future__ import annotations

from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.lines import append_line
from rankgauge.project.tables import Channel

__all__ = ["send"]


def send(channel: Channel, digest: Digest, how: Sending) -> None:
    assert channel.path is not None
    append_line(how.folder / channel.path, digest.to_dict())
