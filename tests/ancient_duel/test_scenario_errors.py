"""Bad scenario files: one clear line each, and the exit codes of the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from cards.errors import InputError
from sim import scenario_command
from sim.ancient_duel.scenario import run_scenario

#: What is wrong, as TOML, and what the error must say.
BAD: tuple[tuple[str, Sequence[str]], ...] = (
    ("[", ["is not TOML"]),
    ('game = "war-chest"', ["game", "'war-chest'", "only 'ancient-duel' is played here"]),
    ("game = 3", ["game: is '3', not a text in quotes"]),
    ("about = 3", ["about: is '3', not a text in quotes"]),
    ("[c]", ["there is no key 'c'"]),
    ("[duell]", ["there is no key 'duell'", "did you mean 'duel'?"]),
    ("duel = 3", ["[duel]: is '3', not a table"]),
    ("a = []", ["[a]: is '[]', not a table"]),
    ("expect = 1", ["[expect]: is '1', not a table"]),
    ('do = "end"', ["do: is 'end', not a list"]),
    ("do = [3]", ["do 1: is '3', not a text in quotes"]),
    ('do = ["end", "ned"]', ["do 2: there is no choice 'ned'", "did you mean 'end'?"]),
    ('do = ["deploy falxmem"]', ["do 1: no card is called 'falxmem'", "did you mean 'falxmen'?"]),
    ('do = ["! deploy falxmem"]', ["do 1: no card is called 'falxmem'"]),
    ('do = ["main2"]', ["do 1: 'main2' is not possible; possible for a: battle, end"]),
    ('do = ["pass"]', ["do 1: 'pass' is not possible"]),
    (
        'do = ["end", "end"]\n[b]\ndeck = []',
        ["do 2: 'end' is left over: the duel has ended"],
    ),
    (
        'do = ["use spartan_archers -> falxmen"]\n[a]\nunits = ["spartan_archers", "falxmen"]\n'
        '[b]\nunits = ["falxmen"]',
        ["do 1", "is ambiguous", "-> a:falxmen' or ", "-> b:falxmen'"],
    ),
    # [duel]
    ("[duel]\nturns = 3", ["[duel]: there is no key 'turns'", "did you mean 'turn'?"]),
    ("[duel]\nturn = 0", ["[duel] turn: is 0; at least 1"]),
    ("[duel]\nturn = 1.5", ["[duel] turn: is '1.5', not a whole number"]),
    ("[duel]\nturn = true", ["[duel] turn: is 'True', not a whole number"]),
    ("[duel]\nturn = 999999999999999999", ["[duel] turn", "at most 9999"]),
    ("[duel]\nturn = 99999999999999999999", ["duel, turn", "is a number too large"]),
    ("[duel]\nseed = -1", ["[duel] seed: is -1; at least 0"]),
    ('[duel]\nactive = "c"', ["[duel] active: is 'c'; only a, b are possible"]),
    ("[duel]\nactive = 1", ["[duel] active: is '1', not a text in quotes"]),
    ('[duel]\nphase = "end"', ["[duel] phase: is 'end'; only main1, battle, main2 are possible"]),
    ("[duel]\nrules = 1", ["[duel] rules: is '1', not a table"]),
    (
        "[duel]\nrules = { hand_limitt = 3 }",
        ["[duel] rules: there is no rule option 'hand_limitt'", "did you mean 'hand_limit'?"],
    ),
    ("[duel]\nrules = { hand_limit = -1 }", ["[duel] rules, hand_limit: is '-1'; at least 0"]),
    ("[duel]\nrules = { reposition = 1 }", ["[duel] rules, reposition: is '1', not true or false"]),
    # a side
    ("[a]\nlife = 3", ["[a]: there is no key 'life'"]),
    ("[b]\nlp = 0", ["[b] lp: is 0; at least 1"]),
    ('[b]\nlp = "20"', ["[b] lp: is '20', not a whole number"]),
    ("[a]\nenergy = -1", ["[a] energy: is -1; at least 0"]),
    ('[a]\nhand = "testudo"', ["[a] hand: is 'testudo', not a list"]),
    ("[a]\nhand = [1]", ["[a] hand 1: is '1', not a text in quotes"]),
    (
        '[a]\nhand = ["testudo", "hastati_lin"]',
        ["[a] hand 2: no card is called 'hastati_lin'", "did you mean 'hastati_line'?"],
    ),
    ('[a]\ndeck = ["testud"]', ["[a] deck 1: no card is called 'testud'"]),
    ('[a]\ngraveyard = [""]', ["[a] graveyard 1: no card is called ''"]),
    (f"[a]\ndeck = {['testudo'] * 41}", ["[a]: has 41 cards; a side has at most 40"]),
    (
        '[a]\nunits = ["falxmen defense"]',
        ["[a] units 1: 'defense' in 'falxmen defense' is not understood", "defence or face-down"],
    ),
    ('[a]\nunits = ["falxmen on 1"]', ["[a] units 1: 'on 1' in 'falxmen on 1'"]),
    ('[a]\nunits = ["testudo"]', ["[a] units 1: testudo is a doctrine, not a unit"]),
    ('[a]\nunits = ["falxman defence"]', ["[a] units 1: no card is called 'falxman'"]),
    ('[a]\nunits = ["defence"]', ["[a] units 1: no card is called 'defence'"]),
    ('[a]\nsupport = ["falxmen"]', ["[a] support 1: falxmen is a unit; put it under units"]),
    (
        '[a]\nsupport = ["roman_road"]',
        ["[a] support 1: roman_road is a one-shot doctrine and cannot lie face-up"],
    ),
    (
        '[a]\nsupport = ["hold_the_line"]',
        ["support 1: hold_the_line is a tactic", "write 'hold_the_line face-down'"],
    ),
    ('[a]\nsupport = ["legion_eagle"]', ["support 1: legion_eagle is an equip on nothing"]),
    (
        '[a]\nsupport = ["legion_eagle on 1"]',
        ["support 1: legion_eagle is on unit 1; the side has no units"],
    ),
    (
        '[a]\nunits = ["falxmen"]\nsupport = ["legion_eagle on 2"]',
        ["support 1: legion_eagle is on unit 2; the side has the units 1 to 1"],
    ),
    ('[a]\nunits = ["falxmen"]\nsupport = ["legion_eagle on x"]', ["'on x' is not understood"]),
    (
        '[a]\nunits = ["falxmen"]\nsupport = ["testudo on 1"]',
        ["support 1: testudo is no equip and lies on no unit"],
    ),
    ('[a]\nsupport = ["testudo sideways"]', ["support 1: 'sideways' in 'testudo sideways'"]),
    # [expect]
    (
        '[expect]\n"a.lpp" = 3',
        ["[expect]: there is no key 'a.lpp' in a result", "did you mean 'lp'?"],
    ),
    ('[expect]\n"over.it" = 3', ["there is no key 'over.it' in a result"]),
    ('[expect]\n"a.units.1" = 3', ["there is no key 'a.units.1' in a result"]),
    (
        '[expect]\n"a.units" = [{ cards = "falxmen" }]',
        ["[expect] a.units: there is no key 'cards'", "did you mean 'card'?"],
    ),
    ("[expect.a]\nunit = 3", ["[expect] a: there is no key 'unit'", "did you mean 'units'?"]),
)


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A function that writes a scenario file and gives its path."""

    def write(text: str | bytes, name: str = "case.toml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize(("text", "parts"), BAD, ids=[text for text, _ in BAD])
def test_bad_file(text: str, parts: Sequence[str], write) -> None:  # type: ignore[no-untyped-def]
    path = write(text)
    with pytest.raises(InputError) as caught:
        run_scenario(path)
    line = str(caught.value)
    assert line.startswith(str(path))
    assert "\n" not in line
    for part in parts:
        assert part in line


def test_a_file_that_is_no_text(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=r"is not UTF-8 text"):
        run_scenario(write(b'about = "\xff"'))
    with pytest.raises(InputError, match=r"there is no such file"):
        run_scenario(tmp_path / "missing.toml")
    with pytest.raises(InputError, match=r"is a folder"):
        run_scenario(tmp_path)


def test_tables_instead_of_a_file() -> None:
    assert run_scenario({"expect": {"a.lp": 20}}).passed
    with pytest.raises(InputError, match=r"^scenario, \[a\] lp: is 0; at least 1$"):
        run_scenario({"a": {"lp": 0}})


@pytest.mark.parametrize("phase", ["battle", "main2"])
def test_any_phase_is_possible_on_the_first_turn(phase: str) -> None:
    assert run_scenario({"duel": {"turn": 1, "phase": phase}, "expect": {"phase": phase}}).passed


# --- what differs ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"a.lp": 19}, "a.lp: expected 19, found 20"),
        ({"over": True}, "over: expected true, found false"),
        ({"over": 0}, "over: expected 0, found false"),
        ({"a.lp": 20.0}, "a.lp: expected 20.0, found 20"),
        ({"winner": "a"}, 'winner: expected "a", found nothing'),
        ({"a.hand": ["testudo"]}, "a.hand: expected 1 entry, found 0 entries: []"),
        ({"a.units": [{"atk": 5}]}, "a.units 1.atk: expected 5, found 4"),
        ({"a": {"units": [{"position": "defence"}]}},
         'a.units 1.position: expected "defence", found "attack"'),
        ({"pending": {"side": "b"}}, 'pending.side: expected "b", found "a"'),
        ({"pending.options": ["end"]},
         'pending.options: expected 1 entry, found 3 entries: '
         '["battle", "end", "reposition falxmen"]'),
    ],
)  # fmt: skip
def test_differences(expect: dict[str, object], difference: str) -> None:
    outcome = run_scenario({"a": {"units": ["falxmen"]}, "expect": expect})
    assert outcome.differences == (difference,)
    assert not outcome.passed


