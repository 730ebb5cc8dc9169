"""Every scenario file in tests/scenarios comes out as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.ancient_duel.scenario import run_scenario

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.toml"))


def test_there_are_scenarios_for_every_faction() -> None:
    folders = {path.parent.name for path in FILES}
    assert folders >= {"rome", "sparta", "macedon", "persia", "carthage", "egypt", "dacia"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_scenario(path: Path) -> None:
    assert run_scenario(path).differences == ()
