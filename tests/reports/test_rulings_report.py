"""Which conclusions are said to depend on a ruling."""

from __future__ import annotations

import io
import json

import numpy as np
import numpy.typing as npt
from rich.console import Console

from reports.rulings import RulingsSummary, summarise_rulings
from reports.rulings_terminal import print_rulings

Counts = npt.NDArray[np.int64]

DECKS = ("Rome", "Sparta", "Egypt")
PLACES = [(0, 1), (0, 2), (1, 2)]
SAME = np.diag([100, 200, 400])  # favours the first deck, before and after
EVEN = np.diag([200, 300, 200])
TURNED = np.array([[50, 50, 250], [50, 100, 50], [0, 50, 100]])
LOST = np.array([[100, 50, 100], [0, 150, 50], [0, 0, 250]])
#: A little less, and not shown any more to be above 50 %: but the change itself is not shown.
HARDLY = np.array([[200, 20, 20], [20, 160, 0], [10, 0, 270]])


def summary(*columns: tuple[Counts, Counts, Counts]) -> RulingsSummary:
    """Rulings "0", "1", …, each with the counts of the three matchups."""
    joint = [[column[matchup] for column in columns] for matchup in range(3)]
    labels = [str(number) for number in range(len(columns))]
    return summarise_rulings(
        DECKS, PLACES, labels, joint, paired=True, strategy="greedy", seed=1, duels_per_second=None
    )


def verdicts(found: RulingsSummary) -> list[str]:
    """The verdicts of the first ruling."""
    return [each.verdict for each in found.rulings[0].matchups]


def test_a_ruling_that_changes_nothing_leaves_all_conclusions() -> None:
    found = summary((SAME, EVEN, SAME))
    assert verdicts(found) == ["same"] * 3
    assert found.rulings[0].moved == []
    assert found.firm() == [("Rome", "Sparta"), ("Sparta", "Egypt")]
    assert found.rulings[0].order == tuple(name for name, _ in found.averages)


def test_favourites_that_turn_round_or_are_lost() -> None:
    found = summary((TURNED, LOST, LOST.T))
    assert verdicts(found) == ["reversed", "lost", "new"]
    first = found.rulings[0].matchups[0]
    assert (first.favoured_before, first.favoured_after) == ("Rome", "Sparta")
    assert found.firm() == []


def test_a_conclusion_that_is_only_just_missed_does_not_depend_on_the_ruling() -> None:
    found = summary((HARDLY, EVEN, SAME))
    first = found.rulings[0].matchups[0]
    assert first.favoured_before == "Rome"
    assert first.favoured_after is None
    assert first.verdict == "unclear"
    assert found.rulings[0].having("lost") == []


def test_the_order_of_decks_turns() -> None:
    strong = np.zeros((3, 3), dtype=np.int64)
    strong[0, 2] = 500  # won whole before, lost whole after
    found = summary((strong, EVEN, strong.T))
    assert ("Rome", "Sparta") in found.rulings[0].turned
    assert found.table()["order_shown_changed"][0] >= 1


def test_fixing_who_begins_rests_on_half_of_the_duels() -> None:
    begun = np.array([[200, 100, 0], [0, 0, 0], [0, 100, 300]])  # both duels of a pair or none
    joint = [[begun, begun] for _ in PLACES]
    found = summarise_rulings(
        DECKS,
        PLACES,
        ["first_player=a", "first_player=b"],
        joint,
        paired=True,
        strategy="greedy",
        seed=1,
        duels_per_second=None,
    )
    assert set(found.matchups_table()["duels"]) == {700}
    assert found.table()["duels"][0] == 2100


def test_it_prints_in_80_columns_and_in_ascii() -> None:
    for encoding in ("utf-8", "ascii"):
        file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        print_rulings(summary((TURNED, LOST, SAME)), Console(file=file, width=80))
        file.seek(0)
        lines = file.read().splitlines()
        assert max(map(len, lines)) <= 80
        assert any("favours Sparta, not Rome" in line for line in lines)


def test_it_goes_into_json() -> None:
    found = json.loads(json.dumps(summary((TURNED, LOST, SAME)).to_json()))
    assert len(found["matchups"]) == 3
    assert {row["ruling"] for row in found["order"]} == {"as it is", "0"}
