"""The strategies of one run, as every process that plays it finds them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from cards.errors import InputError
from cards.files import read_text
from cards.names import quote
from sim.ancient_duel.strategy import is_compiled_strategy, strategy
from strategies.parameters import defaults_of
from strategies.registry import Strategy, find_strategy, make_strategy, strategy_names
from strategies.source import split_name, text_digest

#: A strategy by name or file, or the function itself.
StrategyLike = str | Callable[..., Any]


class Finder:
    """Finds the strategies of a run by their names, here and in worker processes.

    Functions travel as code, with what they refer to, so that a notebook's own cells work. Of files
    the text travels, which may be played on another machine; it must be what it was when the run
    began. What is installed must be so on the other machine, too.

    Parameters
    ----------
    cards
        The card set in use; None: the game's own.
    """

    def __init__(self, cards: Any = None) -> None:
        self._cards = cards
        self._found: dict[str, Strategy] = {}
        self._functions: dict[str, Callable[..., Any]] = {}
        self._digests: dict[str, str] = {}
        self._sources: dict[str, str] = {}  # of files, where they came from another process

    @property
    def is_plain(self) -> bool:
        """Whether one of the strategies is plain Python."""
        return any(strategy.is_plain for strategy in self._found.values())

    def add(self, asked: StrategyLike) -> str:
        """Take a strategy into the run; the name under which it is found.

        Raises
        ------
        InputError
            It cannot be used, or is no strategy at all.
        """
        if isinstance(asked, str):
            found = find_strategy(asked, self._cards)
        elif callable(asked):
            found = self._of_function(asked)
        else:
            raise InputError(
                f"{quote(asked)} is no strategy", right="give a name, a file or a function"
            )
        self._found[found.name] = found
        self._digests[found.name] = found.digest
        return found.name

    def _of_function(self, function: Callable[..., Any]) -> Strategy:
        name = getattr(function, "__name__", type(function).__name__)
        taken = {*strategy_names(), *self._found}
        for known, other in self._functions.items():
            if other is function:
                return self._found[known]
        if name in taken:  # two cells may have called theirs alike
            name = next(n for i in range(2, 1_000) if (n := f"{name} ({i})") not in taken)
        self._functions[name] = function
        digest = hashlib.sha256(_packed(function)).hexdigest()[:16]
        return make_strategy(name, function, defaults_of(function), digest, self._cards)

    def digest(self, name: str) -> str:
        """Hash of the source of what is not built in; empty for what is."""
        return self._digests[name]

    def __call__(self, name: str) -> Strategy:
        """The strategy of a name.

        Raises
        ------
        InputError
            Its file is not any more what it was when the run began, or what is installed under its
            name in this process is something else.
        """
        if name not in self._sources:
            self._text(name)
        if name not in self._found:
            found = find_strategy(name, self._cards, self._sources.get(name))
            if found.digest != self._digests.get(name, found.digest):
                raise InputError(
                    f"the package of strategy {name!r} is not the same where it plays",
                    right="install the same version there",
                )
            self._found[name] = found
        return self._found[name]

    def _text(self, name: str) -> str | None:
        """What is in the file of a strategy, which must be what it was; None if it has none."""
        file = None if name in self._functions else split_name(name).file
        if file is None or name not in self._digests:
            return None
        text = read_text(file)
        if text_digest(text) != self._digests[name]:
            raise InputError(
                f"strategy {name!r} was changed while it was playing", right="start the run again"
            )
        return text

    def __getstate__(self) -> dict[str, Any]:
        functions = {
            name: (_packed(function), self._found[name].values)
            for name, function in self._functions.items()
        }
        texts = {name: self._sources.get(name) or self._text(name) for name in self._digests}
        return {
            "cards": self._cards,
            "digests": self._digests,
            "functions": functions,
            "sources": {name: text for name, text in texts.items() if text is not None},
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["cards"])  # type: ignore[misc]
        self._digests = state["digests"]
        self._sources = state["sources"]
        for name, (packed, values) in state["functions"].items():
            function = self._functions[name] = _unpacked(packed)
            digest = self._digests[name]
            self._found[name] = make_strategy(name, function, values, digest, self._cards)


def _packed(function: Callable[..., Any]) -> bytes:
    """A function as bytes, with the globals that it refers to.

    Raises
    ------
    InputError
        Something that it refers to cannot travel to another process.
    """
    import dill

    compiled = is_compiled_strategy(function)
    python = getattr(function, "py_func", function) if compiled else function
    try:
        # recurse: what the function uses goes along, not all of the caller's main module
        return bytes(dill.dumps((compiled, python), recurse=True))
    except Exception as fault:
        name = getattr(function, "__name__", type(function).__name__)
        raise InputError(
            f"strategy {name!r} cannot be sent to another process ({fault})",
            right="let it use nothing but numbers, texts, functions and modules",
        ) from None


def _unpacked(packed: bytes) -> Callable[..., Any]:
    import dill

    compiled, function = dill.loads(packed)
    return strategy(function) if compiled else function  # type: ignore[no-any-return]
