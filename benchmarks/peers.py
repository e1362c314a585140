"""The other tools, in an environment of their own: what they require never constrains the project."""

from __future__ import annotations

import json
import subprocess
import venv
from pathlib import Path

PACKAGES = ("pytrec-eval-terrier", "ir-measures", "ranx", "scikit-learn")

_VERSIONS = """
import importlib.metadata as m, json, sys
found = {"python": sys.version.split()[0]}
for name in sys.argv[1:]:
    try:
        found[name] = m.version(name)
    except m.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


RECOMMENDERS = ("rectools", "replay-rec", "recommenders")
"""Those that cannot live together: each has an environment of its own."""


def ensure(folder: Path, packages: tuple[str, ...] = PACKAGES) -> Path:
    """The folder of the peers' environment, made or completed when something is missing."""
    if not python(folder).exists():
        venv.create(folder, with_pip=True)
    if not set(packages) <= versions(python(folder), packages).keys():
        subprocess.run([python(folder), "-m", "pip", "install", "--quiet", *packages], check=True)
    return folder


def alone(folder: Path, package: str) -> Path:
    """The interpreter of an environment that holds this peer only."""
    return python(ensure(folder / "alone" / package, (package,)))


def python(folder: Path) -> Path:
    return folder / "bin" / "python"


def versions(interpreter: Path, packages: tuple[str, ...]) -> dict[str, str]:
    """Versions of Python and of those packages that this interpreter has."""
    answer = subprocess.run([interpreter, "-c", _VERSIONS, *packages], check=True, capture_output=True, text=True)
    return dict(json.loads(answer.stdout))
