"""The oracle as others drive it, and the playing and checking of scenario files."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path

from .cards import CARDS
from .choices import WINDOW, YES_NO
from .position import ScenarioError, build, need, result
from .turn import play

VERBS = (
    "deploy",
    "set",
    "activate",
    "use",
    "reposition",
    "attack",
    "battle",
    "main2",
    "end",
    "respond",
    "pass",
    "discard",
    "take",
    "special",
    "choose",
    "yes",
    "no",
)
WORDS_ALONE = ("battle", "main2", "end", "pass", "yes", "no")


class Oracle:
    """A duel from a position on. It can be copied at any decision: a copy replays what was done so far."""

    def __init__(self, position: dict):
        self._position = {
            key: copy.deepcopy(position[key])
            for key in ("game", "duel", "a", "b")
            if key in position
        }
        self._done = []  # ("answer", option text) and ("deck", side, order)
        self.duel = build(self._position)
        self._flow = play(self.duel)
        self.decision = None  # a choice that is made by itself may be here until `pending` or `choose` is called
        self._send(None)

    @classmethod
    def from_position(cls, d: dict) -> Oracle:
        return cls(d)

    def _send(self, value):
        try:
            self.decision = self._flow.send(value)
        except StopIteration:
            self.decision = None

    # -- one decision at a time, those that are made by themselves too -----------------------------
    def answer(self, option):
        self._done.append(("answer", option.text))
        self._send(option.value)

    def _skip(self):
        while self.decision is not None and self.decision.made_by_itself:
            self.answer(self.decision.options[0])

    # -- the interface -----------------------------------------------------------------------------
    def pending(self):
        self._skip()
        return None if self.decision is None else (self.decision.side, self.decision.texts())

    def choose(self, text: str):
        self._skip()
        need(self.decision is not None, f"the duel is over; nothing to choose: {text}")
        option = self.decision.find(text)
        need(
            option is not None,
            f"not possible: {text}; possible: {', '.join(self.decision.texts())}",
        )
        self.answer(option)
        self._skip()

    def result(self) -> dict:
        return result(self.duel, self.pending())

    def deck(self, side: str) -> list:
        return list(self.duel.sides[side].deck)

    def set_deck_order(self, side: str, order: list):
        need(sorted(order) == sorted(self.deck(side)), f"not the same cards in the deck of {side}")
        self._done.append(("deck", side, list(order)))
        self.duel.sides[side].deck[:] = order

    def copy(self) -> Oracle:
        twin = Oracle(self._position)
        for kind, *what in self._done:
            if kind == "deck":
                twin.set_deck_order(*what)
            else:
                twin.answer(
                    next(option for option in twin.decision.options if option.text == what[0])
                )
        return twin

    def __deepcopy__(self, memo):
        return self.copy()


# -- scripts ---------------------------------------------------------------------------------------
def check_line(line: str):
    """An unknown verb or card is an error wherever it stands."""
    verb, _, rest = line.partition(" ")
    need(verb in VERBS, f"unknown verb: {line}")
    need(bool(rest.strip()) != (verb in WORDS_ALONE), f"not understood: {line}")
    for name in rest.split("->") if rest else []:
        word = name.strip().split(":")[-1].split("#")[0]
        plain_word = word == "face-down" or (verb == "choose" and word in ("attack", "defence"))
        need(plain_word or word in CARDS, f"unknown card: {line}")


class Script:
    """Plays the lines of `do`."""

    def __init__(self, oracle: Oracle, lines: list):
        self.oracle = oracle
        self.lines = [" ".join(line.split()) for line in lines]
        self.at = 0
        self.denied = []  # of the lines "! CHOICE" that wait for the next ordinary line
        self.failures = []
        for line in self.lines:
            check_line(line.removeprefix("!").strip())

    def _next_line(self):
        while self.at < len(self.lines) and self.lines[self.at].startswith("!"):
            self.denied.append(self.lines[self.at][1:].strip())
            self.at += 1
        return self.lines[self.at] if self.at < len(self.lines) else None

    def _check_denied(self, decision):
        for line in self.denied:
            if decision.find(line) is not None or any(
                line in option.aliases for option in decision.options
            ):
                self.failures.append(f"offered, but should not be: {line}")

    def play(self):
        while True:
            line, decision = self._next_line(), self.oracle.decision
            if decision is None:
                need(line is None, f"the duel has ended; left over: {line}")
                return
            option = decision.find(line) if line is not None else None
            if option is not None:
                self._check_denied(decision)
                self.denied = []
                self.at += 1
            elif decision.kind in (WINDOW, YES_NO):
                self._check_denied(decision)
                option = decision.find("pass" if decision.kind == WINDOW else "no")
            elif decision.made_by_itself:
                option = decision.options[0]
            elif line is not None:
                raise ScenarioError(
                    f"not possible: {line}; possible for {decision.side}: {', '.join(decision.texts())}"
                )
            else:
                self._check_denied(decision)
                return
            self.oracle.answer(option)


def run(scenario: dict):
    """Plays a scenario; gives back its result and the failures of its "!" lines."""
    build(scenario)  # for errors in the keys that Oracle does not look at
    script = Script(Oracle(scenario), scenario.get("do", []))
    script.play()
    return script.oracle.result(), script.failures


# -- files -----------------------------------------------------------------------------------------
def load(path) -> dict:
    with open(path, "rb") as file:
        try:
            return tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise ScenarioError(str(error)) from error


def files_of(paths):
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        else:
            yield path


def differences(expected, found, where):
    """What differs: tables by the keys that are given, lists by length and order, anything else exactly."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key in found:
                yield from differences(value, found[key], f"{where}.{key}" if where else key)
            else:
                yield (
                    f"{where}.{key}: there is no such key"
                    if where
                    else f"{key}: there is no such key"
                )
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{where}: expected {len(expected)} entries, found {len(found)}: {found}"
        else:
            for n, (left, right) in enumerate(zip(expected, found), 1):
                yield from differences(left, right, f"{where}[{n}]")
    elif type(expected) is not type(found) or expected != found:
        yield f"{where}: expected {expected!r}, found {found!r}"


def _by_dotted_key(table, key):
    for part in key.split("."):
        need(isinstance(table, dict) and part in table, f"no such key in the result: {key}")
        table = table[part]
    return table


def check(path) -> list:
    """The differences between a scenario file's `expect` and what comes out, as lines."""
    try:
        scenario = load(path)
        found, lines = run(scenario)
        for key, value in scenario.get("expect", {}).items():
            lines.extend(differences(value, _by_dotted_key(found, key), key))
        return lines
    except ScenarioError as error:
        return [f"error: {error}"]
