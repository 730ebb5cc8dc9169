"""What stands out is said in words, and never more than its interval says; the page has it all."""

from __future__ import annotations

import dataclasses
import json
import re

import made_up
import polars as pl
from made_up_report import report

from reports import findings, wording
from reports.finding import OPEN, SURE, Finding
from reports.page import page
from reports.report_data import ReportData, with_seen


def by_title(data: ReportData, words: str) -> Finding:
    return next(each for each in findings.findings(data) if words in each.title)


def test_the_most_lopsided_matchup_is_named_from_the_winners_side() -> None:
    row = findings.lopsided(made_up.matrix_table())
    assert row is not None
    assert row["rate"] > 0.5
    assert row["rate_low"] <= row["rate"] <= row["rate_high"]
    assert {row["winner"], row["loser"]} == {"Sparta", "Egypt"}
    assert row["winner"] == "Sparta"
    found = by_title(report(), "Most lopsided")
    assert found.certainty == SURE
    assert "10,000 duels" in found.text


def test_nothing_is_called_uneven_that_is_not_shown() -> None:
    matrix = made_up.matrix_table().with_columns(
        pl.when(pl.col("mirror")).then(None).otherwise(False).alias("flagged")
    )
    data = dataclasses.replace(report(), matrix=matrix)
    found = by_title(data, "No matchup")
    assert found.certainty == OPEN
    assert "more duels" in found.why


def test_decks_whose_intervals_overlap_are_not_put_in_order() -> None:
    factions = made_up.factions_table().with_columns(average_low=0.3, average_high=0.7)
    found = by_title(dataclasses.replace(report(), factions=factions), "lead")
    assert found.certainty == OPEN
    assert "not shown" in found.why


def test_a_cycle_is_named_only_where_it_is_shown() -> None:
    assert by_title(report(), "cycle").certainty == SURE
    unsure = made_up.cycles_table().with_columns(sure=False)
    found = findings.findings(dataclasses.replace(report(), cycles=unsure))
    assert not any("cycle" in each.title for each in found)


def test_first_player_over_all_matchups() -> None:
    matrix = made_up.matrix_table()
    mean, interval, duels = findings.first_player(matrix)
    assert duels == 280_000
    assert abs(mean - matrix["first_player_win_rate"].mean()) < 1e-12  # type: ignore[operator]
    own = matrix["first_player_win_rate_high"][0] - matrix["first_player_win_rate"][0]
    assert 0 < interval.high - mean < own / 4  # about the root of 28 times narrower


def test_what_seeing_suggests_has_an_interval_of_both_rates() -> None:
    frame = pl.DataFrame(
        {
            "drawn_win_rate": [0.6],
            "drawn_low": [0.57],
            "drawn_high": [0.63],
            "not_drawn_win_rate": [0.5],
            "not_drawn_low": [0.46],
            "not_drawn_high": [0.54],
        }
    )
    row = with_seen(frame).row(0, named=True)
    assert abs(row["seen"] - 0.1) < 1e-12
    assert abs(row["seen_low"] - 0.05) < 1e-12
    assert abs(row["seen_high"] - 0.15) < 1e-12


def test_signs() -> None:
    assert [wording.signed(each) for each in (1.04, -0.04, -1.25, 0)] == [
        *("+1.0", "0.0"),
        *("\N{MINUS SIGN}1.2", "0.0"),
    ]


def test_every_number_of_a_finding_has_an_interval_or_is_a_count() -> None:
    for found in findings.findings(report()):
        for text in (found.title, found.text):
            for match in re.finditer(r"\d+(?:\.\d+)?%(?! interval)", text):
                after = text[match.end() : match.end() + 2]
                inside = text[: match.start()].count("(") > text[: match.start()].count(")")
                allowed = after == " (" or inside or "false discovery" in text or "above" in text
                assert allowed or match[0] in ("50%", "5%", "10%"), (match[0], text)


def test_a_report_without_parts_has_a_page_that_says_so() -> None:
    whole = report()
    bare = ReportData(about=whole.about, matrix=whole.matrix)
    text = page(bare)
    assert "Not finished" in text
    assert "how duels run, what cards bring" in text
    assert 'id="cards"' not in text
    unswapped = dataclasses.replace(whole, cards=made_up.card_tables().drop("brings"))
    assert "what cards bring" in page(unswapped)


def test_names_are_no_markup() -> None:
    whole = report()
    matrix = made_up.matrix_table().with_columns(pl.col("a", "b").replace("Rome", "<b>R&D</b>"))
    about = dataclasses.replace(whole.about, decks=("<b>R&D</b>", *made_up.DECKS[1:]))
    text = page(ReportData(about=about, matrix=matrix))
    assert "<b>R&D" not in text
    assert "&lt;b&gt;R&amp;D" in text


def test_json_takes_the_whole_report() -> None:
    again = json.loads(json.dumps(report().to_json(), allow_nan=False))
    assert set(again["tables"]) >= {"matchups", "factions", "cards", "leads", "comebacks", "energy"}
    assert again["seed"] == 7
