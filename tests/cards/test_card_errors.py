"""What a game designer is told when a card file is wrong: one line with file, card, key, remedy."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.ancient_duel.load import CardSet, card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.ancient_duel.vocabulary import CONDITIONS, STEPS, TAGS, WHENS, WHOS, WINDOWS
from cards.errors import InputError

HEAD = '[faction]\nid = "gaul"\nname_en = "Gaul"\nname_ru = "Галлия"\nopens_after = 0\n'
UNIT = """
[[card]]
id = "axemen"
kind = "unit"
name_en = "Axemen"
name_ru = "Топорники"
type = "infantry"
level = 2
atk = 3
def = 1
energy = 2
copies = 3
text = "Deployment: draw."

[[card.effect]]
when = "deploy"
do = [ { draw = 1 } ]

[[card.static]]
to = { type = ["infantry"] }
atk = 1
"""
TACTIC = """
[[card]]
id = "ruse"
kind = "tactic"
name_en = "Ruse"
name_ru = "Уловка"
type = "tactic"
copies = 3
text = "Cancel."

[[card.effect]]
when = "respond"
window = "declared"
if = [ { attacked = {} } ]
do = [ { cancel_attack = true } ]
"""
EQUIP = """
[[card]]
id = "torque"
kind = "doctrine"
name_en = "Torque"
name_ru = "Торквес"
type = "equip"
copies = 2
text = "More ATK."
equips = {}

[[card.static]]
to = "equipped"
atk = 1
"""
ONE_SHOT = """
[[card]]
id = "feast"
kind = "doctrine"
name_en = "Feast"
name_ru = "Пир"
type = "one-shot"
copies = 2
text = "Draw."

[[card.effect]]
when = "activate"
do = [ { draw = 1 } ]
"""
WHOLE = HEAD + UNIT + TACTIC + EQUIP + ONE_SHOT


def load(tmp_path: Path, text: str | bytes) -> CardSet:
    path = tmp_path / "gaul.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return card_set((path,))


def refused(tmp_path: Path, text: str | bytes) -> str:
    """The error's line, which always names the file and never spills over."""
    with pytest.raises(InputError) as caught:
        load(tmp_path, text)
    line = str(caught.value)
    assert "gaul.toml" in line
    assert "\n" not in line
    return line


def test_the_example_itself_is_right(tmp_path: Path) -> None:
    cards = load(tmp_path, WHOLE)
    assert [card.id for card in cards.cards] == ["axemen", "ruse", "torque", "feast"]
    assert cards.factions[0].name_ru == "Галлия"


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbf" + WHOLE.encode()).cards


def test_a_file_is_read_anew_each_time(tmp_path: Path) -> None:
    assert load(tmp_path, WHOLE).by_id["axemen"].atk == 3
    assert load(tmp_path, WHOLE.replace("atk = 3", "atk = 4")).by_id["axemen"].atk == 4


FILES = [
    (b"", "has no [faction]"),
    (b"# nothing but a comment", "has no [faction]"),
    (HEAD.encode(), "has no cards"),
    (("card = 3\n" + HEAD).encode(), "has no cards"),
    (("card = [3]\n" + HEAD).encode(), "card 1 is no table"),
    (b"faction = 3\n" + UNIT.encode(), "'3' is no table"),
    (("cards = 1\n" + WHOLE).encode(), "no key 'cards' here; did you mean 'card'?"),
    (WHOLE.encode("cp1251"), "is not UTF-8 text"),
    (WHOLE.encode("utf-16"), "is not UTF-8 text"),
    (b"[faction", "is not TOML"),
    (b"x = " + b"[" * 5000, "line 1: is nested too deep"),
    (b"x.y = 1\n" + b"x." * 5000 + b"z = 1", "line 2: is nested too deep"),
    (b"x = " + b"{ y = " * 40 + b"1" + b" }" * 40, "x, y, y, y: is nested too deep"),
    (b"x = " + b"9" * 5000, "line 1: is a number too large"),
    (b"x = [1, 0x" + b"f" * 5000 + b"]", "x, 2: is a number too large"),
    (b'"" = 1' + b"0" * 30, "'': is a number too large"),
    (b"#" * 1_000_001, "is too large"),
    ((WHOLE + UNIT).encode(), "the card id 'axemen' is in this file already"),
    (
        (WHOLE + UNIT.replace('"axemen"', '"others"')).encode(),
        "'axemen' and 'others' are both called 'Axemen'",
    ),
]


