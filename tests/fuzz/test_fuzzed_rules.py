"""Rule sets and patches, in files and on the command line."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bad_input import JUNK, as_bytes, documents, ends, fuzzed, mutated, taken
from hypothesis import given
from hypothesis import strategies as st

from cards.ancient_duel.decks import standard_deck
from cards.ancient_duel.load import card_set
from cards.ancient_duel.patch import numbers_of, patched
from cards.ancient_duel.rules import RuleSet, rule_set

CARDS = card_set()
RULES = "\n".join(
    f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {str(value).lower()}"
    for key, value in RuleSet().model_dump().items()
)
PATCHES = [
    "[rome.legionary_cohort]\natk = 4\nlevel = 3\nstatic.def = 2\n\n[rule]\nhand_limit = 6\n",
    "[testudo]\nstatic.1.def = 2\n[rome.hastati_line]\ncopies = 2\n[rome.testudo]\ncopies = 3\n",
    '"rome.hastati_line.atk" = 1\nrule.first_player = "a"\n',
]
OPTIONS = list(RuleSet.model_fields)
PATHS = [f"{card.id}.{path}" for card in CARDS.cards[::7] for path in numbers_of(card)]
VALUES = st.one_of(
    st.sampled_from(JUNK), st.integers().map(str), st.floats().map(str), st.text(max_size=20)
)


def play(rules: RuleSet) -> None:
    ends(CARDS, rules, [standard_deck(CARDS, name) for name in ("rome", "persia")], 5)


@fuzzed(100)
@given(st.binary(max_size=200) | as_bytes(documents(OPTIONS)) | as_bytes(mutated([RULES], OPTIONS)))
def test_rule_files(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules.toml"
        path.write_bytes(data)
        rules = taken(lambda: rule_set(path), str(path))
    if rules is not None:
        play(rules)


@fuzzed(150)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=30),
            st.builds("{}={}".format, st.sampled_from([*OPTIONS, "x", ""]), VALUES),
            st.builds("{}={}".format, st.sampled_from(OPTIONS), st.integers(0, 40)),
        ),
        max_size=4,
    )
)
def test_rules_of_the_command_line(overrides: list[str]) -> None:
    rules = taken(lambda: rule_set(None, overrides))
    if rules is not None:
        play(rules)


@fuzzed(100)
@given(
    st.binary(max_size=200)
    | as_bytes(documents(["rome", "rule", "hastati_line", "atk", "static", "1", "effect.atk"]))
    | as_bytes(mutated(PATCHES, [*OPTIONS, "copies", "[rule]", "[rome]", "effect"]))
)
def test_patch_files(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patch.toml"
        path.write_bytes(data)
        done = taken(lambda: patched(CARDS, RuleSet(), (), path), str(path))
    if done is not None:
        assert str(done).isprintable()
        ends(done.cards, done.rules, [standard_deck(CARDS, f) for f in ("rome", "persia")], 5)


@fuzzed(150)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=30),
            st.builds("{}={}".format, st.sampled_from([*PATHS, "rome", "rule.x", "."]), VALUES),
            st.builds("{}={}".format, st.sampled_from(PATHS), st.integers(-1, 13)),
        ),
        max_size=4,
    )
)
def test_changes_of_the_command_line(changes: list[str]) -> None:
    done = taken(lambda: patched(CARDS, RuleSet(), changes))
    if done is not None:
        assert str(done).isprintable()
        ends(done.cards, done.rules, [standard_deck(CARDS, f) for f in ("rome", "persia")], 5)
