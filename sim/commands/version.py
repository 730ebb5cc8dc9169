"""`duel-sim version`."""

from __future__ import annotations

import sim


def command() -> None:
    """Print the version."""
    print(f"duel-sim {sim.__version__}")