@pytest.mark.parametrize(("data", "told"), FILES, ids=[told for _, told in FILES])
def test_a_wrong_file(tmp_path: Path, data: bytes, told: str) -> None:
    assert told in refused(tmp_path, data)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.toml: there is no such file"):
        card_set((tmp_path / "nowhere.toml",))
    with pytest.raises(InputError, match="is a folder"):
        card_set((tmp_path,))
    with pytest.raises(InputError, match="no card files"):
        card_set(())


def test_two_files_with_one_faction(tmp_path: Path) -> None:
    paths = (tmp_path / "one.toml", tmp_path / "two.toml")
    for path in paths:
        path.write_text(WHOLE, encoding="utf-8")
    with pytest.raises(InputError, match=r"two\.toml, faction gaul, id: .* is in .*one\.toml"):
        card_set(paths)


#: (what to change, into what, what the line must say)
CHANGES = [
    # the head of a file
    ("opens_after = 0", "", ["faction, opens_after", "is missing"]),
    ("opens_after = 0", "opens_after = -1", ["opens_after", "'-1'", "at least 0"]),
    ("opens_after = 0", "opens_afer = 0", ["'opens_afer'", "did you mean 'opens_after'?"]),
    # keys and values of a card
    ("level = 2", "levle = 2", ["card axemen", "'levle'", "did you mean 'level'?"]),
    ("level = 2", "", ["card axemen, level", "is missing", "every unit has it"]),
    ("energy = 2", "", ["card axemen, energy", "is missing"]),
    ("def = 1", "", ["card axemen, def", "is missing"]),
    ("level = 2", "level = 7", ["card axemen, level", "'7'", "at most 6"]),
    ("level = 2", 'level = "2"', ["card axemen, level", "not a whole number"]),
    ("level = 2", "level = 2.5", ["card axemen, level", "not a whole number"]),
    ("level = 2", "level = true", ["card axemen, level", "not a whole number"]),
    ("copies = 3", "copies = 4", ["copies", "at most 3"]),
    ("copies = 3", "", ["card axemen, copies", "is missing"]),
    ('text = "Deployment: draw."', "text = 3", ["card axemen, text", "not a text"]),
    ('name_en = "Axemen"', 'name_en = ""', ["card axemen, name_en", "is empty"]),
    ('id = "axemen"', 'id = "Axe Men"', ["id", "'Axe Men'", "small Latin letters"]),
    ('id = "axemen"', "", ["card 1, id", "is missing"]),
    ('kind = "unit"', 'kind = "unti"', ["card axemen, kind", "'unti'", "did you mean 'unit'?"]),
    ('type = "infantry"', 'type = "infntry"', ["type", "did you mean 'infantry'?"]),
    ('type = "infantry"', 'type = "terrain"', ["'terrain' is no type of a unit"]),
    ('kind = "unit"', 'kind = "commander"', ["'infantry' is no type of a commander", "commander"]),
    ("level = 2", 'traits = ["mercenery"]\nlevel = 2', ["traits", "did you mean 'mercenary'?"]),
    ("level = 2", 'traits = "mercenary"\nlevel = 2', ["card axemen, traits", "not a list"]),
    ("level = 2", 'faction = "rome"\nlevel = 2', ["a card has no key 'faction'"]),
    ("level = 2", "equips = {}\nlevel = 2", ["card axemen, equips", "has none"]),
    ("equips = {}", "", ["card torque, equips", "is missing"]),
    ("equips = {}", "equips = {}\natk = 1", ["card torque, atk", "a doctrine has no atk"]),
    (
        "equips = {}\n",
        'equips = {}\n[[card.effect]]\nwhen = "activate"\ndo = [ { draw = 1 } ]\n',
        ["card torque, effect", "an equip is activated by being put on a unit"],
    ),
    # effects
    ('when = "deploy"', 'when = "deplyo"', ["card axemen, effect 1, when", "'deploy'"]),
    ('when = "deploy"', 'when = "activate"', ["a unit has no moment 'activate'", "possible: use"]),
    ('when = "respond"', 'when = "use"', ["card ruse", "a tactic has no moment 'use'"]),
    ('when = "activate"', 'when = "use"', ["card feast", "when = 'activate' and nothing else"]),
    ('window = "declared"\n', "", ["card ruse, effect 1, window", "is missing", "declared"]),
    ('window = "declared"', 'window = "declred"', ["window", "did you mean 'declared'?"]),
    ('when = "deploy"', 'when = "deploy"\nwindow = "combat"', ["only a tactic has one"]),
    ('when = "deploy"', 'when = "deploy"\nonce_per_turn = true', ["once_per_turn"]),
    ('when = "deploy"', 'when = "deploy"\nmay = 1', ["effect 1, may", "not true or false"]),
    ('when = "deploy"', 'when = "deploy"\nmaybe = true', ["'maybe'", "did you mean 'may'?"]),
    ('when = "deploy"', 'when = "deploy"\ndiscard = 0', ["effect 1, discard", "at least 1"]),
    ("do = [ { draw = 1 } ]", "do = []", ["effect 1, do", "is empty"]),
    ("do = [ { draw = 1 } ]", "", ["effect 1, do", "is missing"]),
    # conditions
    ("attacked = {}", "atacked = {}", ["card ruse, effect 1, if 1", "did you mean 'attacked'?"]),
    ("{ attacked = {} }", "{}", ["if 1", "a condition is one word, not 0"]),
    ("attacked = {}", "attacked = {}, controls = {}", ["if 1", "one word, not 2"]),
    ("{ attacked = {} }", "3", ["if 1", "'3' is no table"]),
    ("attacked = {}", "attacked = 3", ["if 1, attacked", "'3' is no table"]),
    ("attacked = {}", "doomed = {}", ["if 1, doomed", "never hold", "'would_be_destroyed'"]),
    ("attacked = {}", 'answers = ["doctrin"]', ["if 1, answers", "did you mean 'doctrine'?"]),
    # filters
    ("attacked = {}", 'attacked = { side = "enmy" }', ["if 1, attacked, side", "'enemy'"]),
    ("attacked = {}", 'attacked = { typ = ["guard"] }', ["if 1, attacked", "'type'"]),
    ("attacked = {}", 'attacked = { type = ["gard"] }', ["attacked, type", "'guard'"]),
    ("attacked = {}", "attacked = { type = [] }", ["attacked, type", "is empty"]),
    ("attacked = {}", 'attacked = { position = "faceup" }', ["position", "'face-up'"]),
    ("attacked = {}", "attacked = { other = false }", ["other", "is false", "only true"]),
    ("attacked = {}", "attacked = { other = 1 }", ["other", "'1'", "not true or false"]),
    ("attacked = {}", "attacked = { level_below = 0 }", ["level_below", "at least 1"]),
    ("attacked = {}", 'attacked = { card = "axeman" }', ["card ruse", "did you mean 'axemen'?"]),
    ("attacked = {}", 'attacked = { faction = "gual" }', ["card ruse", "did you mean 'gaul'?"]),
    ("attacked = {}", 'attacked = { zone = "units" }', ["no key 'zone' here"]),
    # steps
    ("{ draw = 1 }", "{ drwa = 1 }", ["card axemen, effect 1, do 1", "did you mean 'draw'?"]),
    ("{ draw = 1 }", "{ draw = 0 }", ["do 1, draw", "at least 1"]),
    ("{ draw = 1 }", "{}", ["do 1", "a step has one verb, not none"]),
    ("{ draw = 1 }", "{ draw = 1, discard = 1 }", ["one verb, not draw and discard"]),
    ("{ draw = 1 }", "{ draw = 1, atk = 1 }", ["'draw' has no parameter 'atk'"]),
    ("{ draw = 1 }", '{ add = { from = "dekc" } }', ["do 1, add, from", "did you mean 'deck'?"]),
    ("{ draw = 1 }", '{ add = { kind = ["unit"] } }', ["do 1, add, from", "is missing"]),
    ("{ draw = 1 }", '{ special_deploy = { from = ["hnad"] } }', ["from", "'hand'"]),
    ("{ draw = 1 }", '{ special_deploy = { from = "hand" } }', ["from", "not a list"]),
    ("{ draw = 1 }", '{ change = "slef", atk = 1, until = "turn" }', ["do 1, change", "'self'"]),
    ("{ draw = 1 }", '{ change = "self", atk = 1 }', ["needs the key 'until'"]),
    ("{ draw = 1 }", '{ change = "self", until = "turn" }', ["changes nothing"]),
    ("{ draw = 1 }", '{ change = "self", atk = 1, until = "trun" }', ["until", "'turn'"]),
    ("{ draw = 1 }", '{ move = "self" }', ["needs the key 'to'", "defence"]),
    ("{ draw = 1 }", '{ move = "self", to = "defense" }', ["to", "did you mean 'defence'?"]),
    ("{ draw = 1 }", '{ move = "self", to = "chosen" }', ["no position was chosen"]),
    ("{ draw = 1 }", "{ draw = 1, if_moved = true }", ["nothing was moved before"]),
    ("{ draw = 1 }", '{ destroy = "target" }', ["do 1, destroy", "no unit was targeted"]),
    ("{ draw = 1 }", '{ destroy = "attacker" }', ["no unit 'attacker' at this moment"]),
    ("{ draw = 1 }", '{ recover = "target" }', ["nothing is targeted in the zone 'graveyard'"]),
    ("{ draw = 1 }", '{ destroy_support = "target" }', ["in the zone 'support'"]),
    ("{ draw = 1 }", '{ destroy_support = "self" }', ["only 'target' is possible"]),
    ("{ draw = 1 }", "{ save = true }", ["do 1, save", "'would_be_destroyed'"]),
    ("{ draw = 1 }", "{ choose = { weaker_than_chosen = true } }", ["nothing was chosen before"]),
    ("{ draw = 1 }", "{ choose = {} }, { choose = {} }, { choose = {} }", ["do 3", "at most two"]),
    ("{ draw = 1 }", "{ gain_lp = 1, at_most = 3 }", ["'at_most' limits 'per'"]),
    ("{ cancel_attack = true }", "{ cancel_effect = true }", ["window 'targeted'"]),
    ("{ cancel_attack = true }", '{ destroy = "self" }', ["a tactic is no unit"]),
    ("{ cancel_attack = true }", '{ destroy = "doomed" }', ["no unit 'doomed' at this moment"]),
    (
        "{ cancel_attack = true }",
        "{ choose = { weaker_than_source = true } }",
        ["a tactic has no ATK"],
    ),
    (
        "{ draw = 1 }",
        "{ draw = 1, if = [ { attacked = {} } ] }",
        ["do 1, if 1, attacked", "never hold"],
    ),
    # what the engine could not carry out
    ('type = "one-shot"', 'type = "continuous"', ["card feast, effect", "stays on the field"]),
    (
        'window = "declared"\nif = [ { attacked = {} } ]\ndo = [ { cancel_attack = true } ]',
        'window = "would_be_destroyed"\ndo = [ { destroy = "doomed" } ]',
        ["card ruse, effect 1, do 1, destroy", "not in the window 'would_be_destroyed'"],
    ),
    (
        'window = "declared"\nif = [ { attacked = {} } ]\n',
        'window = "would_be_destroyed"\ntarget = {}\n',
        ["card ruse, effect 1, target", "nothing is targeted here"],
    ),
    (
        "do = [ { draw = 1 } ]",
        'target = { zone = "graveyard" }\ndo = [ { draw = 1 }, { recover = "target" } ]',
        ["card axemen, effect 1, do 2, recover", "write it as the first step"],
    ),
    (
        "[[card.static]]\nto = { type",
        '[[card.effect]]\nwhen = "use"\ndo = [ { draw = 1 } ]\n' * 2
        + "[[card.static]]\nto = { type",
        ["card axemen, effect 3", "effect 2 is for 'use', too"],
    ),
    # names that could not be found, or would be orders to a terminal
    ('name_en = "Axemen"', 'name_en = "—"', ["card axemen, name_en", "a letter or a digit"]),
    ('name_en = "Axemen"', r'name_en = "a\u001b[31m"', ["name_en", "the character U+001B"]),
    ('name_en = "Axemen"', r'name_en = "a\u202eb"', ["name_en", "the character U+202E"]),
    ('text = "Deployment: draw."', r'text = "\u0007"', ["card axemen, text", "U+0007"]),
    ('id = "gaul"', 'id = "any"', ["faction, id", "'any' is no name for a faction"]),
    # statics
    ("to = { type", 'to = "slef" # ', ["card axemen, static 1, to", "did you mean 'self'?"]),
    ("to = { type", "to = 3 # ", ["static 1, to", "'3' is no table"]),
    ("to = { type", "to = { tpye", ["static 1, to", "did you mean 'type'?"]),
    ('infantry"] }\natk = 1', 'infantry"] }', ["static 1", "changes nothing and grants nothing"]),
    ('infantry"] }\natk', 'infantry"] }\ngrants = "immunity"\natk', ["changes and grants"]),
    ('infantry"] }\natk = 1', 'infantry"] }\ngrants = "imunity"', ["grants", "'immunity'"]),
    ('infantry"] }\natk = 1', 'infantry"] }\ngrants = "shield"', ["cannot reach 'units'"]),
    ('infantry"] }\natk', 'infantry"] }\nduring = "combta"\natk', ["during", "'combat'"]),
    ('infantry"] }\natk', 'infantry"] }\nrole = "atacker"\natk', ["role", "'attacker'"]),
    ('infantry"] }\natk', 'infantry"] }\nrole = "attacker"\natk', ["role", "give it during"]),
    ('infantry"] }\natk', 'infantry"] }\nper = {}\natk', ["'per' and 'at_most'"]),
    ("to = { type", 'to = "equipped" # ', ["static 1, to", "for equip doctrines"]),
    ("to = { type", 'to = "opponent" # ', ["only in combat"]),
    ('to = "equipped"', "to = {}", ["card torque, static 1, to", "reaches 'units'"]),
    ('type = "equip"\n', 'type = "continuous"\n', ["card torque, equips"]),
    (TACTIC, TACTIC + '[[card.static]]\ngrants = "immunity"\n', ["a tactic has effects and no"]),
]


