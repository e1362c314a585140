"""The report: one HTML file whose first screen is the answer.

    story.py       what there is to tell, gathered from the records
    screens/       one module per screen: what it shows, or None where its data are absent
    templates/     how it looks: a template per screen, the page, its style and its script
    writing.py     from a story to a file

Numbers come from records; a page rounds them and does nothing else. The templates escape every text from outside.
"""

from rankgauge.reporting.page.writing import report

__all__ = ["report"]
