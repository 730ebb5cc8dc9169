"""Deck legality, standard decks, random decks."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.ancient_duel.decks import (
    SHAPES,
    Deck,
    check_deck,
    deck_kind,
    deck_numbers,
    make_deck,
    random_deck,
    standard_deck,
    violations,
)
from cards.ancient_duel.load import FACTION_ORDER, card_set
from cards.errors import InputError

CARDS = card_set()


def ordinary(faction: str, number: int, skip: int = 0) -> dict[str, int]:
    """`number` cards of a faction, neither commanders nor terrain, three of each at most."""
    pool = [
        card.id
        for card in CARDS.cards
        if card.faction == faction and card.kind != "commander" and card.type != "terrain"
    ]
    copies = [card for card in pool[skip:] for _ in range(3)]
    return dict(Counter(copies[:number]))


def deck(*parts: dict[str, int], main: str = "rome") -> Deck:
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part)
    return make_deck("test", main, counts, CARDS)


TRAJAN = {"trajan_imperial_vanguard": 1}
BUILDER = {"trajan_builder_of_provinces": 1}
CAMP = {"fortified_camp": 1}
PASS = {"narrow_pass": 1}
LEONIDAS = {"leonidas_king_of_sparta": 1}


@pytest.mark.parametrize("faction", FACTION_ORDER)
def test_standard_decks_are_legal_and_pure(faction: str) -> None:
    found = standard_deck(CARDS, faction)
    assert violations(found, CARDS) == []
    assert found.size == 40
    assert deck_kind(found, CARDS) == "pure"
    assert found.faction == faction


def test_a_standard_deck_by_its_russian_name() -> None:
    assert standard_deck(CARDS, "РИМ") == standard_deck(CARDS, "rome")
    with pytest.raises(InputError, match="did you mean"):
        standard_deck(CARDS, "Romee")


LEGAL = {
    "pure": deck(TRAJAN, ordinary("rome", 39)),
    "two commanders": deck(TRAJAN, BUILDER, ordinary("rome", 38)),
    "two terrain cards": deck(TRAJAN, {"fortified_camp": 2}, ordinary("rome", 37)),
    "allied": deck(TRAJAN, ordinary("rome", 29), ordinary("sparta", 10)),
    "allied, terrain of both": deck(
        TRAJAN, CAMP, PASS, ordinary("rome", 28), ordinary("sparta", 9)
    ),
    "coalition": deck(TRAJAN, ordinary("rome", 25), ordinary("sparta", 8), ordinary("macedon", 6)),
    "coalition, the other way round": deck(
        TRAJAN, CAMP, ordinary("rome", 24), ordinary("dacia", 6), ordinary("egypt", 8)
    ),
}


@pytest.mark.parametrize("name", LEGAL)
def test_legal(name: str) -> None:
    assert violations(LEGAL[name], CARDS) == []
    assert check_deck(LEGAL[name], CARDS) is LEGAL[name]
    assert deck_kind(LEGAL[name], CARDS) == (
        "pure" if name[:3] in ("pur", "two") else name.split(",")[0]
    )


ILLEGAL = [
    (deck(TRAJAN, ordinary("rome", 38)), ["Size: 39 cards, exactly 40 needed"]),
    (deck(TRAJAN, ordinary("rome", 40)), ["Size: 41 cards, exactly 40 needed"]),
    (
        deck(TRAJAN, {"hastati_line": 4}, ordinary("rome", 35, skip=1)),
        ["Copies: 4 of Hastati Line, at most 3 allowed"],
    ),
    (deck(ordinary("rome", 40)), ["Commanders: 0, from 1 to 2 needed"]),
    (
        deck({"trajan_imperial_vanguard": 2}, ordinary("rome", 38)),
        ["Commanders: 2 copies of Trajan, Imperial Vanguard, 1 allowed"],
    ),
    (
        deck(TRAJAN, LEONIDAS, ordinary("rome", 29), ordinary("sparta", 9)),
        ["Commanders: Leonidas, King of Sparta is of Sparta, the main faction Rome is needed"],
    ),
    (
        deck(TRAJAN, BUILDER, LEONIDAS, ordinary("rome", 28), ordinary("sparta", 9)),
        [
            "Commanders: 3, from 1 to 2 needed",
            "Commanders: Leonidas, King of Sparta is of Sparta, the main faction Rome is needed",
        ],
    ),
    (
        deck(TRAJAN, {"fortified_camp": 3}, ordinary("rome", 36)),
        ["Terrain: 3 cards, at most 2 allowed"],
    ),
    (
        deck(TRAJAN, PASS, ordinary("rome", 29), ordinary("sparta", 9)),
        ["Terrain: 0 of 1 are of the main faction Rome, at least 1 needed"],
    ),
    (
        deck(TRAJAN, ordinary("rome", 28), ordinary("sparta", 11)),
        ["Factions: 29 + 11 cards, allied means exactly 30 + 10"],
    ),
    (
        deck(TRAJAN, ordinary("rome", 25), ordinary("sparta", 7), ordinary("macedon", 7)),
        ["Factions: 26 + 7 + 7 cards, coalition means exactly 26 + 8 + 6"],
    ),
    (
        deck(
            TRAJAN,
            ordinary("rome", 25),
            ordinary("sparta", 8),
            ordinary("macedon", 5),
            ordinary("egypt", 1),
        ),
        ["Factions: 4, at most 3 allowed"],
    ),
    (
        deck(ordinary("sparta", 39), LEONIDAS),
        [
            "Commanders: Leonidas, King of Sparta is of Sparta, the main faction Rome is needed",
            "Factions: 0 cards of the main faction Rome",
        ],
    ),
    (
        Deck("odd", "rome", (("hastati_line", 0), ("no_such_card", 40))),
        ["Known cards: no card has the id 'no_such_card'"],
    ),
]


@pytest.mark.parametrize(("found", "told"), ILLEGAL, ids=[told[0] for _, told in ILLEGAL])
def test_illegal(found: Deck, told: list[str]) -> None:
    assert violations(found, CARDS) == told
    with pytest.raises(InputError) as caught:
        check_deck(found, CARDS, where="deck.txt")
    assert str(caught.value) == f"deck.txt: the deck is not legal: {'; '.join(told)}"


def test_all_violations_at_once() -> None:
    found = deck(
        {"leonidas_king_of_sparta": 2, "fortified_camp": 0, "narrow_pass": 3, "testudo": 4},
        ordinary("rome", 20, skip=3),
    )
    rules = {line.split(":")[0] for line in violations(found, CARDS, matches_played=0)}
    assert rules == {"Size", "Copies", "Commanders", "Terrain", "Factions"}


def test_a_card_listed_twice_is_counted_once() -> None:
    entries = (*deck(TRAJAN, ordinary("rome", 35, skip=1)).cards, ("hastati_line", 2))
    twice = Deck("by hand", "rome", (*entries, ("hastati_line", 2)))
    assert violations(twice, CARDS) == ["Copies: 4 of Hastati Line, at most 3 allowed"]


@pytest.mark.parametrize(
    ("name", "matches", "told"),
    [
        ("pure", 0, []),
        ("allied", 0, []),
        (
            "coalition",
            2,
            [
                "Open factions: Macedon opens after 3 matches, 2 played",
                "Open factions: 2, a coalition deck needs 3",
            ],
        ),
        ("coalition", 3, []),
        (
            "coalition, the other way round",
            14,
            ["Open factions: Dacia opens after 15 matches, 14 played"],
        ),
        ("coalition, the other way round", 15, []),
    ],
)
def test_factions_open_with_matches_played(name: str, matches: int, told: list[str]) -> None:
    assert violations(LEGAL[name], CARDS, matches_played=matches) == told


def test_deck_numbers() -> None:
    numbers = deck_numbers(standard_deck(CARDS, "sparta"), CARDS)
    assert numbers.dtype == np.int16
    assert numbers.shape == (40,)
    assert (np.diff(numbers) >= 0).all()
    names = Counter(CARDS.cards[number].id for number in numbers)
    assert names == Counter(dict(standard_deck(CARDS, "sparta").cards))
    with pytest.raises(InputError, match="has 39 cards; it needs 40"):
        deck_numbers(deck(TRAJAN, ordinary("rome", 38)), CARDS)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**63), kind=st.sampled_from(sorted(SHAPES)))
def test_random_decks_are_legal(seed: int, kind: str) -> None:
    found = random_deck(CARDS, np.random.default_rng(seed), kind)
    assert violations(found, CARDS) == []
    assert deck_kind(found, CARDS) == kind
    assert found == random_deck(CARDS, np.random.default_rng(seed), kind)


def test_random_decks_of_named_factions() -> None:
    rng = np.random.default_rng(7)
    for main in FACTION_ORDER:
        for other in FACTION_ORDER:
            if main == other:
                continue
            found = random_deck(CARDS, rng, "allied", (main, other))
            assert violations(found, CARDS) == []
            assert found.faction == main
            assert {CARDS.by_id[card].faction for card, _ in found.cards} == {main, other}


def test_random_decks_reach_every_card() -> None:
    rng = np.random.default_rng(1)
    seen = {card for _ in range(300) for card, _ in random_deck(CARDS, rng).cards}
    assert seen == set(CARDS.by_id)


@pytest.mark.parametrize(
    ("kind", "factions", "told"),
    [
        ("alied", None, "did you mean 'allied'?"),
        ("pure", ("rome", "sparta"), "name 1 different ones"),
        ("allied", ("rome", "rome"), "name 2 different ones"),
        ("allied", ("rome", "spart"), "no faction is called 'spart'; did you mean"),
        ("coalition", (), "name 3 different ones"),
    ],
)
def test_a_random_deck_that_cannot_be(
    kind: str, factions: tuple[str, ...] | None, told: str
) -> None:
    with pytest.raises(InputError) as caught:
        random_deck(CARDS, np.random.default_rng(0), kind, factions)
    assert told in str(caught.value)
