"""Turns scores that rank well into probabilities that can be believed.

    from rankgauge.calibration import fit_calibrator, load_calibrator

    calibrator = fit_calibrator("platt", label, p)      # on one slice of time
    better = calibrator.apply(p_later)                  # judged on the next
    calibrator.save("platt.json")

A calibrator fitted and judged on the same rows flatters itself, isotonic regression most of all.
"""

from rankgauge.calibration.base import CALIBRATORS, Calibrator, FittedOn, fit_calibrator, load_calibrator
from rankgauge.calibration.calibrators import Histogram, Isotonic, OddsShift, Platt, Temperature

__all__ = [
    "CALIBRATORS",
    "Calibrator",
    "FittedOn",
    "Histogram",
    "Isotonic",
    "OddsShift",
    "Platt",
    "Temperature",
    "fit_calibrator",
    "load_calibrator",
]
