"""On a terminal: a progress bar on stderr, and Ctrl-C."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

pty = pytest.importorskip("pty")


def _read(terminal: int, until: Callable[[bytes], bool], seconds: float) -> bytes:
    """What appears on a terminal until it is enough, or nobody is left, or the time is up."""
    shown = b""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not until(shown):
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            data = os.read(terminal, 4096)
        except OSError:  # Linux says so that the other end is closed
            break
        if not data:
            break
        shown += data
    return shown


def test_progress_goes_to_stderr(environment: Callable[..., dict[str, str]]) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "sim", "matchup", "rome", "sparta", "-n", "30000"),
            *("--strategy", "random", "--seed", "1", "--json"),
        ],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(TERM="xterm", COLUMNS="80"),
    ) as program:
        os.close(theirs)
        shown = _read(ours, lambda _: False, 120)
        assert program.stdout is not None
        out = program.stdout.read()
    os.close(ours)
    assert program.returncode == 0
    assert out.startswith(b"{")
    assert b"/30000" in shown
    assert "━".encode() in shown


def test_ctrl_c_leaves_finished_shards(
    environment: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "sim", "matchup", "rome", "sparta", "-n", "100000000"),
            *("--seed", "1", "--out", str(folder), "--workers", "2"),
        ],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(TERM="xterm", COLUMNS="80"),
        start_new_session=True,
        preexec_fn=lambda: _own_terminal(theirs),
    ) as program:
        os.close(theirs)
        end = time.monotonic() + 120
        while len(list(folder.glob("*.parquet"))) < 4 and time.monotonic() < end:
            _read(ours, lambda _: False, 0.2)
        os.write(ours, b"\x03")  # to the whole group, workers included, as a terminal does
        shown = _read(ours, lambda _: False, 30)
        assert program.wait(30) == 130
    os.close(ours)
    text = shown.decode()
    assert "duel-sim: error: stopped" in text
    assert "the same command with --resume goes on from there" in text
    assert "Traceback" not in text
    duels = pl.read_parquet(folder / "*.parquet")
    assert duels["duel"].n_unique() == len(duels) > 0
    assert not list(folder.glob(".duels*"))


def _own_terminal(terminal: int) -> None:
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
