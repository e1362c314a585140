"""E-mail, by an SMTP server: encrypted unless the file says otherwise, and never with a password in the clear."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from rankgauge._text import Text
from rankgauge.errors import reason
from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.posting import Refused
from rankgauge.project.channels.secrets import secret_of
from rankgauge.project.tables import Channel

__all__ = ["send", "told"]

_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_SUBJECT = 200


def send(channel: Channel, digest: Digest, how: Sending) -> None:
    assert channel.host is not None
    user, password = (secret_of(how.variables, name) for name in (channel.user_env, channel.password_env))
    message = told(channel, digest, how)
    security = channel.security or "starttls"
    port = channel.port or _PORTS[security]
    try:
        trusted = ssl.create_default_context()
        with (
            smtplib.SMTP_SSL(channel.host, port, timeout=channel.timeout, context=trusted)
            if security == "tls"
            else smtplib.SMTP(channel.host, port, timeout=channel.timeout)
        ) as server:
            if security == "starttls":
                server.starttls(context=trusted)
            if password:
                server.login(user, password)
            server.send_message(message)
    except smtplib.SMTPAuthenticationError:
        raise Refused(Text("the server did not take user and password.", "服务器不接受用户名和密码。")) from None
    except smtplib.SMTPRecipientsRefused:
        raise Refused(Text("the server did not take the addresses in `to`.", "服务器不接受 `to` 中的地址。")) from None
    except smtplib.SMTPResponseException as e:
        code = int(e.smtp_code)
        raise Refused(Text(f"the server answered {code}.", f"服务器回答 {code}。"), again=400 <= code < 500) from None
    except smtplib.SMTPNotSupportedError:
        raise Refused(
            Text(
                'the server cannot encrypt. Use security = "tls", or another server.',
                '服务器不支持加密。请用 security = "tls"，或换一个服务器。',
            )
        ) from None
    except ssl.SSLError:
        raise Refused(Text("the certificate of the server is not trusted.", "服务器的证书不可信。")) from None
    except TimeoutError:
        raise Refused(Text("no answer in time.", "服务器没有及时回答。"), again=True) from None
    except (OSError, smtplib.SMTPException) as e:
        said = reason(e) if isinstance(e, OSError) and e.strerror else Text("it ended the connection", "连接被中断")
        raise Refused(Text(f"no connection: {said}.", f"无法连接：{said.zh}。"), again=True) from None


def told(channel: Channel, digest: Digest, how: Sending) -> EmailMessage:
    """The message; a title has no line breaks, so that no name adds a header."""
    assert channel.sender is not None
    message = EmailMessage()
    message["Subject"] = " ".join(f"[rankgauge] {digest.title}".split())[:_SUBJECT]
    message["From"] = channel.sender
    message["To"] = ", ".join(channel.to or ())
    message["Date"] = formatdate(how.now())
    message["Message-ID"] = make_msgid(domain="rankgauge.invalid")
    message.set_content(digest.text() + "\n")
    return message
