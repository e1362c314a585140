"""docs/policies.md is what the policies say, and the tables of the READMEs have all of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rankgauge.evaluation.policy_fields import fields_of
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.reporting.reference import policies_page

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "policies.md"


def test_the_page_is_up_to_date() -> None:
    page = policies_page()
    if os.environ.get("RANKGAUGE_UPDATE_DOCS"):
        PAGE.write_text(page, encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == page


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_table_has_every_policy_and_every_choice_in_order(readme: str) -> None:
    rows = re.findall(r"^\| `(\w+)`[^|]*\| (.*) \|$", (ROOT / readme).read_text(encoding="utf-8"), re.MULTILINE)

    listed = {name: re.findall(r"`(\w+)`", choices) for name, choices in rows}

    for name, f in fields_of(Policy).items():
        assert listed[name][: len(f.choices)] == list(f.choices), name
