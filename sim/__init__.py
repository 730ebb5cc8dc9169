"""duel-sim: how balanced a card game is, by playing many duels.

``import sim; sim.matchup("rome", "sparta", n=100_000)`` plays a matchup (`sim.api`);
``sim.compare("rome", "my-rome.txt")`` says which of two lists is better (`sim.comparison`);
``sim.odds("position.toml")`` tries the choices of a position (`sim.position_odds`);
``sim.tournament(["greedy", "my_rush.py"])`` rates strategies (`sim.tournaments`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.api import Matchup as Matchup
    from sim.api import matchup as matchup
    from sim.comparison import Comparison as Comparison
    from sim.comparison import compare as compare
    from sim.position_odds import Odds as Odds
    from sim.position_odds import odds as odds
    from sim.strategy_spread import matchup_under as matchup_under
    from sim.strategy_usage import usage as usage
    from sim.tournaments import Tournament as Tournament
    from sim.tournaments import tournament as tournament

__version__ = "0.1.0"
#: Where each name of the library is defined.
_HOMES = {
    "Comparison": "sim.comparison",
    "Matchup": "sim.api",
    "Odds": "sim.position_odds",
    "Tournament": "sim.tournaments",
    "compare": "sim.comparison",
    "matchup": "sim.api",
    "matchup_under": "sim.strategy_spread",
    "odds": "sim.position_odds",
    "tournament": "sim.tournaments",
    "usage": "sim.strategy_usage",
}
__all__ = [
    "Comparison",
    "Matchup",
    "Odds",
    "Tournament",
    "__version__",
    "compare",
    "matchup",
    "matchup_under",
    "odds",
    "tournament",
    "usage",
]


def __getattr__(name: str) -> Any:
    """Load the library when it is first used: a bare import takes no time."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
