"""What happened between two moments of a duel, in lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.ancient_duel.notation import SIDES


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Lines for what differs between two results (`result.result_of`) of one duel."""
    lines = []
    if (before["active"], before["turn"]) != (after["active"], after["turn"]):
        lines.append(f"turn {after['turn']} of {after['active']}")
    elif before["phase"] != after["phase"]:
        lines.append(f"phase {after['phase']}")
    for side in SIDES:
        lines.extend(f"{side}: {line}" for line in _side_changes(before[side], after[side]))
    if after["over"]:
        why = "LP" if after["reason"] == "lp" else "a draw from an empty deck"
        lines.append(f"{after['winner']} wins by {why}")
    return lines


def _side_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for key, name in (("lp", "LP"), ("energy", "energy")):
        if before[key] != after[key]:
            yield f"{name} {before[key]} -> {after[key]}"
    came, _ = _difference(before["hand"], after["hand"])
    if came:
        yield f"{', '.join(came)} to hand"
    came, _ = _difference(before["graveyard"], after["graveyard"])
    if came:
        yield f"{', '.join(came)} to the graveyard"
    yield from _field_changes(before["units"], after["units"])
    yield from _field_changes(before["support"], after["support"])


def _difference(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    old, new = Counter(before), Counter(after)
    return list((new - old).elements()), list((old - new).elements())


def _field_changes(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Arrivals, and what has changed about the cards that stand where they stood."""
    came, gone = _difference([row["card"] for row in before], [row["card"] for row in after])
    for card in came:
        yield f"{card} to the field"
    if came or gone:
        return
    for old, new in zip(before, after, strict=True):
        told = [
            f"{key} {old[key]} -> {new[key]}"
            for key in ("position", "atk", "def", "face_up")
            if key in new and old[key] != new[key]
        ]
        if told:
            yield f"{new['card']}: {', '.join(told)}"
