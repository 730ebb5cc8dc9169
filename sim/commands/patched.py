"""`duel-sim matchup --patch` and `--set`: a matchup before and after changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cards.errors import InputError
from sim.commands.progress import kept_run, progress_bar


def check_alone(others: Mapping[str, object]) -> None:
    """Raise an `InputError` for an option that a patched matchup has not."""
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{name} does not go with --patch and --set", right="leave it out")


def run(
    a: str,
    b: str,
    n: int,
    patch: Path | None,
    changes: Sequence[str],
    settings: Mapping[str, Any],
    as_json: bool,
) -> None:
    """Play a matchup both ways and print it; `settings` as of `sim.what_if.patched_matchup`."""
    from sim.what_if import patched_matchup

    with progress_bar(2 * n) as progress, kept_run(settings["out"]):
        result = patched_matchup(
            a, b, n, patch=patch, changes=changes, progress=progress, **settings
        )
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
        return
    from reports.changes_terminal import print_patched

    print_patched(str(result.patch), result.before, result.after, result.changes)
