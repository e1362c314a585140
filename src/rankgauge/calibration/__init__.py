"""Turns scores that rank well into probabilities that can be believed.

    from rankgauge.calibration import calibrate, reliability, worst_segments

    reliability(predictions)                            # where are probabilities off?
    worst_segments(predictions, ["device", "country"])  # for whom?
    found = calibrate(predictions, "all")               # would a calibrator help, judged on other rows?
    found.refit().save("platt.json")

A calibrator fitted and judged on the same rows flatters itself, isotonic regression most of all. The calibrators by
themselves need nothing but arrays: `fit_calibrator("platt", label, p).apply(p_later)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use
from rankgauge.calibration.base import CALIBRATORS, Calibrator, FittedOn, fit_calibrator, load_calibrator
from rankgauge.calibration.calibrators import Histogram, Isotonic, OddsShift, Platt, Temperature

if TYPE_CHECKING:
    from rankgauge.calibration.diagram import Reliability, ReliabilityBin, reliability
    from rankgauge.calibration.judge import Calibration, Judged, calibrate
    from rankgauge.calibration.segments import Segment, WorstSegments, worst_segments

__all__ = [
    "CALIBRATORS",
    "Calibration",
    "Calibrator",
    "FittedOn",
    "Histogram",
    "Isotonic",
    "Judged",
    "OddsShift",
    "Platt",
    "Reliability",
    "ReliabilityBin",
    "Segment",
    "Temperature",
    "WorstSegments",
    "calibrate",
    "fit_calibrator",
    "load_calibrator",
    "reliability",
    "worst_segments",
]

_HOME = {
    "Calibration": "judge",
    "Judged": "judge",
    "Reliability": "diagram",
    "ReliabilityBin": "diagram",
    "Segment": "segments",
    "WorstSegments": "segments",
    "calibrate": "judge",
    "reliability": "diagram",
    "worst_segments": "segments",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
