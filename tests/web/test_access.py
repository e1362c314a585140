"""Who may come in, before any request is made."""

from __future__ import annotations

import pytest

from rankgauge.errors import ParameterError
from rankgauge.web.access import SHORTEST_TOKEN, access_for, is_loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "quality.example"])
def test_nobody_listens_elsewhere_without_saying_who_may_come_in(host: str):
    with pytest.raises(ParameterError, match="nothing says who may"):
        access_for(host)

    assert access_for(host, token="x" * SHORTEST_TOKEN).token
    assert access_for(host, trust_header="X-User", proxies=["10.0.0.5"]).token == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.9"])
def test_this_machine_gets_a_random_token(host: str):
    first, second = access_for(host), access_for(host)

    assert is_loopback(host)
    assert len(first.token) >= 32
    assert first.token != second.token
    assert first.key != second.key


def test_a_header_is_trusted_from_named_proxies_only():
    with pytest.raises(ParameterError, match="needs the address of the proxy"):
        access_for("0.0.0.0", trust_header="X-User")
    with pytest.raises(ParameterError, match="needs the header"):
        access_for("127.0.0.1", proxies=["10.0.0.5"])
    with pytest.raises(ParameterError, match="must be an address"):
        access_for("0.0.0.0", trust_header="X-User", proxies=["proxy.example"])
    found = access_for("0.0.0.0", trust_header="X-User", proxies=["10.0.0.5"])

    assert found.user_of_proxy("10.0.0.5", " ana ") == "ana"
    assert found.user_of_proxy("10.0.0.6", "ana") == ""
    assert access_for("127.0.0.1").user_of_proxy("127.0.0.1", "ana") == ""


@pytest.mark.parametrize("token", ["", "short", "x" * (SHORTEST_TOKEN - 1), "令牌" * 20, "x" * 20 + "\n"])
def test_tokens_that_can_be_guessed_or_not_be_sent_are_refused(token: str):
    with pytest.raises(ParameterError, match="--token must have at least"):
        access_for("127.0.0.1", token=token)


def test_sessions_are_signed_and_end():
    ours, theirs = access_for("127.0.0.1", token="a" * 20), access_for("127.0.0.1", token="b" * 20)
    session = ours.session(now=1000)
    until, _, signature = session.partition(".")

    assert ours.is_session(session, now=1000 + 13 * 86400)
    assert not ours.is_session(session, now=1000 + 15 * 86400)
    assert not theirs.is_session(session, now=1000)
    assert not ours.is_session(f"{int(until) + 1}.{signature}", now=1000)
    for broken in ("", ".", until, f"{until}.", f"{until}.{signature}x", "²." + signature, f"{'9' * 40}.{signature}"):
        assert not ours.is_session(broken, now=1000)
    assert not access_for("0.0.0.0", trust_header="X-User", proxies=["10.0.0.5"]).is_session(session, now=1000)


def test_names_by_which_a_server_may_be_called():
    here = access_for("127.0.0.1", names=["quality.example"])
    everywhere = access_for("0.0.0.0", token="x" * 20)

    for name in ("127.0.0.1:8765", "localhost:1", "LOCALHOST", "[::1]:80", "quality.example:443", "quality.example."):
        assert here.is_host(name)
    for name in ("", "evil.example", "127.0.0.1.evil.example", "10.0.0.7", "localhost.evil.example:80"):
        assert not here.is_host(name)
    assert everywhere.is_host("10.0.0.7:8080")
    assert everywhere.is_host("[fe80::1]:8080")
    assert not everywhere.is_host("evil.example")
