"""Choices as text: what is printed, what more is understood, and what is an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from random_duels import random_choice, random_position, rule_set

from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from sim.ancient_duel.game import Game
from sim.ancient_duel.notation import parse_line
from sim.ancient_duel.position import build
from tests.oracle.scenario import Oracle


def game_of(tables: Mapping[str, Any], lines: Sequence[str] = ()) -> Game:
    """A duel in the position of some tables, after some choices."""
    cards = card_set()
    rules = rule_set(tables.get("duel", {}).get("rules", {}))
    game = Game(build(tables, rules, cards, "test"), pack(cards, rules), cards)
    for line in lines:
        game.take(line)
    return game


def meant(game: Game, line: str) -> str | None:
    """The text of the option that a line means; None where it is not offered."""
    place = game.find(parse_line(line, game.cards))
    return None if place is None else game.texts[place]


def starting(game: Game, verb: str) -> list[str]:
    """The sorted options of one verb."""
    return sorted(text for text in game.texts if text.split()[0] == verb)


# --- what is printed ------------------------------------------------------------------------------
def test_second_copies_are_numbered_in_field_order() -> None:
    units = ["hastati_line", "principes_line", "hastati_line face-down", "hastati_line"]
    game = game_of({"a": {"units": units}})
    assert starting(game, "reposition") == [
        "reposition hastati_line",
        "reposition hastati_line#2",
        "reposition hastati_line#3",
        "reposition principes_line",
    ]


def test_face_down_cards_of_the_other_side_have_numbers_of_their_own() -> None:
    game = game_of(
        {
            "duel": {"phase": "battle"},
            "a": {"units": ["falxmen"]},
            "b": {"units": ["falxmen face-down", "falxmen"]},
        }
    )
    # the face-down Falxmen do not count: the face-up ones are the first that a can see
    assert starting(game, "attack") == [
        "attack falxmen -> face-down#1",
        "attack falxmen -> falxmen",
    ]


def test_the_side_is_printed_only_where_a_name_stands_for_targets_on_both() -> None:
    units = ["roman_auxiliary_archers", "falxmen"]
    game = game_of({"a": {"units": units}, "b": {"units": ["falxmen", "falxmen", "nile_spearmen"]}})
    assert starting(game, "use") == [
        "use roman_auxiliary_archers -> a:falxmen",
        "use roman_auxiliary_archers -> b:falxmen",
        "use roman_auxiliary_archers -> b:falxmen#2",
        "use roman_auxiliary_archers -> nile_spearmen",
        "use roman_auxiliary_archers -> roman_auxiliary_archers",
    ]


def test_a_set_card_is_printed_without_a_number() -> None:
    support = ["testudo", "testudo face-down", "testudo face-down"]
    game = game_of({"a": {"support": support}})
    assert starting(game, "activate") == ["activate testudo"]


def test_the_zone_is_printed_where_a_card_may_come_from_two() -> None:
    game = game_of(
        {
            "duel": {"phase": "battle"},
            "a": {"units": ["companion_cavalry"]},
            "b": {
                "units": ["hypaspist_guard"],
                "hand": ["pezhetairoi_phalanx", "hypaspist_guard"],
                "graveyard": ["pezhetairoi_phalanx"],
                "support": ["sarissa_reserve_line face-down"],
            },
        },
        ["attack companion_cavalry -> hypaspist_guard", "respond sarissa_reserve_line"],
    )
    assert starting(game, "special") == [
        "special graveyard:hypaspist_guard",
        "special graveyard:pezhetairoi_phalanx",
        "special hand:hypaspist_guard",
        "special hand:pezhetairoi_phalanx",
    ]
    assert meant(game, "special b:hand:hypaspist_guard") == "special hand:hypaspist_guard"
    with pytest.raises(InputError, match=r"'special hypaspist_guard' is ambiguous; write"):
        meant(game, "special hypaspist_guard")


def test_targets_in_the_graveyard() -> None:
    graveyard = ["median_cavalry", "royal_courier", "median_cavalry"]
    game = game_of({"a": {"units": ["darius_lord_of_satrapies"], "graveyard": graveyard}})
    assert starting(game, "use") == [
        "use darius_lord_of_satrapies -> median_cavalry",
        "use darius_lord_of_satrapies -> royal_courier",
    ]
    line = "use a:darius_lord_of_satrapies#1 -> a:graveyard:median_cavalry#2"
    assert meant(game, line) == "use darius_lord_of_satrapies -> median_cavalry"
    assert meant(game, "use darius_lord_of_satrapies -> hand:median_cavalry") is None
    assert meant(game, "use darius_lord_of_satrapies -> median_cavalry#3") is None


def test_a_battle_position_is_chosen_by_its_word() -> None:
    game = game_of(
        {"a": {"units": ["alexander_king_of_macedon", "falxmen"]}},
        ["use alexander_king_of_macedon -> falxmen"],
    )
    assert sorted(game.texts) == ["choose attack", "choose defence"]
    assert meant(game, "choose defence") == "choose defence"


# --- what more is understood ----------------------------------------------------------------------
POSITION = {
    "a": {
        "hand": ["hastati_line", "hastati_line", "testudo"],
        "units": ["hastati_line", "roman_auxiliary_archers", "hastati_line"],
        "support": ["testudo", "testudo face-down"],
        "graveyard": ["hastati_line"],
    },
    "b": {"units": ["hastati_line"]},
}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("deploy hastati_line", "deploy hastati_line"),
        ("  deploy   hastati_line ", "deploy hastati_line"),
        ("deploy hastati_line#1", "deploy hastati_line"),
        ("deploy hastati_line#2", "deploy hastati_line"),
        ("deploy hastati_line#3", None),
        ("deploy a:hastati_line", "deploy hastati_line"),
        ("deploy b:hastati_line", None),
        ("deploy hand:hastati_line#2", "deploy hastati_line"),
        ("deploy graveyard:hastati_line", None),
        ("reposition a:hastati_line#2", "reposition hastati_line#2"),
        ("reposition hastati_line#1", "reposition hastati_line"),
        ("reposition hand:hastati_line", None),
        ("set testudo#1", "set testudo"),
        ("activate testudo", "activate testudo"),
        ("activate testudo#1", "activate testudo"),  # the copy in hand
        ("activate testudo#2", "activate testudo"),  # the second on the field, face-down
        ("activate testudo#3", None),
        (
            "use roman_auxiliary_archers->b:hastati_line",
            "use roman_auxiliary_archers -> b:hastati_line",
        ),
        (
            "use a:roman_auxiliary_archers#1 -> a:hastati_line#2",
            "use roman_auxiliary_archers -> a:hastati_line#2",
        ),
        ("use roman_auxiliary_archers", None),
        ("deploy Hastati Line", "deploy hastati_line"),
        ("deploy Линия гастатов#2", "deploy hastati_line"),
        ("end", "end"),
        ("main2", None),
        ("deploy falxmen", None),
    ],
)
def test_what_a_line_means(line: str, text: str | None) -> None:
    assert meant(game_of(POSITION), line) == text


def test_an_ambiguous_line_names_the_alternatives() -> None:
    game = game_of(POSITION)
    with pytest.raises(InputError) as caught:
        game.find(parse_line("use roman_auxiliary_archers -> hastati_line", game.cards))
    assert str(caught.value) == (
        "'use roman_auxiliary_archers -> hastati_line' is ambiguous; write "
        "'use roman_auxiliary_archers -> a:hastati_line' or "
        "'use roman_auxiliary_archers -> b:hastati_line'"
    )


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("", ["an empty line is no choice"]),
        ("deplyo falxmen", ["there is no choice 'deplyo'", "did you mean 'deploy'?"]),
        ("deploy", ["'deploy' is not understood", "write deploy card"]),
        ("attack -> falxmen", ["is not understood", "write attack card -> target"]),
        ("attack falxmen ->", ["is not understood"]),
        ("attack falxmen -> falxmen -> falxmen", ["is not understood"]),
        ("battle falxmen", ["'battle' stands alone"]),
        ("deploy falxmen -> hastati_line", ["'deploy' has no target", "a line of its own"]),
        ("deploy falxman", ["no card is called 'falxman'", "did you mean 'falxmen'?"]),
        ("deploy falxmen#0", ["'falxmen#0' in 'deploy falxmen#0' is not understood"]),
        ("deploy falxmen#two", ["is not understood", "hastati_line#2"]),
        ("deploy c:falxmen", ["'c:falxmen'", "is not understood"]),
        ("deploy attack", ["no card is called 'attack'"]),
    ],
)
def test_a_line_that_is_none(line: str, parts: Sequence[str]) -> None:
    with pytest.raises(InputError) as caught:
        parse_line(line, card_set())
    for part in parts:
        assert part in str(caught.value)


def test_an_impossible_line_lists_the_legal_choices() -> None:
    game = game_of({"duel": {"phase": "main2"}, "a": {"units": ["falxmen"]}})
    with pytest.raises(InputError) as caught:
        game.take("deploy falxmen")
    assert str(caught.value) == (
        "'deploy falxmen' is not possible; possible for a: end, reposition falxmen"
    )


# --- at random ------------------------------------------------------------------------------------
def test_every_text_means_its_own_option() -> None:
    cards, rules = card_set(), RuleSet()
    packed = pack(cards, rules)
    for seed in range(60):
        rng = np.random.default_rng([3, seed])
        tables = random_position(rng, cards)
        tables["duel"]["rules"] = {}
        game = Game(build(tables, rules, cards, "test"), packed, cards)
        check_aliases(game, tables)
        for _ in range(12):
            if not game.waits:
                break
            assert len(set(game.texts)) == len(game.texts)
            for text in game.texts:
                assert meant(game, text) == text
            game.take(random_choice(rng, game.texts))


def check_aliases(game: Game, tables: Mapping[str, Any]) -> None:
    """The oracle spells out every other way to say a choice: they mean the same here."""
    decision = Oracle.from_position(dict(tables)).decision
    assert decision is not None
    for option in decision.options:
        for alias in option.aliases:
            # the oracle takes `activate hand:X` for a set copy, too; here it is the one in hand
            alone = sum(alias in other.aliases for other in decision.options) == 1
            if alone and not alias.startswith("activate hand:"):
                assert meant(game, alias) == option.text
