"""Finding things by the names that people type: any case, any punctuation, several names a thing.

Knows no game: a card, a faction and a rule option are all looked up here.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from cards.errors import InputError

#: Longer input is no name; cutting it keeps the search for the nearest one fast.
LONGEST_NAME: Final = 80
#: So many letters are never looked up: to bring them into one form could take very long.
LONGEST_LOOKED_UP: Final = 1_000
#: How alike (0 to 1) two words must be for one to be suggested for the other.
LIKENESS: Final = 0.6
#: What turns the direction of writing: embeddings, overrides, isolates.
_TURNS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def normalise(text: str) -> str:
    """Reduce a name to its letters and digits: `Щит-носец_Ё` and `щит носец е` become one."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    return "".join(letter for letter in folded if letter.isalnum())


def quote(text: object) -> str:
    """Show a user's own text in an error: in quotes, on one line, not too long."""
    try:
        shown = str(text)
    except (ValueError, RecursionError):  # a number of thousands of digits, a list in itself
        shown = f"{type(text).__name__} too long to show"
    return repr(shorten(shown))


def shorten(text: str) -> str:
    """A user's own text, cut where it is longer than any name."""
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def as_place(key: str) -> str:
    """A key of a file as part of a place in it: short, and seen even where it is empty."""
    return shorten(key) if key.strip() else quote(key)


def unprintable(text: str) -> str | None:
    """The first letter of a name or text that is none, as `U+001B`; None where all can be shown.

    Control characters would be orders to a terminal, and what turns the direction of writing
    would make a line read as something else.
    """
    for letter in text:
        if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or letter in _TURNS:
            return f"U+{ord(letter):04X}"
    return None


def nearest(text: str, words: Iterable[str]) -> str | None:
    """The word most like `text`, or None where none is much like it."""
    by_form = {normalise(word): word for word in words}
    wanted = normalise(text[:LONGEST_NAME])
    close = difflib.get_close_matches(wanted, list(by_form), n=1, cutoff=LIKENESS)
    return by_form[close[0]] if close else None


def suggestion(text: str, words: Iterable[str], *, show_all: bool = True) -> str:
    """The end of an error about an unknown word: the nearest one, else (a few) all of them."""
    listed = list(words)
    close = nearest(text, listed)
    if close is not None:
        return f"did you mean {close!r}?"
    return f"known: {', '.join(listed)}" if show_all else ""


class Names:
    """An exact lookup over several names a thing.

    Parameters
    ----------
    what
        What the things are, for the error ("card", "faction").
    things
        Pairs of a key and the names that lead to it. The key is a name of itself.

    Raises
    ------
    InputError
        Two things have a name in common.
    """

    def __init__(self, what: str, things: Iterable[tuple[str, Sequence[str]]]) -> None:
        self.what = what
        self._key_of: dict[str, str] = {}
        self._shown: list[str] = []
        self._keys: list[str] = []
        for key, names in things:
            self._keys.append(key)
            for name in (key, *names):
                other = self._key_of.setdefault(normalise(name), key)
                if other != key:
                    raise InputError(
                        f"the {what}s {other!r} and {key!r} are both called {quote(name)}",
                        right=f"each {what} needs names of its own",
                    )
                self._shown.append(name)

    def get(self, text: str) -> str | None:
        """The key of the thing called `text`, or None."""
        return None if len(text) > LONGEST_LOOKED_UP else self._key_of.get(normalise(text))

    def find(self, text: str) -> str:
        """The key of the thing called `text`.

        Raises
        ------
        InputError
            Nothing is called so; the nearest name is suggested.
        """
        key = self.get(text)
        if key is not None:
            return key
        close = nearest(text, self._shown)
        if close is not None:
            right = f"did you mean {close!r}?"
        elif len(self._keys) <= 20:
            right = f"known: {', '.join(self._keys)}"
        else:
            right = "nothing has a name like it"
        raise InputError(f"no {self.what} is called {quote(text)}", right=right)
