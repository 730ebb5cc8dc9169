"""Scenario files: a position, the choices to make in it, and what must come out.

The file says `game`, `about`, `do`, `duel`, `a`, `b` and `expect`; the position is read in
`position`, the lines of `do` in `notation`, the result made in `result`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cards.ancient_duel.load import CardSet, card_set
from cards.ancient_duel.pack import Packed, pack
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from cards.files import read_toml
from cards.names import quote, suggestion
from sim.ancient_duel import chronicle, position
from sim.ancient_duel.game import DECLINED_BY, Game
from sim.ancient_duel.notation import Line, parse_line

GAME: Final = "ancient-duel"
KEYS: Final = ("game", "about", "do", "duel", "a", "b", "expect")
#: The keys of a result and of the tables in it, for `expect`.
RESULT_KEYS: Final = (
    "over",
    "winner",
    "reason",
    "active",
    "phase",
    "turn",
    "pending",
    "a",
    "b",
    "log",
)
TABLE_KEYS: Final = {
    "pending": ("side", "options"),
    "a": position.SIDE_KEYS,
    "b": position.SIDE_KEYS,
    "units": ("card", "position", "atk", "def", "attacked"),
    "support": ("card", "face_up", "on"),
}


@dataclass(frozen=True)
class Outcome:
    """What came out of a scenario.

    Attributes
    ----------
    result
        The result dict.
    differences
        Lines that say what differs from `expect`, and which `! CHOICE` was offered.
    denied
        Of these, the lines about a `! CHOICE` alone.
    passed
        Whether there is no difference.
    """

    result: dict[str, Any]
    differences: tuple[str, ...]
    denied: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything came out as the file says."""
        return not self.differences


def run_scenario(source: Path | str | Mapping[str, Any]) -> Outcome:
    """Play a scenario file, or the tables of one.

    Raises
    ------
    InputError
        The file cannot be read, or says something that is not possible; one line that names the
        file, the key or line, what is wrong and what would be right.
    """
    if isinstance(source, Mapping):
        scenario, where = source, "scenario"
    else:
        scenario, where = read_toml(Path(source)), str(source)
    check_shape(scenario, where)
    rules = position.rules_of(scenario, where)
    cards = card_set()
    lines = script_lines(scenario, cards, where)
    expected = expectations(scenario, where)
    duel = position.build(scenario, rules, cards, where)
    duel["ask_always"] = 1  # the script may repeat a choice that has one option
    script = Script(Game(duel, _tables(rules), cards), lines, where)
    script.play()
    result = script.result()
    found = [line for key, value in expected for line in compare(value, _at(result, key), key)]
    return Outcome(result, (*script.denied, *found), tuple(script.denied))


@functools.lru_cache(maxsize=64)
def _tables(rules: RuleSet) -> Packed:
    return pack(card_set(), rules)


# --- the file -------------------------------------------------------------------------------------
def check_shape(scenario: Mapping[str, Any], where: str) -> None:
    """Check the top of the file: its keys, and that it is for this game."""
    position.check_keys(scenario, KEYS, where)
    game = position.as_text(scenario.get("game", GAME), f"{where}, game")
    if game != GAME:
        raise InputError(
            f"is for the game {quote(game)}",
            where=f"{where}, game",
            right=f"only {GAME!r} is played here",
        )
    position.as_text(scenario.get("about", ""), f"{where}, about")


def script_lines(
    scenario: Mapping[str, Any], cards: CardSet, where: str
) -> list[tuple[bool, Line]]:
    """The lines of `do`, each with whether it is a `! CHOICE`."""
    lines = []
    for number, text in enumerate(position.as_texts(scenario.get("do", []), f"{where}, do"), 1):
        denied = text.strip().startswith("!")
        try:
            line = parse_line(text.strip().removeprefix("!"), cards)
        except InputError as error:
            raise error.inside(f"{where}, do {number}") from None
        lines.append((denied, line))
    return lines


def expectations(scenario: Mapping[str, Any], where: str) -> list[tuple[str, Any]]:
    """The dotted keys of `expect` with their values.

    Raises
    ------
    InputError
        A key that no result has.
    """
    table = position.as_table(scenario.get("expect", {}), f"{where}, [expect]")
    found = []
    for dotted, value in table.items():
        known: tuple[str, ...] = RESULT_KEYS
        table_name = ""
        for part in dotted.split("."):
            if part not in known:
                raise InputError(
                    f"there is no key {quote(dotted)} in a result",
                    where=f"{where}, [expect]",
                    right=suggestion(part, known) if known else f"{table_name} has no keys",
                )
            known, table_name = TABLE_KEYS.get(part, ()), part
            if part in ("units", "support"):
                known = ()
        _check_tables(value, dotted.rpartition(".")[2], f"{where}, [expect] {dotted}")
        found.append((dotted, value))
    return found


