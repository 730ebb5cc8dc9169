"""duel-sim: how balanced a card game is, by playing many duels.

``import sim; sim.matchup("rome", "sparta", n=100_000)`` plays a matchup (`sim.api`);
``sim.compare("rome", "my-rome.txt")`` says which of two lists is better (`sim.comparison`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.api import Matchup as Matchup
    from sim.api import matchup as matchup
    from sim.comparison import Comparison as Comparison
    from sim.comparison import compare as compare

__version__ = "0.1.0"
__all__ = ["Comparison", "Matchup", "__version__", "compare", "matchup"]


def __getattr__(name: str) -> Any:
    """Load the library when it is first used: a bare import takes no time."""
    if name in ("Matchup", "matchup"):
        import sim.api

        return getattr(sim.api, name)
    if name in ("Comparison", "compare"):
        import sim.comparison

        return getattr(sim.comparison, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
