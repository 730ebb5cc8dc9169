"""Compiled code that cannot be kept is used all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from numba import int64

from sim import compiled
from sim.first_run import make_ready

resource = pytest.importorskip("resource")


def _twice(n: Any) -> Any:
    return 2 * n


@pytest.mark.skipif(compiled.JIT_DISABLED, reason="nothing is compiled")
def test_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiled, "cache_root", lambda: tmp_path)
    function = compiled.entry(int64(int64))(_twice)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        make_ready([("a function", function)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert function(4) == 8
    assert "cannot be kept (File too large)" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.nbc")) and not compiled.is_ready(
        compiled.entry(int64(int64))(_twice)
    )
