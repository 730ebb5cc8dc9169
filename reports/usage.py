"""What a strategy does with its options: how often each kind and card is offered and used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from reports import wording

#: Columns of the frame: how often a choice of a verb and a card could be made, and was made. `card`
#: and `deck` are identifiers and names; `card` is empty for choices that name none.
COLUMNS = ("deck", "verb", "card", "kind", "offered", "chosen")

#: What a card is for: verbs by which a card of a kind is played, and what the table calls them.
_PLAYED = {
    "unit": ("deploy", "special"),
    "commander": ("deploy", "special"),
    "doctrine": ("activate",),
    "tactic": ("respond",),
}
_OTHER = ("set", "use", "attack", "reposition")


@dataclass(frozen=True, slots=True)
class Usage:
    """How a strategy used its options in mirror matches.

    Attributes
    ----------
    strategy
        Its name.
    duels, seed
        How many duels that is from, and their seed.
    counts
        One row for each deck, verb and card that was offered (`COLUMNS`).
    cards
        All cards of the decks: pairs of identifier and kind, in card order.
    """

    strategy: str
    duels: int
    seed: int
    counts: pl.DataFrame
    cards: tuple[tuple[str, str], ...]

    def by_verb(self) -> list[dict[str, Any]]:
        """One table for each verb: `verb`, `offered`, `chosen`."""
        sums = self.counts.group_by("verb", maintain_order=True).agg(
            pl.col("offered", "chosen").sum()
        )
        return sums.to_dicts()

    def by_card(self) -> list[dict[str, Any]]:
        """One table for each card: `card`, `kind`, and for each verb `offered` and `chosen`."""
        named = self.counts.filter(pl.col("card") != "")
        sums = named.group_by("card", "verb").agg(pl.col("offered", "chosen").sum())
        found: dict[str, dict[str, dict[str, int]]] = {}
        for row in sums.sort("card", "verb").iter_rows(named=True):
            numbers = {"offered": row["offered"], "chosen": row["chosen"]}
            found.setdefault(row["card"], {})[row["verb"]] = numbers
        return [
            {"card": card, "kind": kind, "verbs": found.get(card, {})} for card, kind in self.cards
        ]

    def never(self) -> list[str]:
        """Lines that name what was offered and never used, and what was never offered at all."""
        lines = []
        unused = [row["verb"] for row in self.by_verb() if row["offered"] and not row["chosen"]]
        if unused:
            lines.append(f"Offered and never chosen: {', '.join(unused)}.")
        played: dict[str, list[str]] = {"never played": [], "never offered": []}
        for row in self.by_card():
            offered, chosen = _sums(row["verbs"], _PLAYED[row["kind"]])
            if not chosen:
                played["never played" if offered else "never offered"].append(row["card"])
        if played["never played"]:
            cards = played["never played"]
            lines.append(f"Could be played and never were ({len(cards)}): {', '.join(cards)}.")
        if played["never offered"]:
            cards = played["never offered"]
            lines.append(
                f"Never could be played in these duels ({len(cards)}): {', '.join(cards)}."
            )
        for verb, words in (("use", "Abilities never used"), ("set", "Tactics never set")):
            cards = [
                row["card"]
                for row in self.by_card()
                if _sums(row["verbs"], (verb,))[0] > 0 == _sums(row["verbs"], (verb,))[1]
                and (verb == "use" or row["kind"] == "tactic")
            ]
            if cards:
                lines.append(f"{words} ({len(cards)}): {', '.join(cards)}.")
        return lines

    def to_json(self) -> dict[str, Any]:
        """The usage as a dict that `json.dumps` takes."""
        return {
            "strategy": self.strategy,
            "duels": self.duels,
            "seed": self.seed,
            "options": self.by_verb(),
            "cards": self.by_card(),
            "never": self.never(),
        }


def _sums(verbs: dict[str, dict[str, int]], wanted: Sequence[str]) -> tuple[int, int]:
    found = [verbs[verb] for verb in wanted if verb in verbs]
    return sum(each["offered"] for each in found), sum(each["chosen"] for each in found)


# --- for the terminal -----------------------------------------------------------------------------
def print_usage(usage: Usage, console: Console | None = None) -> None:
    """Print both tables, and what was never used, to `console` (stdout by default)."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(usage_table(usage))


def usage_table(usage: Usage) -> RenderableType:
    """Options by kind, options by card, and what was never used, as a rich renderable."""
    basis = f"{wording.number(usage.duels)} duels, each deck against itself, seed {usage.seed}"
    never = [Text(line) for line in usage.never()] or [Text("Every option and card was used.")]
    return Group(
        Text("What it does with its options", "bold"),
        Text(f"{basis}; numbers a duel, both sides together", "dim"),
        "",
        _verb_table(usage),
        "",
        _card_table(usage),
        Text("times it was played, then the share of the decisions that offered it", "dim"),
        "",
        *never,
    )


def _new_table(*headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", no_wrap=place == 0)
    return table


def _verb_table(usage: Usage) -> Table:
    table = _new_table("option", "offered", "chosen", "share")
    for row in usage.by_verb():
        offered, chosen = row["offered"], row["chosen"]
        table.add_row(
            row["verb"],
            f"{offered / usage.duels:.2f}",
            f"{chosen / usage.duels:.2f}",
            wording.percent(chosen / offered) if offered else "",
        )
    return table


def _card_table(usage: Usage) -> Table:
    """How many times a card was played, and the shares of the decisions that offered each use."""
    table = _new_table("card", "times", "played", "set", "ability", "attack", "move")
    for row in usage.by_card():
        played = _sums(row["verbs"], _PLAYED[row["kind"]])
        shares = [played, *(_sums(row["verbs"], (verb,)) for verb in _OTHER)]
        table.add_row(row["card"], f"{played[1]:,}", *(_share(*each) for each in shares))
    return table


def _share(offered: int, chosen: int) -> str:
    if not offered:
        return ""
    return "never" if not chosen else f"{100 * chosen / offered:.0f}%"
