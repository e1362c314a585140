"""The report: one HTML file whose first screen is the answer.

    gathering/     from records to a story: the only place of the page that computes
    story.py       what there is to tell, complete and fixed
    facts/         what it comes to, in words; fact.py says which of them decide the head
    screens/       one module per screen: what it shows, or None where its data are absent
    templates/     how it looks: a template per screen, the page, its style and its script
    writing.py     from a story to a file

Numbers come from records; a screen rounds them and does nothing else. The templates escape every text from outside.
"""

from rankgauge.reporting.page.writing import report

__all__ = ["report"]
