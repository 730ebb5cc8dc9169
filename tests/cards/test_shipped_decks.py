"""The decks that ship with the game, and how a deck is found by what a user types."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cards.ancient_duel.deck_files import write_deck
from cards.ancient_duel.decks import Deck, deck_kind, standard_deck, violations
from cards.ancient_duel.load import FACTION_ORDER, card_set
from cards.ancient_duel.shipped_decks import find_deck, look_up, shipped_decks
from cards.errors import InputError

CARDS = card_set()
SHIPPED = shipped_decks(CARDS)


@pytest.mark.parametrize("faction", FACTION_ORDER)
def test_a_standard_deck_is_the_datas_copies(faction: str) -> None:
    assert find_deck(f"{faction}-standard", CARDS) == standard_deck(CARDS, faction)
    (file,) = [each for each in SHIPPED if each.id == f"{faction}-standard"]
    copies = {card.id: card.copies for card in CARDS.cards if card.faction == faction}
    assert dict(file.deck.cards) == {card: count for card, count in copies.items() if count}


def test_every_shipped_deck_is_legal_and_has_an_idea_of_its_own() -> None:
    for each in SHIPPED:
        assert violations(each.deck, CARDS) == [], each.id
        assert each.id.startswith(f"{each.deck.faction}-")
        assert 40 < len(each.idea) < 400
    assert len({each.deck.cards for each in SHIPPED}) == len(SHIPPED)
    assert len({each.deck.name for each in SHIPPED}) == len(SHIPPED)


def test_every_faction_has_two_more_decks_and_every_kind_is_there() -> None:
    more = [each for each in SHIPPED if not each.id.endswith("-standard")]
    by_faction = Counter(each.deck.faction for each in more)
    assert all(by_faction[faction] >= 2 for faction in FACTION_ORDER)
    kinds = Counter(deck_kind(each.deck, CARDS) for each in more)
    assert min(kinds["pure"], kinds["allied"], kinds["coalition"]) >= 4


def test_they_are_listed_by_faction_the_standard_deck_first() -> None:
    factions = [each.deck.faction for each in SHIPPED]
    assert list(dict.fromkeys(factions)) == list(FACTION_ORDER)
    firsts = {each.deck.faction: each.id for each in reversed(SHIPPED)}
    assert set(firsts.values()) == {f"{faction}-standard" for faction in FACTION_ORDER}


@pytest.mark.parametrize(
    "text", ["rome-testudo-wall", "Rome Testudo Wall", "ROME_TESTUDO_WALL", "Testudo Wall"]
)
def test_a_shipped_deck_by_its_names(text: str) -> None:
    assert find_deck(text, CARDS).name == "Testudo Wall"


def test_a_file_is_found_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_deck(standard_deck(CARDS, "dacia"), Path("rome-testudo-wall"), CARDS)
    assert find_deck("rome-testudo-wall", CARDS).faction == "rome"
    assert find_deck("./rome-testudo-wall", CARDS).faction == "dacia"
    write_deck(standard_deck(CARDS, "dacia"), Path("rome-testudo-wall.txt"), CARDS)
    assert find_deck("rome-testudo-wall.txt", CARDS).faction == "dacia"


def test_a_near_miss_and_an_illegal_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'rome-testudo-wall'"):
        look_up("rome-testudo-wal", CARDS)
    with pytest.raises(InputError, match="'duel-sim deck list' shows the decks"):
        look_up("zzzz", CARDS)
    path = tmp_path / "few.txt"
    path.write_text("2 Testudo")
    assert look_up(str(path), CARDS).size == 2
    with pytest.raises(InputError, match="not legal: Size: 2 cards"):
        find_deck(str(path), CARDS)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=40))
@example(text="/")
@example(text="\\")
@example(text="\x00/x")
@example(text="rome/")
@example(text="-" * 300)
@example(text="~/" + "x" * 5000)
def test_any_text_is_a_deck_or_one_line(text: str) -> None:
    try:
        assert isinstance(look_up(text, CARDS), Deck)
    except InputError as error:
        assert "\n" not in str(error)
