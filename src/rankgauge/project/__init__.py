"""A project: one file that says what is measured, kept, held to rules and told to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.project.file import Project, read_project
    from rankgauge.project.record import Delivery, ProjectRun, RunNumber, SystemRun
    from rankgauge.project.running import run_project

__all__ = ["Delivery", "Project", "ProjectRun", "RunNumber", "SystemRun", "read_project", "run_project"]

_HOME = {
    "Delivery": "record",
    "Project": "file",
    "ProjectRun": "record",
    "RunNumber": "record",
    "SystemRun": "record",
    "read_project": "file",
    "run_project": "running",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
