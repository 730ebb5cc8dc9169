"""Names of strategies, with parameters, of files, of nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from bad_input import JUNK, TOP, fuzzed, taken
from hypothesis import given
from hypothesis import strategies as st

from cards.ancient_duel.load import amended_card_set, card_set
from cards.ancient_duel.patch import patched
from cards.ancient_duel.rules import RuleSet, rule_set
from cards.ancient_duel.shipped_decks import find_deck
from cards.errors import InputError
from sim.ancient_duel.scenario import run_scenario
from strategies.registry import BUILT_IN, find_strategy

NAMES = [
    *BUILT_IN,
    "all",
    "",
    "no.py",
    "~nobody-of-this-name/x.py",
    "/",
    ".py",
    "a.py:b:c",
    "\0.py",
]
PARAMETERS = ["budget", "attack", "caution", "x", "", "horizon", "width"]
VALUES = [*JUNK, "0.7", "1e308", "1e309", "-0", "٣", "1_0", " 2 ", "0x10", "inf"]
CODE = (TOP / "strategies/ancient_duel/greedy.py").read_text(encoding="utf-8")


@fuzzed(150)
@given(
    st.text(max_size=40)
    | st.builds(
        "{}:{}={}{}".format,
        st.sampled_from(NAMES),
        st.sampled_from(PARAMETERS),
        st.sampled_from(VALUES),
        st.sampled_from(["", ",", ",x=1", ":", ",,="]),
    )
    | st.sampled_from(NAMES)
)
def test_any_name(text: str) -> None:
    found = taken(lambda: find_strategy(text))
    if found is not None:
        assert set(found.values) <= set(find_strategy(text.split(":")[0]).values)


@fuzzed(80)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.sampled_from(
            [
                *(b"def choose(view): return 0", b"choose = 3", b"raise SystemExit(3)", b"1/0"),
                *(b"def choose(", b"\0", b"x = " + b"(" * 3_000, b"import nothing_of_this_name"),
                *(b"def choose(view, a=1, b='x'):\n  'doc'\n  return 0", b"choose = print"),
                *(b"class A:\n def __getattr__(self, n): raise ValueError(n)\nchoose = A()",),
            ]
        ),
    ),
    st.sampled_from(["", ":choose", ":nothing", ":__doc__", ":\x1b[31m", ":choose:a=2", "::"]),
)
def test_any_file_of_a_strategy(data: bytes, rest: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.py"
        path.write_bytes(data)
        taken(lambda: find_strategy(f"{path}{rest}"))


def test_only_what_is_named_as_a_strategy_is_run(tmp_path: Path) -> None:
    """Code in a file of cards, a deck, rules, a patch or a scenario stays text."""
    trap = f"import os\nos.mkdir({str(tmp_path / 'it_was_run')!r})\ndef choose(view): return 0\n"
    path = tmp_path / "trap.py"
    path.write_text(trap)
    cards, rules = card_set(), RuleSet()
    for read in (
        lambda: amended_card_set([path]),
        lambda: find_deck(str(path), cards),
        lambda: rule_set(path),
        lambda: patched(cards, rules, (), path),
        lambda: run_scenario(path),
        lambda: find_deck(f"{path}:choose", cards),
        lambda: rule_set(None, [f"hand_limit={path}"]),
        lambda: patched(cards, rules, [f"{path}:choose=1"]),
        lambda: run_scenario({"strategy": str(path)}),
        lambda: run_scenario({"do": [str(path)]}),
    ):
        with pytest.raises(InputError):
            read()
    assert not (tmp_path / "it_was_run").exists()
    find_strategy(str(path))
    assert (tmp_path / "it_was_run").exists()
