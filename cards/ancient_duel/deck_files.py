"""Deck files in both forms: reading and writing them.

TOML::

    name = "Shields"
    faction = "Rome"        # may be left out

    [cards]
    "Hastati Line" = 2

Plain text, one card a line, as people paste it::

    # anything after a # is a comment
    faction: Rome           # may be left out, as may `name:`
    2 Hastati Line
    3x Когорта легионеров
    Testudo ×2
    legion_eagle

A card may be called by its English or Russian name or its identifier, in any case and punctuation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cards.ancient_duel.decks import Deck, check_deck, make_deck
from cards.ancient_duel.load import CardSet
from cards.errors import InputError, OutputError
from cards.files import lines_of, parse_toml, read_text, write_whole
from cards.names import as_place, quote, suggestion, unprintable

#: "2 Name", "2x Name", "2 × Name"; x is a Latin or a Cyrillic letter.
COUNT_FIRST: Final = re.compile(r"(\d+)(?:\s*[x×хXХ*])?\s+(.+)")
#: "Name ×2", "Name x2", "Name (2)"; a letter x needs a space before it, or it is the name's own.
COUNT_LAST: Final = re.compile(r"(.+?)(?:\s+[xхXХ]\s*|\s*[×*]\s*|\s+\()(\d+)\)?")
#: The heads of a text deck, in both languages.
HEADS: Final = {"name": "name", "название": "name", "faction": "faction", "фракция": "faction"}
HEAD: Final = re.compile(rf"({'|'.join(HEADS)})\s*[:=]\s*(.*)", re.IGNORECASE)
#: A name may have a # in it ("My #1"), but not one that stands by itself.
COMMENT_ON_NAME: Final = " # "
#: The line that a TOML deck has and a plain list has not.
HEAD_OF_TABLE: Final = re.compile(r"^[ \t]*\[cards\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
BULLET: Final = re.compile(r"[-*•]\s+")
#: More digits than this are no count of cards (and would be slow to read).
LONGEST_COUNT: Final = 4
MOST_COPIES_WRITTEN: Final = 10**LONGEST_COUNT - 1
LONGEST_DECK_NAME: Final = 80
#: Letters of a line, comments left out: a longer one names no card (and would be slow to read).
LONGEST_LINE: Final = 400


def read_deck(path: Path, card_set: CardSet) -> Deck:
    """The legal deck of a file.

    Raises
    ------
    InputError
        As `parse_deck`, or the deck breaks a rule of deck building.
    """
    return check_deck(parse_deck(path, card_set), card_set, where=str(path))


def parse_deck(path: Path, card_set: CardSet) -> Deck:
    """The deck of a file, legal or not (for a check that lists the violations).

    Raises
    ------
    InputError
        The file cannot be read, is not UTF-8, is empty, or has a line that names no card.
    """
    text = read_text(path)
    where = str(path)
    name = "".join("_" if unprintable(letter) else letter for letter in path.stem)
    if _is_toml(path, text):
        return deck_from_table(parse_toml(text, where), card_set, where, name)
    return deck_from_text(text, card_set, where, name)


def deck_from_table(table: Mapping[str, Any], card_set: CardSet, where: str, name: str) -> Deck:
    """A deck from the table of a TOML deck file; `name` is for a deck that does not say its own."""
    known = ("name", "faction", "cards")
    for key in table:
        if key not in known:
            raise InputError(
                f"there is no key {quote(key)} in a deck", where=where, right=suggestion(key, known)
            )
    for key in ("name", "faction"):
        if not isinstance(table.get(key, ""), str):
            raise InputError(f"is {quote(table[key])}, not a text", where=f"{where}, {key}")
    cards = table.get("cards", {})
    if not isinstance(cards, dict):
        raise InputError(
            "is no table", where=f"{where}, cards", right='write [cards] and "Hastati Line" = 2'
        )
    if not cards:
        raise InputError("has no cards", where=where, right='write [cards] and "Hastati Line" = 2')
    counts: Counter[str] = Counter()
    for card, count in cards.items():
        place = f"{where}, cards, {as_place(card)}"
        whole = isinstance(count, int) and not isinstance(count, bool)
        if not whole or not 1 <= count <= MOST_COPIES_WRITTEN:
            raise InputError(
                f"is {quote(count)}, not a number of copies", where=place, right="write 1, 2 or 3"
            )
        counts[_card(card, card_set, f"{where}, cards")] += count
    return _finish(
        " ".join(table.get("name", "").split()) or name,
        table.get("faction", ""),
        counts,
        card_set,
        where,
    )


def deck_from_text(text: str, card_set: CardSet, where: str, name: str) -> Deck:
    """A deck from a pasted list; `name` is for a deck that does not say its own."""
    heads = {"name": name, "faction": ""}
    counts: Counter[str] = Counter()
    for number, line in enumerate(lines_of(text), 1):
        place = f"{where}, line {number}"
        if len(line) > LONGEST_LINE and len(line.partition("#")[0].strip()) > LONGEST_LINE:
            raise InputError("is too long to name a card", where=place, right="one card a line")
        head = HEAD.fullmatch(line.strip())
        if head is not None:
            key = HEADS[head[1].casefold()]
            comment = COMMENT_ON_NAME if key == "name" else "#"
            heads[key] = head[2].partition(comment)[0].strip()
            continue
        entry = BULLET.sub("", line.partition("#")[0].strip(), count=1)
        if entry:
            count, card = _count_and_name(entry, place)
            counts[_card(card, card_set, place)] += count
    return _finish(heads["name"] or name, heads["faction"], counts, card_set, where)


def deck_as_text(
    deck: Deck, card_set: CardSet, form: str = "toml", *, russian: bool = False
) -> str:
    """A deck in the form `toml` or `text`; reading it back gives the same deck."""
    named = [(card_set.by_id[card], count) for card, count in deck.cards]
    cards = [(card.name_ru if russian else card.name_en, count) for card, count in named]
    name = " ".join(deck.name.split())
    main = card_set.factions[card_set.faction_number(deck.faction)]
    faction = main.name_ru if russian else main.name_en
    if form == "text":
        heads = ("название", "фракция") if russian else ("name", "faction")
        lines = [f"{heads[0]}: {name}", f"{heads[1]}: {faction}"]
        return "\n".join([*lines, *(f"{count} {card}" for card, count in cards)]) + "\n"
    lines = [f"name = {_quoted(name)}", f"faction = {_quoted(faction)}", "", "[cards]"]
    return "\n".join([*lines, *(f"{_quoted(card)} = {count}" for card, count in cards)]) + "\n"


def write_deck(
    deck: Deck, path: Path, card_set: CardSet, form: str | None = None, *, russian: bool = False
) -> None:
    """Write a deck file; without a form TOML if the path ends in `.toml`, otherwise plain text.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    if form is None:
        form = "toml" if path.suffix.casefold() == ".toml" else "text"
    try:
        write_whole(path, deck_as_text(deck, card_set, form, russian=russian))
    except (OutputError, ValueError) as fault:
        reason = getattr(fault, "reason", fault)
        raise InputError(f"cannot be written ({reason})", where=str(path)) from None


