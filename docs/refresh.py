"""Play the run that README.md shows, and put its table and its picture there: `make docs`."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Final

from PIL import Image
from rich.console import Console

import sim
from reports.terminal import print_matchup

TOP: Final = Path(__file__).resolve().parent.parent
PICTURE: Final = TOP / "docs" / "matchup.png"
README: Final = TOP / "README.md"
SEED: Final = 1
DUELS: Final = 100_000
COMMAND: Final = f"duel-sim matchup Rome Sparta -n {DUELS} --seed {SEED}"
_SHOWN: Final = re.compile(rf"(<!-- result: {COMMAND} -->\n```text\n)(.*?)(```\n)", re.DOTALL)


def result() -> sim.Matchup:
    """The run that is shown."""
    return sim.matchup("Rome", "Sparta", DUELS, seed=SEED)


def as_text(shown: sim.Matchup) -> str:
    """What the command prints."""
    page = io.StringIO()
    print_matchup(shown.summary, shown.counts, Console(file=page, width=80, highlight=False))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()).strip("\n") + "\n"


def shown_text(readme: str) -> str:
    """The result that a README shows."""
    found = _SHOWN.search(readme)
    if found is None:
        raise ValueError(f"README.md does not show the result of {COMMAND}")
    return found[2]


def main() -> None:
    """Renew table and picture."""
    shown = result()
    readme = README.read_text(encoding="utf-8")
    text = f"$ {COMMAND}\n{as_text(shown)}"
    README.write_text(
        _SHOWN.sub(lambda found: found[1] + text + found[3], readme), encoding="utf-8"
    )
    shown.chart(PICTURE)
    # A few colours are all it has: a palette makes it a third of the size.
    Image.open(PICTURE).convert("RGB").quantize(128).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