@pytest.mark.parametrize(
    ("old", "new", "told"), CHANGES, ids=[f"{old[:20]}->{new[:40]}" for old, new, _ in CHANGES]
)
def test_a_wrong_word(tmp_path: Path, old: str, new: str, told: list[str]) -> None:
    assert old in WHOLE
    line = refused(tmp_path, WHOLE.replace(old, new, 1))
    for part in told:
        assert part in line


def test_a_commander_has_one_copy(tmp_path: Path) -> None:
    text = WHOLE.replace('"unit"', '"commander"').replace('type = "infantry"', 'type = "commander"')
    assert "a commander has at most 1" in refused(tmp_path, text)


def test_a_doctrine_has_no_stats_to_change(tmp_path: Path) -> None:
    text = WHOLE.replace('type = "equip"', 'type = "continuous"').replace("equips = {}", "")
    assert "a doctrine has no ATK and DEF" in refused(
        tmp_path, text.replace('to = "equipped"', 'to = "self"')
    )


def test_every_error_is_one_line() -> None:
    error = InputError("a\nb", where="file\n", right="c\n d")
    assert str(error) == "file: a b; c d"
    assert str(InputError("bad").inside("deck.txt")) == "deck.txt: bad"
    assert str(InputError("bad", where="line 1").inside("deck.txt")) == "deck.txt: line 1: bad"


