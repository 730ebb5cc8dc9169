"""duel-sim: how balanced a card game is, by playing many duels.

``import sim; sim.matchup("rome", "sparta", n=100_000)`` plays a matchup; see `sim.api`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.api import Matchup as Matchup
    from sim.api import matchup as matchup

__version__ = "0.1.0"
__all__ = ["Matchup", "__version__", "matchup"]


def __getattr__(name: str) -> Any:
    """Load the library when it is first used: a bare import takes no time."""
    if name in ("Matchup", "matchup"):
        import sim.api

        return getattr(sim.api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
