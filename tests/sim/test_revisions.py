"""Another revision laid out as files, from a small git repository."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cards.errors import InputError
from sim.speed import revision
from sim.speed.revision import commit_of, laid_out, title_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")

#: When both commits were made, seconds since 1970.
MADE = 1_000_000_000


def _git(folder: Path, *arguments: str) -> None:
    who: dict[str, str] = {}
    for role in ("AUTHOR", "COMMITTER"):
        who |= {f"GIT_{role}_NAME": "test", f"GIT_{role}_EMAIL": "test"}
        who[f"GIT_{role}_DATE"] = f"{MADE} +0000"
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(
        ["git", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        env={**os.environ, **who, **alone},
    )


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of two commits: api.py says "old", then "new"; the cache is beside it."""
    monkeypatch.setattr(revision, "cache_root", lambda: tmp_path / "cache")
    # The suite may itself run in a hook of git, which says where its repository is.
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "checkout"
    (folder / "sim").mkdir(parents=True)
    (folder / "sim" / "__init__.py").write_text("")
    _git(folder, "init", "--quiet")
    for word in ("old", "new"):
        (folder / "sim" / "api.py").write_text(word)
        _git(folder, "add", "--all")
        _git(folder, "commit", "--quiet", "-m", f"The {word} one")
    return folder


def test_files_are_those_of_the_commit(checkout: Path) -> None:
    with laid_out("HEAD~1", pytest.fail, checkout) as version:
        api = version.tree / "sim" / "api.py"
        assert api.read_text() == "old"
        # Numba takes a file with another time for another file, and compiles again.
        assert api.stat().st_mtime == MADE
        first = version
    with laid_out("HEAD~1", pytest.fail, checkout) as version:
        assert version == first
    with laid_out("HEAD", pytest.fail, checkout) as version:
        assert version.tree != first.tree
        assert (version.tree / "sim" / "api.py").read_text() == "new"
    assert title_of(commit_of("HEAD~1", checkout), checkout) == "The old one"


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError])
def test_nothing_is_left(checkout: Path, fault: type[BaseException]) -> None:
    with pytest.raises(fault), laid_out("HEAD~1", pytest.fail, checkout) as version:
        assert version.tree.is_dir()
        raise fault
    assert not version.tree.exists()
    assert not list(checkout.glob(".git/worktrees"))


def test_what_a_killed_process_left_is_deleted(checkout: Path) -> None:
    left = checkout.parent / "cache" / "revisions" / "0123" / "tree"
    left.mkdir(parents=True)
    with laid_out("HEAD", pytest.fail, checkout):
        assert not left.exists()


@pytest.mark.parametrize("name", ["nosuch", "-h", "--all", "", "HEAD~7", "HEAD:sim"])
def test_unknown_revision(checkout: Path, name: str) -> None:
    with pytest.raises(InputError, match="is no revision of the checkout"):
        commit_of(name, checkout)


def test_outside_of_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs the project's git checkout"):
        commit_of("HEAD", tmp_path)


def test_an_installed_copy_inside_a_checkout_is_none(checkout: Path) -> None:
    copy = checkout / "environment"
    shutil.copytree(checkout / "sim", copy / "sim")
    with pytest.raises(InputError, match="needs the project's git checkout"):
        commit_of("HEAD", copy)


def test_a_revision_without_the_library(checkout: Path) -> None:
    (checkout / "sim" / "api.py").unlink()
    _git(checkout, "commit", "--quiet", "-am", "Without")
    with (
        pytest.raises(InputError, match=r"it has no sim/api\.py"),
        laid_out("HEAD", pytest.fail, checkout),
    ):
        pass
    assert not list((checkout.parent / "cache").glob("revisions/*/tree"))
