"""Patches: what a path means, what is checked, what an error says."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards.ancient_duel.decks import DECK_SIZE, standard_deck
from cards.ancient_duel.load import card_set
from cards.ancient_duel.patch import numbers_of, patched
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError

CARDS = card_set()
RULES = RuleSet()


@pytest.mark.parametrize(
    ("change", "path", "before", "after"),
    [
        ("rome.legionary_cohort.atk=4", "legionary_cohort.atk", 5, 4),
        ("legionary_cohort.def=4", "legionary_cohort.def", 3, 4),
        ("Рим.legionary_cohort.energy=2", "legionary_cohort.energy", 3, 2),
        ("rome.legionary_cohort.level=5", "legionary_cohort.level", 4, 5),
        ("rome.legionary_cohort.static.def=2", "legionary_cohort.static.1.def", 1, 2),
        ("rome.legionary_cohort.static.1.def=2", "legionary_cohort.static.1.def", 1, 2),
        ("rome.hastati_line.effect.atk=2", "hastati_line.effect.1.do.2.atk", 1, 2),
        ("rome.hastati_line.effect.def=1", "hastati_line.effect.1.do.2.def", 0, 1),
        ("rome.decisive_order.damage=2", "decisive_order.effect.1.do.1.damage", 1, 2),
        ("rule.hand_limit=6", "rule.hand_limit", 5, 6),
        ("rule.reposition=false", "rule.reposition", True, False),
    ],
)
def test_a_path_leads_to_its_number(change: str, path: str, before: object, after: object) -> None:
    (edit,) = patched(CARDS, RULES, [change]).edits
    assert (edit.path, edit.before, edit.after) == (path, before, after)


def test_only_what_was_asked_for_is_changed() -> None:
    found = patched(CARDS, RULES, ["rome.legionary_cohort.atk=4", "rule.hand_limit=6"])
    assert found.cards.by_id["legionary_cohort"].atk == 4
    assert found.rules.hand_limit == 6
    for old, new in zip(CARDS.cards, found.cards.cards, strict=True):
        changed = {"atk"} if old.id == "legionary_cohort" else set()
        assert old.model_dump(exclude=changed) == new.model_dump(exclude=changed)
    assert CARDS.by_id["legionary_cohort"].atk == 5
    assert found.rules.model_dump(exclude={"hand_limit"}) == RULES.model_dump(
        exclude={"hand_limit"}
    )


def test_every_number_of_every_card_can_be_said() -> None:
    for card in CARDS.cards:
        for path, value in numbers_of(card).items():
            if path == "copies":
                continue  # a deck has something to say to that
            (edit,) = patched(CARDS, RULES, [f"{card.faction}.{card.id}.{path}={value}"]).edits
            assert edit.before == edit.after == value


def test_two_changes_of_copies_balance() -> None:
    found = patched(CARDS, RULES, ["rome.legionary_cohort.copies=2", "rome.testudo.copies=3"])
    deck = standard_deck(found.cards, "rome")
    assert deck.size == DECK_SIZE
    assert dict(deck.cards)["testudo"] == 3


def test_a_file_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "softer.toml"
    file.write_text(
        "[rome.legionary_cohort]\natk = 4\nstatic.def = 2\n\n[rule]\nhand_limit = 6\n",
        encoding="utf-8",
    )
    found = patched(CARDS, RULES, file=file)
    assert str(found) == (
        "legionary_cohort.atk 5 → 4, legionary_cohort.static.1.def 1 → 2, rule.hand_limit 5 → 6"
    )
    on_top = patched(CARDS, RULES, ["rome.legionary_cohort.atk=3"], file)
    assert on_top.cards.by_id["legionary_cohort"].atk == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("rome.legionary_cohort.akt=4", "did you mean 'atk'?"),
        ("rome.legionary_cohor.atk=4", "did you mean 'legionary_cohort'?"),
        ("rom.legionary_cohort.atk=4", "did you mean 'rome'?"),
        ("sparta.legionary_cohort.atk=4", "Sparta has no card"),
        ("rome.legionary_cohort=4", "it has level, atk, def"),
        ("rome.legionary_cohort.atk=13", "at most 12"),
        ("rome.legionary_cohort.atk=x", "write a whole number"),
        ("rome.legionary_cohort.atk=true", "write a whole number"),
        ("rome.legionary_cohort.level=7", "at most 6"),
        ("rome.testudo.effect.damage=2", "has no number"),
        ("rome.legionary_cohort.static.def=0", "changes nothing"),
        ("sparta.spartan_hoplites.static.atk=2", "may mean several numbers"),
        ("rome.trajan_imperial_vanguard.copies=2", "a commander has at most 1"),
        ("rome.legionary_cohort.copies=2", "39 cards, exactly 40 needed; change another card's"),
        ("rome.fortified_camp.copies=3", "Terrain: 3 cards"),
        ("rule.hand_limt=6", "did you mean 'hand_limit'?"),
        ("rule.hand_limit=99", "at most 40"),
        ("rule.hand_limit=many", "not a whole number"),
        ("rule.energy_start=50", "is above energy_cap"),
        ("rule=3", "write rule.OPTION"),
        ("atk", "write path=value"),
        ("=4", "write path=value"),
        ("", "write path=value"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(change: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        patched(CARDS, RULES, [change])
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_wrong_is_named(tmp_path: Path) -> None:
    file = tmp_path / "patch.toml"
    for text, words in (
        ("", "changes nothing"),
        ("[rome", "is not TOML"),
        ("[rome.testudo]\ncopis = 3\n", "copis"),
        ("[rome.legionary_cohort]\natk = 4.5\n", "whole number"),
        ("[rome.legionary_cohort]\natk = [4]\n", "whole number"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"patch\.toml") as caught:
            patched(CARDS, RULES, file=file)
        assert words in str(caught.value)
    with pytest.raises(InputError, match="no such file"):
        patched(CARDS, RULES, file=tmp_path / "none.toml")
    with pytest.raises(InputError, match="there is no change"):
        patched(CARDS, RULES)