def test_no_error_sends_orders_to_the_terminal() -> None:
    error = InputError("is '\x1b[31m'", where="a\u202eb\udcff.toml", right="\x07")
    assert str(error) == r"a\u202eb\udcff.toml: is '\x1b[31m'; \x07"
    assert len(str(InputError("x" * 10**6, where="y" * 10**6, right="z" * 10**6))) < 10_000


TOKENS = re.split(r"(\s+|[{}\[\],=])", WHOLE)
PLACES = [place for place, token in enumerate(TOKENS) if token.strip()]
JUNK = [
    "0",
    "-1",
    "99",
    "1.5",
    "true",
    "false",
    '""',
    '"x"',
    "{}",
    "[]",
    "[[]]",
    "= 1",
    "1979-05-27",
]
#: Words of every list of the vocabulary, so that a change often stays in the language.
WORDS = [f'"{word}"' for words in (WHENS, WINDOWS, WHOS, STEPS, CONDITIONS, TAGS) for word in words]


@settings(max_examples=500, deadline=None)
@given(
    changes=st.dictionaries(
        st.sampled_from(PLACES),
        st.one_of(
            st.sampled_from(JUNK),
            st.sampled_from([token for token in TOKENS if token.strip()]),
            st.sampled_from(WORDS),
            st.sampled_from([word.strip('"') for word in WORDS]),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_any_change_of_a_file_loads_and_packs_or_is_one_line(changes: dict[int, str]) -> None:
    text = "".join(changes.get(place, token) for place, token in enumerate(TOKENS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gaul.toml"
        path.write_text(text, encoding="utf-8")
        try:
            packed = pack(card_set((path,)), RuleSet())
        except InputError as error:
            assert "\n" not in str(error)
        else:
            assert packed[0]["cards"] >= 1