def test_a_choice_that_should_not_be_offered() -> None:
    outcome = run_scenario({"do": ["! battle", "! main2"]})
    assert outcome.differences == ("offered, but should not be: battle",)


def test_a_key_below_what_is_not_there_differs() -> None:
    lost = {"do": ["end"], "expect": {"pending.side": "b", "over": True}}
    assert run_scenario(lost).differences == ('pending.side: expected "b", found nothing',)


# --- the command ----------------------------------------------------------------------------------
def test_check(write, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    write('do = ["battle"]\n[expect]\nphase = "battle"', "b/good.toml")
    assert scenario_command.check([tmp_path]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"
    differs = write('[expect]\nphase = "battle"', "a/differs.toml")
    assert scenario_command.check([tmp_path]) == 1
    told = f'{differs}: phase: expected "battle", found "main1"\n1 passed, 1 failed\n'
    assert capsys.readouterr().out == told
    bad = write("[a]\nlp = 0", "a/c/bad.toml")
    assert scenario_command.check([tmp_path]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"error: {bad}, [a] lp: is 0; at least 1"
    assert lines[1].startswith(str(differs))
    assert lines[2:] == ["1 passed, 2 failed"]


def test_check_of_nothing(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    assert scenario_command.check([tmp_path, tmp_path / "none.toml"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"error: {tmp_path}: has no scenario files")
    assert lines[1].startswith(f"error: {tmp_path / 'none.toml'}: there is no such file")
    assert lines[2] == "0 passed, 2 failed"


def test_run(write, capsys) -> None:  # type: ignore[no-untyped-def]
    path = write('do = ["deploy falxmen"]\n[a]\nhand = ["falxmen"]\n[expect]\n"a.lp" = 1')
    assert scenario_command.run(path, as_json=True) == 0  # `run` does not compare
    result = json.loads(capsys.readouterr().out)
    assert list(result) == [
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
    ]
    assert result["a"] == {
        "lp": 20,
        "energy": 6,
        "hand": [],
        "deck": [],
        "graveyard": [],
        "units": [{"card": "falxmen", "position": "attack", "atk": 4, "def": 3, "attacked": False}],
        "support": [],
    }
    assert result["log"][0] == "a: deploy falxmen"
    assert scenario_command.run(path, as_json=False) == 0
    printed = capsys.readouterr().out
    assert "unit 1: falxmen, attack, ATK 4, DEF 3" in printed


def test_run_of_a_bad_file(write, capsys) -> None:  # type: ignore[no-untyped-def]
    assert scenario_command.main(["run", str(write("[a]\nlp = 0")), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert scenario_command.run(write('do = ["! end"]'), as_json=True) == 1
    assert "offered, but should not be: end" in capsys.readouterr().err
