"""The dashboard on a port of this machine, until it is interrupted."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import InputError, MissingExtra, reason

if TYPE_CHECKING:
    from rankgauge.web.access import Access

__all__ = ["address_of", "login_link", "missing", "serve"]


def serve(app: Any, host: str, port: int, *, ready: Callable[[str], None]) -> None:
    """Listens; `ready` is told the address once it can be called."""
    try:
        import uvicorn

        from rankgauge.web.listener import Listener
    except ImportError as e:
        raise missing() from e
    listening = _listening(host, port)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        http=Listener,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=3,
        limit_concurrency=400,
        h11_max_incomplete_event_size=32 << 10,
        ws="none",
    )
    server = uvicorn.Server(config)
    with listening, suppress(KeyboardInterrupt), _terminated():  # that is how it is stopped
        ready(address_of(host, listening.getsockname()[1]))
        server.run(sockets=[listening])


@contextmanager
def _terminated() -> Iterator[None]:
    """SIGTERM stops it as Ctrl-C does. uvicorn hands it on once it has stopped, which would end the process there."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # no other may take signals
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host.strip("[]"), port))
        made.listen(128)
    except OSError as e:
        made.close()
        raise InputError(
            Text(
                f"cannot listen on {show(host)}, port {port}: {reason(e).en}. Name another port: --port 0 takes "
                "a free one.",
                f"无法监听 {show(host)} 的端口 {port}：{reason(e).zh}。请换一个端口：--port 0 会选用空闲端口。",
            )
        ) from e
    return made


def address_of(host: str, port: int) -> str:
    """Where a browser finds it."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def login_link(address: str, access: Access) -> str:
    """The address that lets its reader in."""
    return f"{address}?token={access.token}" if access.token else address


def missing() -> MissingExtra:
    """What to install."""
    return MissingExtra(
        Text(
            'the dashboard needs Starlette and uvicorn. Install them with: pip install "rankgauge[ui]"',
            '看板需要 Starlette 和 uvicorn。安装方法：pip install "rankgauge[ui]"',
        )
    )
