"""The dashboard: a history in the browser, served by this machine.

    access.py      who may come in
    security.py    what every request passes
    app.py         which page answers which address
    visit.py       one request: who asks, in which language, with which words
    pages/         one module per screen: asks the library, names a template
    drawing.py     from a page to HTML, with the parts of the report
    jobs.py        work that takes longer, in processes of their own
    api.py         the same resources as JSON; openapi.py describes them

Nothing is computed here: pages ask the library, and draw with the charts and screens of the report.
"""

from __future__ import annotations

from rankgauge.web.app import app
from rankgauge.web.serving import serve

__all__ = ["app", "serve"]
