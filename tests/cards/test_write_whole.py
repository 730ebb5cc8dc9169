"""Files that are whole, or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cards.errors import OutputError
from cards.files import write_whole

resource = pytest.importorskip("resource")


@contextmanager
def _no_file_above(size: int) -> Iterator[None]:
    """As on a full disk: what is written is cut short."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("before", [None, "old"])
def test_a_file_that_does_not_fit_leaves_what_was_there(tmp_path: Path, before: str | None) -> None:
    path = tmp_path / "file.txt"
    if before is not None:
        path.write_text(before)
    with _no_file_above(1_000), pytest.raises(OutputError) as raised:
        write_whole(path, "x" * 5_000)
    assert str(raised.value) == f"{path}: cannot be written (File too large)"
    assert [file.name for file in tmp_path.iterdir()] == ([] if before is None else ["file.txt"])
    assert before is None or path.read_text() == before


def test_text_and_bytes_through_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(path)
    write_whole(link, "Дакия\n")
    assert link.is_symlink() and path.read_text(encoding="utf-8") == "Дакия\n"
    write_whole(path, b"\x00\xff")
    assert link.read_bytes() == b"\x00\xff"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No such file or directory"):
        write_whole(tmp_path / "none" / "file", "")


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", "text")
    assert not list(tmp_path.iterdir())