def _is_toml(path: Path, text: str) -> bool:
    """Whether a deck is TOML: it is called so, or has the line without which there is none."""
    return path.suffix.casefold() == ".toml" or HEAD_OF_TABLE.search(text) is not None


def _count_and_name(entry: str, where: str) -> tuple[int, str]:
    """The count (1 where none is written) and the card's name of a line."""
    first = COUNT_FIRST.fullmatch(entry)
    last = COUNT_LAST.fullmatch(entry)
    if first is not None:
        digits, name = first[1], first[2]
    elif last is not None:
        digits, name = last[2], last[1]
    else:
        return 1, entry
    if len(digits) > LONGEST_COUNT or int(digits) < 1:
        raise InputError(
            f"{quote(digits)} is no number of copies", where=where, right="write 1, 2 or 3"
        )
    return int(digits), name


def _card(name: str, card_set: CardSet, where: str) -> str:
    try:
        return card_set.find_card(name).id
    except InputError as error:
        raise error.inside(where) from None


def _finish(
    name: str, faction: str, counts: Mapping[str, int], card_set: CardSet, where: str
) -> Deck:
    if not counts:
        raise InputError(
            "has no cards", where=where, right="write one card a line, such as '2 Hastati Line'"
        )
    try:
        main = card_set.find_faction(faction).id if faction else _main_faction(counts, card_set)
    except InputError as error:
        raise error.inside(f"{where}, faction") from None
    bad = unprintable(name)
    if bad is not None:
        raise InputError(f"has the character {bad}", where=f"{where}, name", right="leave it out")
    return make_deck(name[:LONGEST_DECK_NAME], main, counts, card_set)


def _main_faction(counts: Mapping[str, int], card_set: CardSet) -> str:
    """The faction of the commanders, if they agree, otherwise the one with the most cards."""
    cards = {card: card_set.by_id[card] for card in counts}
    of_commanders = {card.faction for card in cards.values() if card.kind == "commander"}
    if len(of_commanders) == 1:
        return of_commanders.pop()
    totals: Counter[str] = Counter()
    for card, count in counts.items():
        totals[cards[card].faction] += count
    return max(totals, key=lambda faction: (totals[faction], -card_set.faction_number(faction)))


def _quoted(text: str) -> str:
    """A TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
