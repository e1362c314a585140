"""Texts that must not break a page or run in it."""

SCRIPT = "<script>alert(1)</script>"
BREAKS = (
    SCRIPT,
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "' onmouseover='alert(4)",
    "</title></svg></style><iframe src=javascript:alert(5)>",
    "{{ 7 * 7 }} {% raw %} {# no #}",
    "&lt;b&gt; &amp;amp; <b>bold</b>",
    "]]><!-- -->",
    "\u202egnp.exe\u202c \u2066\u200f right to left \u061c",
    "line\nbreak\ttab\x00null\x1bescape\u2028separator",
    "x" * 5000,
    "长" * 2000,
    "javascript:alert(6)",
    "#q-1",
    "🦜 emoji 👩‍👩‍👧",
)
ROOTS = {"script": 1, "style": 1, "img": 0, "iframe": 0, "b": 0, "object": 0, "embed": 0, "base": 0, "form": 0}
"""How many elements of each kind a page may have."""
