"""Another revision of the project, laid out as files for as long as it is measured."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from cards.errors import InputError
from cards.names import quote
from sim.compiled import cache_root
from sim.speed.measured import TOP, Version

try:
    import fcntl
except ImportError:  # Windows: two measurements against one revision at once disturb one another
    fcntl = None  # type: ignore[assignment]

_TREE: Final = "tree"


@contextmanager
def laid_out(name: str, say: Callable[[str], None], top: Path = TOP) -> Iterator[Version]:
    """The files of a revision, in a folder that is deleted in the end.

    Numba knows compiled code by its source's path and time. The folder is therefore always the same
    one for a commit, and the files are as old as the commit: the second time nothing is compiled.

    Parameters
    ----------
    name
        A commit, branch or tag.
    say
        Is told of a wait.
    top
        The project's checkout.

    Raises
    ------
    InputError
        `top` is no checkout, or it has no such revision, or one that cannot be measured.
    """
    commit = commit_of(name, top)
    revisions = cache_root() / "revisions"
    _delete_leftovers(revisions)
    folder = revisions / commit
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        if not _taken(lock):
            say(f"waiting for another measurement against {commit[:10]}")
            _take(lock)
        tree = folder / _TREE
        try:
            shutil.rmtree(tree, ignore_errors=True)
            _extract(commit, tree, top)
            if not (tree / "sim" / "api.py").is_file():
                raise InputError(
                    f"revision {quote(name)} cannot be measured: it has no sim/api.py",
                    right="name a later one",
                )
            yield Version(f"revision {commit[:10]}", tree, folder / "compiled")
        finally:
            shutil.rmtree(tree, ignore_errors=True)


def commit_of(name: str, top: Path = TOP) -> str:
    """The full hash of the commit that a name means in the checkout.

    Raises
    ------
    InputError
        `top` is no checkout, or it has no such revision.
    """
    # An installed copy may lie inside a checkout of something else: the file must be a part of it.
    if _git(top, "ls-files", "--error-unmatch", "sim/__init__.py") is None:
        raise InputError(
            "--against needs the project's git checkout",
            where=str(top),
            right="run duel-sim from one (pip install -e), with git installed",
        )
    found = None
    if not name.startswith("-"):
        found = _git(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if not found:
        raise InputError(
            f"--against {quote(name)} is no revision of the checkout {top}",
            right="name a commit, a branch or a tag, e.g. HEAD~1",
        )
    return found.decode().strip()


def title_of(commit: str, top: Path = TOP) -> str:
    """The first line of a commit's message."""
    return (_git(top, "show", "--no-patch", "--format=%s", commit) or b"").decode().strip()


def _git(top: Path, *arguments: str) -> bytes | None:
    """What git prints; None where it fails or is not there."""
    try:
        done = subprocess.run(
            ["git", "-C", str(top), *arguments],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _extract(commit: str, tree: Path, top: Path) -> None:
    """Write the files of a commit, each with the commit's time."""
    packed = _git(top, "archive", "--format=tar", commit)
    if packed is None:
        raise InputError(f"git cannot lay out {commit}", where=str(top))
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                path = tree / member.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())
                os.utime(path, (member.mtime, member.mtime))


def _taken(lock: IO[str]) -> bool:
    """Try to take a lock; whether that succeeded."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _take(lock: IO[str]) -> None:
    fcntl.flock(lock, fcntl.LOCK_EX)


def _delete_leftovers(revisions: Path) -> None:
    """Delete what a killed process could not."""
    for tree in revisions.glob(f"*/{_TREE}"):
        with (tree.parent / "lock").open("w") as lock:
            if _taken(lock):
                shutil.rmtree(tree, ignore_errors=True)
