"""Names as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.errors import InputError
from cards.names import Names, nearest, normalise, quote, suggestion


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hastati Line", "hastati_line"),
        ("Shield-Bearer Youths", "shield bearer youths"),
        ("Pharaoh's General", "PHARAOH’S GENERAL"),
        ("Стрелковая  пехота", "стрелковая-пехота"),
        ("Тёмный щит", "Темный ЩИТ"),
        ("«Бессмертные»", "бессмертные"),
        ("и\u0306од", "йод"),  # a letter and its breve apart
    ],
)
def test_the_same_name(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_several_names_a_thing() -> None:
    names = Names("colour", [("red", ["Rouge", "Красный"]), ("blue", ["Bleu"])])
    assert names.find("красный") == names.find("ROUGE") == names.find("red") == "red"
    assert names.get("green") is None
    with pytest.raises(InputError, match="no colour is called 'rogue'; did you mean 'Rouge'"):
        names.find("rogue")
    with pytest.raises(InputError, match="no colour is called 'xyz'; known: red, blue"):
        names.find("xyz")


def test_a_shared_name_is_refused() -> None:
    with pytest.raises(InputError, match="'red' and 'crimson' are both called 'ROUGE'"):
        Names("colour", [("red", ["Rouge"]), ("crimson", ["ROUGE"])])


def test_many_things_are_not_all_listed() -> None:
    names = Names("thing", [(f"thing{number}", []) for number in range(50)])
    with pytest.raises(InputError, match="nothing has a name like it"):
        names.find("zzzzzz")


def test_nearest() -> None:
    assert nearest("infntry", ["cavalry", "infantry"]) == "infantry"
    assert nearest("q", ["cavalry"]) is None
    assert nearest("x" * 100_000, ["cavalry"]) is None
    assert suggestion("zz", ["a", "b"]) == "known: a, b"
    assert suggestion("zz", ["a", "b"], show_all=False) == ""


def test_a_quote_is_short_and_on_one_line() -> None:
    assert quote("a\nb") == r"'a\nb'"
    assert len(quote("x" * 1000)) < 100


def test_what_is_no_name_is_not_looked_up() -> None:
    """Letters under very many accents would take minutes to bring into one form."""
    names = Names("colour", [("red", ["Rouge"])])
    assert names.get("e" + "\u0315\u0300" * 500_000) is None
    with pytest.raises(InputError, match="no colour is called"):
        names.find("e" + "\u0315\u0300" * 500_000)


def test_a_number_too_long_to_write_is_quoted_all_the_same() -> None:
    assert quote(16**10_000) == "'int too long to show'"
