"""The rules of the diagnosis, by theme. Importing this package imports them all: a new module is a new theme."""

from __future__ import annotations

import os
from importlib import import_module

from rankgauge.diagnosis.rules.base import RULES, Rule, Seen, Texts, rule

__all__ = ["RULES", "Rule", "Seen", "Texts", "rule"]

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and not _file.startswith("_"):
        import_module(f"{__name__}.{_file.removesuffix('.py')}")
