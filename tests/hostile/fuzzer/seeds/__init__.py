"""Every command and every public function, with valid input."""

from .commands import COMMANDS
from .functions import FUNCTIONS
from .seed import Seed

__all__ = ["SEEDS", "Seed"]

SEEDS: dict[str, Seed] = {seed.name: seed for seed in (*COMMANDS, *FUNCTIONS)}
assert len(SEEDS) == len(COMMANDS) + len(FUNCTIONS)
