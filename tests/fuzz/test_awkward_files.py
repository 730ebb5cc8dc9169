"""Files that are none: pipes, devices, folders, loops of links, far too large ones."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from bad_input import check_line

from cards import files
from cards.errors import InputError
from cards.files import read_text, read_toml


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_toml(path)
    check_line(str(caught.value), str(path))
    return str(caught.value)


def test_a_pipe_that_nobody_writes_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    os.mkfifo(tmp_path / "pipe.toml")
    assert "did not come to an end" in refused(tmp_path / "pipe.toml")


def test_a_pipe_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    keep_open = os.open(path, os.O_RDWR)
    os.write(keep_open, b"# and then no more")
    assert "did not come to an end" in refused(path)
    os.close(keep_open)


def test_what_comes_through_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)

    def write() -> None:
        time.sleep(0.1)
        path.write_text("hand_limit = 6\n" + "# long\n" * 50_000)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_toml(path) == {"hand_limit": 6}
    writer.join()


def test_devices() -> None:
    assert read_text(Path("/dev/null")) == ""
    assert "is too large" in refused(Path("/dev/zero"))


def test_folders_and_links(tmp_path: Path) -> None:
    assert "is a folder" in refused(tmp_path)
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    assert "cannot be read" in refused(loop)
    dangling = tmp_path / "dangling.toml"
    dangling.symlink_to(tmp_path / "nothing")
    assert "there is no such file" in refused(dangling)
    assert "cannot be read" in refused(tmp_path / ("x" * 300))
    with pytest.raises(InputError, match="cannot be read"):
        read_toml(Path("a\0b"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.toml"
    path.write_text("")
    path.chmod(0)
    assert "cannot be read" in refused(path)


def test_far_too_large_files(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(100_000_000)  # zeros that take no room
    assert "is too large" in refused(path)
    path.write_text("[[card]]\n" * 120_000)
    assert "is too large" in refused(path)


#: What would take minutes if nothing were done about it.
SLOW = {
    "a key of many parts": "a." * 200_000 + "b = 1",
    "a key of quoted parts": '"a" . ' * 100_000 + '"b" = 1',
    "a deep list": "a = " + "[" * 400_000,
    "deep tables": "a = " + "{ a = " * 150_000,
    "one word": "a" * 900_000,
    "one dot after another": "." * 900_000,
    "quotes": "'\"" * 400_000,
    "spaces": "a" + " " * 900_000 + ".b",
    "a number": "a = " + "1_" * 400_000,
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW.keys())
def test_what_would_be_slow(tmp_path: Path, text: str) -> None:
    path = tmp_path / "slow.toml"
    path.write_text(text, encoding="utf-8")
    refused(path)