def _check_tables(value: Any, name: str, where: str) -> None:
    """The keys of the tables in an expected value."""
    if isinstance(value, list):
        for entry in value:
            _check_tables(entry, name, where)
    elif isinstance(value, Mapping) and name in TABLE_KEYS:
        position.check_keys(value, TABLE_KEYS[name], where)
        for key, inner in value.items():
            _check_tables(inner, key, where)


# --- the script -----------------------------------------------------------------------------------
class Script:
    """Plays the lines of `do`, and what makes itself.

    Attributes
    ----------
    denied
        A line for each `! CHOICE` that was offered.
    log
        What happened, for people.
    """

    def __init__(self, game: Game, lines: Sequence[tuple[bool, Line]], where: str) -> None:
        self.game = game
        self.denied: list[str] = []
        self.log: list[str] = []
        self._lines = lines
        self._at = 0
        self._where = where
        self._not_offered: list[Line] = []

    def play(self) -> None:
        """Play until the lines are used up and a real decision waits, or the duel is over.

        Raises
        ------
        InputError
            A line is not possible where it stands, ambiguous, or left over.
        """
        game = self.game
        while True:
            line = self._next_line()
            if not game.waits:
                if line is not None:
                    raise self._error(game.not_possible(line.text))
                return
            place = self._find(line)
            if place is not None:
                self._check_not_offered()
                self._not_offered = []
                self._at += 1
            elif game.kind in DECLINED_BY:
                self._check_not_offered()
                place = game.texts.index(DECLINED_BY[game.kind])
            elif game.is_forced:
                place = 0
            elif line is not None:
                raise self._error(game.not_possible(line.text))
            else:
                self._check_not_offered()
                return
            self._choose(place)

    def _next_line(self) -> Line | None:
        """The next ordinary line; the `!` lines before it wait to be checked."""
        while self._at < len(self._lines) and self._lines[self._at][0]:
            self._not_offered.append(self._lines[self._at][1])
            self._at += 1
        return self._lines[self._at][1] if self._at < len(self._lines) else None

    def _find(self, line: Line | None) -> int | None:
        if line is None:
            return None
        try:
            return self.game.find(line)
        except InputError as error:
            raise self._error(error) from None

    def _error(self, error: InputError) -> InputError:
        return error.inside(f"{self._where}, do {self._at + 1}")

    def _check_not_offered(self) -> None:
        for line in self._not_offered:
            told = f"offered, but should not be: {line.text}"
            if told not in self.denied and self.game.offers(line):
                self.denied.append(told)

    def _choose(self, place: int) -> None:
        before = self.result()
        self.log.append(f"{self.game.side}: {self.game.texts[place]}")
        self.game.choose(place)
        self.log.extend(f"   {line}" for line in chronicle.changes(before, self.result()))

    def result(self) -> dict[str, Any]:
        """The duel as it stands."""
        return self.game.result(self.log)


# --- expect ---------------------------------------------------------------------------------------
def _at(result: Mapping[str, Any], dotted: str) -> Any:
    """The value at a dotted key; None where the way there ends (nothing is pending)."""
    value: Any = result
    for part in dotted.split("."):
        value = value[part] if isinstance(value, Mapping) else None
    return value


def compare(expected: Any, found: Any, where: str) -> Iterator[str]:
    """Lines for what differs: tables by the keys given, lists by length and order, else exactly."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            yield from compare(value, found[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{where}: expected {_count(expected)}, found {_count(found)}: {_shown(found)}"
            return
        for number, (left, right) in enumerate(zip(expected, found, strict=True), 1):
            yield from compare(left, right, f"{where} {number}")
    elif type(expected) is not type(found) or expected != found:
        yield f"{where}: expected {_shown(expected)}, found {_shown(found)}"


def _count(entries: Sequence[Any]) -> str:
    return f"{len(entries)} entr{'y' if len(entries) == 1 else 'ies'}"


def _shown(value: Any) -> str:
    """A value as it would stand in the file."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(_shown(entry) for entry in value)}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_shown(entry)}' for key, entry in value.items())} }}"
    return str(value)
