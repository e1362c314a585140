"""Servers on this computer that take messages and say what they got."""

from __future__ import annotations

import json
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Answer", "Mail", "Web", "mail_server", "web_server"]


class Answer:
    """What a server answers to one request."""

    def __init__(
        self, code: int = 200, body: str = "ok", headers: dict[str, str] | None = None, after: float = 0.0
    ) -> None:
        self.code, self.body, self.headers, self.after = code, body, headers or {}, after


class Web:
    """A web server: what came in, and what it answers, one after the other; the last for all that follow."""

    def __init__(self, url: str, answers: list[Answer]) -> None:
        self.url, self.answers = url, answers
        self.got: list[dict[str, Any]] = []

    @property
    def bodies(self) -> list[Any]:
        return [x["body"] for x in self.got]


@contextmanager
def web_server(*answers: Answer) -> Iterator[Web]:
    seen: Web

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.got.append({"path": self.path, "headers": dict(self.headers), "body": json.loads(body)})
            answer = seen.answers.pop(0) if len(seen.answers) > 1 else seen.answers[0]
            time.sleep(answer.after)
            self.send_response(answer.code)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body.encode())))
            self.end_headers()
            self.wfile.write(answer.body.encode())

        do_GET = do_POST

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen = Web(f"http://127.0.0.1:{server.server_port}", list(answers) or [Answer()])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Mail:
    """A mail server: what it was sent."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.messages: list[str] = []
        self.recipients: list[str] = []
        self.codes: list[str] = []
        """What it answers to MAIL, one after the other; then 250."""


@contextmanager
def mail_server() -> Iterator[Mail]:
    seen: Mail

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 here")
            while line := self.rfile.readline().decode().strip():
                word = line.split(" ")[0].upper()
                if word == "EHLO":
                    self.say("250 here")
                elif word == "MAIL":
                    self.say(seen.codes.pop(0) if seen.codes else "250 ok")
                elif word == "RCPT":
                    seen.recipients.append(line.partition(":")[2])
                    self.say("250 ok")
                elif word == "DATA":
                    self.say("354 go on")
                    lines = []
                    while (data := self.rfile.readline().decode()) != ".\r\n":
                        lines.append(data)
                    seen.messages.append("".join(lines))
                    self.say("250 taken")
                elif word == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 ok")

        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    seen = Mail(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
