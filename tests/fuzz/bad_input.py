"""Bad input in bulk: what the fuzz tests of this folder have in common.

Each of them says the same of one reader: an input is either taken, and then it can be used, or it
is refused by one line that names the file (or the argument) and the place in it. Inputs are bytes,
TOML documents that know the keys, and above all files that are right but for one to three changes.

The examples are the same ones each time, few enough for every run of the suite. With
DUEL_SIM_FUZZ=50 they are fifty times as many, and others each time:

    DUEL_SIM_FUZZ=50 pytest tests/fuzz
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from cards.ancient_duel.decks import Deck, deck_numbers
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from sim.ancient_duel import play
from sim.ancient_duel.record import new_duels, new_options
from sim.compiled import ready

TOP: Final = Path(__file__).resolve().parents[2]
CARD_FILES: Final = TOP / "cards/ancient_duel"
#: How many times the usual number of examples.
TIMES: Final = int(os.environ.get("DUEL_SIM_FUZZ", "1"))
#: No duel of the game's own cards has a quarter as many.
MOST_DECISIONS: Final = 5_000

Taken = TypeVar("Taken")


def fuzzed(examples: int) -> settings:
    """The settings of a fuzz test that has so many examples in a usual run."""
    return settings(
        max_examples=examples * TIMES,
        derandomize=TIMES == 1,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


# --- what is asked of every reader ----------------------------------------------------------------
#: What can be said of a file as a whole only.
_OF_THE_WHOLE: Final = re.compile(
    r"is too large|is a folder|there is no such file|cannot be read|did not come to an end"
    r"|has no cards|has no \[faction\]|changes nothing|the deck is not legal|there is no key"
    r"|there is no rule option|there is no change|is above|begins with no faction|is no manifest"
    r"|holds another run|there more than once"
)
_PLACE: Final = re.compile(r"^(, | \[)")


def taken(read: Callable[[], Taken], name: str = "") -> Taken | None:
    """What a reader makes of an input; None where it refuses it, with the line that it must give.

    `name` is what the line must begin with: the file or the argument.
    """
    try:
        return read()
    except InputError as error:
        check_line(str(error), name)
        return None


def check_line(line: str, name: str = "") -> None:
    """One line that can be printed, names the file, and the place in it."""
    assert line.isprintable(), repr(line)
    assert 8 < len(line) < 3_600, line
    if name:
        assert line.startswith(name), line
        rest = line.removeprefix(name)
        assert _PLACE.match(rest) or _OF_THE_WHOLE.search(rest), line


def ends(cards: CardSet, rules: RuleSet, decks: Sequence[Deck], seed: int) -> None:
    """Play a duel with random choices: it must end, and leave sound numbers."""
    tables = pack(cards, rules).view(np.recarray)[0]
    numbers = [deck_numbers(deck, cards) for deck in decks]
    duel, options = new_duels(1)[0], new_options()[0]
    for function in (play.start, play.advance, play.choose):
        ready(function)
    play.start(duel, tables, numbers[0], numbers[1], np.uint64(seed), np.uint64(0), 0)
    rng = np.random.default_rng(seed)
    for _ in range(MOST_DECISIONS):
        if not play.advance(duel, tables, options):
            break
        play.choose(duel, options, int(rng.integers(options["n"])))
    assert duel["over"] == 1, "the duel goes on and on"
    assert duel["winner"] in (0, 1)
    assert abs(int(duel["lp"].max())) < 1_000_000


# --- inputs ---------------------------------------------------------------------------------------
#: Values of every sort, as TOML; some of them are none.
JUNK: Final = (
    *("0", "-1", "1", "3", "40", "99", "1.5", "nan", "-inf", "true", "false"),
    *("9223372036854775807", "-9223372036854775808", "1" + "0" * 30, "0x" + "f" * 5_000),
    *('""', '" "', '"—"', '"x"', '"[red]"', '"[/red]"', '"$x^$"', '"<b>&"', '"../../x"'),
    *(r'"a\nb"', r'"\u001b[31m"', r'"\u202e"', r'"\u0000"', '"😀"', "'" + "x" * 500 + "'"),
    *("{}", "[]", "[[]]", "[{}]", "{ a = 1 }", "{ a.b.c = [1] }", "[1, 'a', {}]", "[true]"),
    *("1979-05-27", "1979-05-27T07:32:00Z", "07:32:00", "= 1", "'''", "\x1b", "\t", "#", "?"),
)
_TOKEN: Final = re.compile(r'(\s+|"[^"\n]*"|[{}\[\],=])')


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str], words: Sequence[str] = ()) -> str:
    """A right file with one to three changes: of a line, of a value, of a word."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        change = draw(
            st.sampled_from(("token", "token", "token", "word", "delete", "double", "swap"))
        )
        if change in ("token", "word"):
            tokens = _TOKEN.split(text)
            places = [place for place, token in enumerate(tokens) if token.strip()]
            if not places:
                return text
            known = [tokens[place] for place in places]
            new = JUNK if change == "token" else (*known, *words)
            tokens[draw(st.sampled_from(places))] = draw(st.sampled_from(new))
            text = "".join(tokens)
        else:
            lines = text.split("\n")
            first = draw(st.integers(0, len(lines) - 1))
            second = draw(st.integers(0, len(lines) - 1))
            if change == "delete":
                del lines[first : first + draw(st.integers(1, 3))]
            elif change == "double":
                lines.insert(second, lines[first])
            else:
                lines[first], lines[second] = lines[second], lines[first]
            text = "\n".join(lines)
    return text


_ENDS: Final = ("\r\n", "\r", "\n\r", "\x0b", "\x85", "\u2028", "\x00")


@st.composite
def as_bytes(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> bytes:
    """A file as some editor, or none, would save it."""
    text = draw(texts)
    how = draw(
        st.sampled_from(("utf-8", "utf-8", "utf-8", "ends", "bom", "utf-16", "cp1251", "cut"))
    )
    if how == "ends":
        text = text.replace("\n", draw(st.sampled_from(_ENDS)))
    if how == "bom":
        return b"\xef\xbb\xbf" + text.encode()
    if how in ("utf-16", "cp1251"):
        return text.encode(how, "replace")
    data = text.encode("utf-8", "surrogatepass")
    return data[: draw(st.integers(0, len(data)))] if how == "cut" else data


def documents(keys: Sequence[str]) -> st.SearchStrategy[str]:
    """TOML documents out of known keys and values of every sort."""
    values = st.recursive(
        st.sampled_from(JUNK) | st.sampled_from(keys).map(lambda key: f'"{key}"'),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
            st.dictionaries(st.sampled_from(keys), inner, max_size=3).map(_inline),
        ),
        max_leaves=6,
    )
    pairs = st.dictionaries(st.sampled_from((*keys, '""', '"a b"', "x")), values, max_size=4)
    tables = st.tuples(
        st.sampled_from(("[{}]", "[[{}]]", "[{}.{}]", "[[{}.{}]]")),
        st.sampled_from(keys),
        st.sampled_from(keys),
        pairs,
    )
    return st.builds(_document, pairs, st.lists(tables, max_size=4))


def _inline(table: dict[str, str]) -> str:
    return f"{{ {', '.join(f'{key} = {value}' for key, value in table.items())} }}"


def _document(pairs: dict[str, str], tables: Sequence[tuple[str, str, str, dict[str, str]]]) -> str:
    lines = [f"{key} = {value}" for key, value in pairs.items()]
    for head, first, second, inner in tables:
        lines.append(head.format(first, second))
        lines += [f"{key} = {value}" for key, value in inner.items()]
    return "\n".join(lines) + "\n"
