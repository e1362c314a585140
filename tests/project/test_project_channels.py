"""Each channel against a server on this computer: what it sends, what it makes of refusals, what it never says."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import socketserver
import ssl
import threading
import time
from contextlib import suppress
from email import message_from_string, policy
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from servers import Answer, mail_server, web_server

from rankgauge._text import Text
from rankgauge.errors import RankgaugeError
from rankgauge.project.channels import dingtalk, email, feishu, file, slack, webhook, wecom
from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.posting import Refused, attempted, post
from rankgauge.project.incidents import Incident
from rankgauge.project.tables import Channel

NOW = 1_700_000_000.5
INCIDENT = Incident(
    key="alert\tx",
    state="alert",
    subject="july · search · RR",
    sentence=Text("RR fell by 0.25 (95% interval 0.20 … 0.30)", "RR 下降 0.25（95% 置信区间 0.20 … 0.30）"),
    since="2026-11-09T06:00:00.000000Z",
    slices=("language=zh",),
    queries=(("q00", -0.5), ("q02", -0.25), ("q04", -0.125), ("q06", -0.1)),
    entry="bbbb",
    against="aaaa",
)
DIGEST = Digest("shop", "2026-11-18T06:00:00.000000Z", [INCIDENT], "https://quality.example.org/")
HOSTILE = (
    "<!channel> <@all> <https://evil.example|click> *b* _i_ `c` &amp; \n\nBcc: x@evil\x1b[2J\u202e [x](y) @everyone"
)
BAD = Digest(
    HOSTILE, DIGEST.at, [Incident("k", "broken", HOSTILE, HOSTILE, slices=(HOSTILE,), queries=((HOSTILE, -1.0),))]
)


def sending(variables: dict[str, str], folder: Path = Path()) -> Sending:
    return Sending(variables, lambda: NOW, lambda seconds: None, folder)


def channel(kind: Any, **more: Any) -> Channel:
    return Channel(kind=kind, url_env="URL", timeout=5.0, **more)


def test_a_message_has_the_sentence_since_when_slices_three_queries_and_the_link() -> None:
    assert DIGEST.text() == (
        "shop: 1 alert\n\n"
        "alert: july · search · RR: RR fell by 0.25 (95% interval 0.20 … 0.30)\n"
        "slices: language=zh\n"
        "since 2026-11-09 06:00 UTC\n"
        "queries that moved most: q00 -0.5000, q02 -0.2500, q04 -0.1250\n"
        "https://quality.example.org/compare?a=aaaa&b=bbbb"
    )


def test_a_message_in_chinese() -> None:
    digest = Digest("shop", DIGEST.at, [INCIDENT], None, "zh")

    assert digest.text().split("\n") == [
        "shop：1 项告警",
        "",
        "告警：july · search · RR：RR 下降 0.25（95% 置信区间 0.20 … 0.30）",
        "切片：language=zh",
        "自 2026-11-09 06:00 UTC",
        "变化最大的查询：q00 -0.5000, q02 -0.2500, q04 -0.1250",
    ]


def test_of_many_a_message_shows_ten() -> None:
    blocks = Digest("shop", DIGEST.at, [INCIDENT] * 13).blocks()

    assert (len(blocks), blocks[-1]) == (11, ["… and 3 more"])


def test_names_of_others_begin_no_line() -> None:
    lines = BAD.text().split("\n")

    assert len(lines) == 5
    assert not any("\x1b" in line or "\u202e" in line for line in lines)


def test_webhook_posts_everything_as_json_with_a_token() -> None:
    with web_server() as web:
        webhook.send(channel("webhook", token_env="T"), DIGEST, sending({"URL": web.url + "/in", "T": "abc"}))

    (got,) = web.got
    assert (got["path"], got["headers"]["Authorization"]) == ("/in", "Bearer abc")
    assert got["headers"]["Content-Type"] == "application/json; charset=utf-8"
    assert got["body"] == json.loads(json.dumps(DIGEST.to_dict()))
    assert got["body"]["incidents"][0]["queries"] == [
        {"query": "q00", "change": -0.5},
        {"query": "q02", "change": -0.25},
        {"query": "q04", "change": -0.125},
    ]


def test_slack_gets_a_text_without_mentions() -> None:
    with web_server() as web:
        slack.send(channel("slack"), BAD, sending({"URL": web.url}))

    text = web.bodies[0]["text"]
    assert re.search("<|>", text) is None
    assert "&lt;!channel&gt;" in text
    assert "&amp;amp;" in text
    assert text.split("\n")[0].count("*") == 2  # only ours


def test_feishu_posts_lines_and_signs_them() -> None:
    with web_server(Answer(body='{"code": 0, "msg": "success"}')) as web:
        feishu.send(channel("feishu", secret_env="S"), DIGEST, sending({"URL": web.url, "S": "hush"}))

    (body,) = web.bodies
    expected = base64.b64encode(hmac.new(b"1700000000\nhush", b"", hashlib.sha256).digest()).decode()
    assert (body["timestamp"], body["sign"]) == ("1700000000", expected)
    post = body["content"]["post"]["en_us"]
    assert post["title"] == "shop: 1 alert"
    assert post["content"][-1] == [
        {
            "tag": "a",
            "text": "https://quality.example.org/compare?a=aaaa&b=bbbb",
            "href": "https://quality.example.org/compare?a=aaaa&b=bbbb",
        }
    ]


def test_feishu_texts_are_fields_and_no_markup() -> None:
    told = feishu.told(BAD)

    parts = [part for line in told["content"]["post"]["en_us"]["content"] for part in line]
    assert {part["tag"] for part in parts} == {"text"}


def test_dingtalk_signs_the_address() -> None:
    with web_server(Answer(body='{"errcode": 0, "errmsg": "ok"}')) as web:
        how = sending({"URL": web.url + "/robot/send?access_token=tok", "S": "SEC+hush/="})
        dingtalk.send(channel("dingtalk", secret_env="S"), BAD, how)

    (got,) = web.got
    asked = parse_qs(urlsplit(got["path"]).query)
    at = "1700000000500"
    expected = base64.b64encode(hmac.new(b"SEC+hush/=", f"{at}\nSEC+hush/=".encode(), hashlib.sha256).digest()).decode()
    assert asked == {"access_token": ["tok"], "timestamp": [at], "sign": [expected]}
    assert got["body"]["msgtype"] == "text"  # nothing in it is markup
    assert got["body"]["at"] == {"isAtAll": False}


def test_wecom_keeps_to_its_bytes_and_mentions_nobody() -> None:
    long = Digest("店", DIGEST.at, [Incident("k", "alert", "数" * 400, Text("x", "数" * 900))] * 3, None, "zh")
    with web_server(Answer(body='{"errcode": 0}')) as web:
        wecom.send(channel("wecom"), long, sending({"URL": web.url}))
        wecom.send(channel("wecom"), BAD, sending({"URL": web.url}))

    first, second = (body["text"]["content"] for body in web.bodies)
    assert 2040 < len(first.encode()) <= 2048
    assert first.endswith("…")
    assert "<@" not in second
    assert web.bodies[1]["text"]["mentioned_list"] == []


@pytest.mark.parametrize("module", [feishu, dingtalk, wecom])
def test_a_service_that_refuses_in_its_body_is_a_failure_without_the_secret(module: Any) -> None:
    kind = module.__name__.rpartition(".")[2]
    with web_server() as web:
        url = web.url + "/hook/swordfish"
        code = "code" if kind == "feishu" else "errcode"
        web.answers = [Answer(body=json.dumps({code: 310000, "errmsg": f"bad {url}", "msg": f"bad {url}"}))]
        with pytest.raises(RankgaugeError) as caught:
            module.send(channel(kind), DIGEST, sending({"URL": url}))

    assert str(caught.value) == "the service refused it: 310000 bad …."


def test_email_is_one_message_whose_names_add_no_header() -> None:
    with mail_server() as mail:
        how = Channel(
            kind="email", host="127.0.0.1", port=mail.port, security="none", sender="a@b.c", to=("d@e.f", "g@h.i")
        )
        email.send(how, BAD, sending({}))

    (text,) = mail.messages
    got = message_from_string(text, policy=policy.default)
    assert sorted(got.keys()) == sorted(
        ["Subject", "From", "To", "Date", "Message-ID", "Content-Type", "Content-Transfer-Encoding", "MIME-Version"]
    )
    assert mail.recipients == ["<d@e.f>", "<g@h.i>"]
    assert got["Subject"].startswith("[rankgauge] <!channel>")
    assert got.get_content().replace("\r", "").strip() == BAD.text()


def test_email_tries_again_where_the_server_says_later() -> None:
    pauses: list[float] = []
    with mail_server() as mail:
        mail.codes = ["451 later"]
        how = Channel(kind="email", host="127.0.0.1", port=mail.port, security="none", sender="a@b.c", to=("d@e.f",))
        attempted(lambda: email.send(how, DIGEST, sending({})), how, pauses.append)

    assert (len(mail.messages), pauses) == (1, [1.0])


def test_email_without_encryption_where_it_was_asked_is_refused() -> None:
    with mail_server() as mail:
        how = Channel(kind="email", host="127.0.0.1", port=mail.port, sender="a@b.c", to=("d@e.f",))
        with pytest.raises(RankgaugeError, match="the server cannot encrypt"):
            email.send(how, DIGEST, sending({}))

    assert mail.messages == []


def test_a_file_grows_by_a_line_and_half_a_line_is_cut_off(tmp_path: Path) -> None:
    how = Channel(kind="file", path="told.jsonl")
    file.send(how, DIGEST, sending({}, tmp_path))
    path = tmp_path / "told.jsonl"
    path.write_bytes(path.read_bytes() + b'{"half')

    file.send(how, BAD, sending({}, tmp_path))

    assert [json.loads(line)["title"] for line in path.read_text().splitlines()] == [DIGEST.title, BAD.title]


# refusals


def test_errors_of_the_server_are_tried_again_with_pauses_that_grow() -> None:
    pauses: list[float] = []
    with web_server(Answer(500), Answer(503), Answer(429, headers={"Retry-After": "7"}), Answer(200)) as web:
        how = channel("slack", attempts=4)
        attempted(lambda: slack.send(how, DIGEST, sending({"URL": web.url})), how, pauses.append)

    assert (len(web.got), pauses) == (4, [1.0, 2.0, 7.0])


def test_the_attempts_end() -> None:
    pauses: list[float] = []
    with web_server(Answer(500, headers={"Retry-After": "86400"})) as web:
        how = channel("slack", attempts=3)
        with pytest.raises(RankgaugeError, match="the server answered HTTP 500"):
            attempted(lambda: slack.send(how, DIGEST, sending({"URL": web.url})), how, pauses.append)

    assert (len(web.got), pauses) == (3, [30.0, 30.0])  # nobody waits for a day


@pytest.mark.parametrize("code", [400, 401, 403, 404, 410])
def test_what_will_not_change_is_not_tried_again(code: int) -> None:
    with web_server(Answer(code)) as web:
        how = channel("slack", attempts=5)
        with pytest.raises(RankgaugeError, match=f"HTTP {code}"):
            attempted(lambda: slack.send(how, DIGEST, sending({"URL": web.url})), how, lambda seconds: None)

    assert len(web.got) == 1


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_are_refused(code: int) -> None:
    with (
        web_server() as elsewhere,
        web_server(Answer(code, headers={"Location": elsewhere.url + "/steal"})) as web,
        pytest.raises(RankgaugeError, match=rf"sends elsewhere \(HTTP {code}\)"),
    ):
        slack.send(channel("slack"), DIGEST, sending({"URL": web.url}))

    assert elsewhere.got == []


def test_a_server_that_does_not_answer_in_time() -> None:
    with web_server(Answer(after=1.0)) as web:
        how = Channel(kind="slack", url_env="URL", timeout=0.2)
        with pytest.raises(RankgaugeError, match=r"no answer within 0\.2 seconds\.") as caught:
            slack.send(how, DIGEST, sending({"URL": web.url}))

    assert caught.value.again  # type: ignore[attr-defined]


def test_nobody_there() -> None:
    with web_server() as web:
        url = web.url
    with pytest.raises(RankgaugeError, match=r"no connection: Connection refused\."):
        slack.send(channel("slack"), DIGEST, sending({"URL": url + "/swordfish"}))


BAD_ADDRESSES = [
    "swordfish",
    "file:///etc/swordfish",
    "ftp://swordfish/x",
    "http://",
    "http://[swordfish",
    "http://host:swordfish/",
    "http://host/sword fish",
    "http://host/sword\nfish",
    "http://host/\x00swordfish",
    "http://hôst/swordfish",
    "",
]


@pytest.mark.parametrize("url", BAD_ADDRESSES)
def test_an_address_that_is_none_is_not_said(url: str) -> None:
    with pytest.raises(RankgaugeError) as caught:
        slack.send(channel("slack"), DIGEST, sending({"URL": url}))

    said = str(caught.value)
    assert "URL" in said
    assert "fish" not in said
    assert caught.value.__cause__ is None


def test_what_carries_secrets_does_not_show_them() -> None:
    assert "swordfish" not in repr(sending({"URL": "swordfish"}))


class _Dripping(socketserver.BaseRequestHandler):
    """Begins an answer and never ends it."""

    first = b"HTTP/1.1 200 OK\r\nX-Slow: "

    def handle(self) -> None:
        self.request.recv(65536)
        with suppress(OSError):
            self.request.sendall(self.first)
            for _ in range(80):
                self.request.sendall(b"a")
                time.sleep(0.1)


class _Continuing(_Dripping):
    first = b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + b"HTTP/1.1 200 OK\r\nX-Slow: "


@pytest.mark.parametrize("kind", [_Dripping, _Continuing])
def test_a_server_that_drips_its_headers_is_not_waited_for(kind: type[_Dripping]) -> None:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), kind) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        begun = time.monotonic()
        with pytest.raises(Refused, match=r"no answer within 0\.5 seconds") as refused:
            post(f"http://127.0.0.1:{server.server_address[1]}/", {}, 0.5)
        server.shutdown()

    assert refused.value.again
    assert time.monotonic() - begun < 4


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_email_trusts_no_certificate_that_nobody_vouches_for(security: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ssl.SSLContext] = []

    class Server:
        def __init__(self, *_: object, context: ssl.SSLContext | None = None, **__: object) -> None:
            asked.extend([] if context is None else [context])

        def __enter__(self) -> Server:
            return self

        def __exit__(self, *_: object) -> None: ...

        def starttls(self, *, context: ssl.SSLContext) -> None:
            asked.append(context)

        def send_message(self, _: object) -> None: ...

    monkeypatch.setattr("smtplib.SMTP", Server)
    monkeypatch.setattr("smtplib.SMTP_SSL", Server)
    email.send(channel("email", host="h", sender="a@b", to=("c@d",), security=security), DIGEST, sending({}))

    (context,) = asked
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


def test_a_token_that_no_header_can_carry_is_not_left_out() -> None:
    with web_server() as web, pytest.raises(Refused, match="what the environment variable TOKEN holds"):
        webhook.send(channel("webhook", token_env="TOKEN"), DIGEST, sending({"URL": web.url, "TOKEN": "é"}))

    assert web.got == []
