"""The folder that a run leaves with `--out`, and goes on from after an interruption, or for more.

`manifest.json` says which run it is; the finished shards are files (`sim.shard_files`). A run of
several matchups has a folder for each of them in its own.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import polars as pl

from cards.errors import InputError, OutputError
from sim.output import make_folder
from sim.shard_files import AnswerFiles, DuelFiles, duels_below
from sim.table_files import write_json
from sim.tally import DUEL_SCHEMA

try:
    import fcntl
except ImportError:  # Windows: who starts a run twice in one folder plays its duels twice
    fcntl = None  # type: ignore[assignment]

MANIFEST: Final = "manifest.json"
#: Where a run that writes tables keeps its shards, beside the tables.
SHARDS: Final = "shards"
_LOCK: Final = ".lock"
#: Keys of a manifest that do not say which run it is.
_DUELS, _CHECKSUM = "duels", "checksum"
#: What a difference means whose values say nothing to people.
_DIFFERENCES: Final = {
    "cards": "other cards",
    "code": "another version of the program, or of a strategy",
    "jobs": "other duels",
}

Identity = Mapping[str, Any]


class RunFolder:
    """The folder of one run, which this process has for itself until it closes it.

    Parameters
    ----------
    path
        The folder; made if need be.
    resume
        Whether a run that is there already may be gone on with, for more duels too.

    Raises
    ------
    InputError
        The folder cannot be written, another process has it, or its manifest is damaged.
    """

    def __init__(self, path: Path, resume: bool) -> None:
        self._is_new = not path.exists()
        self.path = make_folder(path)
        self._resume = resume
        self._lock = _locked(path)
        try:
            self._known = read_manifest(path)
        except BaseException:
            self.close()
            raise
        self._key = ""
        self._begin: Callable[[], None] = lambda: None

    def close(self) -> None:
        """Leave the folder to other processes; no empty one is left that was not there."""
        if self._lock is not None:
            # Its name first: who has opened the file by then sees that it is gone.
            (self.path / _LOCK).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None
        if self._is_new:
            with suppress(OSError):  # it has files by now
                self.path.rmdir()

    @property
    def seed(self) -> int | None:
        """The seed of the run that is there."""
        seed = None if self._known is None else self._known.get("seed")
        return seed if isinstance(seed, int) else None

    def claim(self, identity: Identity) -> None:
        """Say which run this is; nothing is written before the first shard is (or `begin`).

        Parameters
        ----------
        identity
            What makes the run the run it is, in JSON's types: where it says something else than
            the folder's manifest, the folder belongs to another run. Its key `duels` alone may
            differ: the first n duels of a run are the same whatever its length. None there: there
            is no telling how many.

        Raises
        ------
        InputError
            The folder belongs to another run, or may not be gone on with.
        """
        _check_same(self.path, self._known, identity)
        kept = duels_below(self.path)
        if self._known is not None and kept and not self._resume:
            wanted = self._known.get(_DUELS)
            of = f" of {wanted:,}" if isinstance(wanted, int) else ""
            raise InputError(
                f"holds this run already ({kept:,}{of} duels)",
                where=str(self.path),
                right="add --resume to go on from there, or name another folder",
            )
        self._key = digest_of(identity)
        self._begin = _once(lambda: _write_manifest(self.path, self._known, identity))

    def begin(self) -> None:
        """Write the manifest of what was claimed, if that is still to be done."""
        self._begin()

    def duels(self, identity: Identity, schema: pl.Schema = DUEL_SCHEMA) -> DuelFiles:
        """The duels of a run of one matchup, in the folder itself.

        Raises
        ------
        InputError
            As `claim`, or a file is damaged.
        """
        self.claim(identity)
        return DuelFiles(self.path, self._key, schema, self.begin)

    def duels_in(self, name: str, identity: Identity, schema: pl.Schema = DUEL_SCHEMA) -> DuelFiles:
        """The duels of one of several matchups, in a folder of its own with its own manifest.

        Raises
        ------
        InputError
            That folder cannot be written, is damaged, or belongs to another run.
        """
        path = self.path / name
        known = read_manifest(path)
        _check_same(path, known, identity)

        def begin() -> None:
            self.begin()
            make_folder(path)
            _write_manifest(path, known, identity)

        return DuelFiles(path, digest_of(identity), schema, _once(begin))

    def answers_in(self, names: Iterable[str]) -> list[AnswerFiles]:
        """What jobs answered, each in a folder of its own, which has a name; after `claim`.

        Raises
        ------
        InputError
            A file is there that does not belong there.
        """
        return [
            AnswerFiles(self.path / SHARDS / name, f"{self._key} {name}", self.begin)
            for name in names
        ]


@contextmanager
def run_folder(path: str | Path | None, *, resume: bool) -> Iterator[RunFolder | None]:
    """The folder of a run while it lasts; None for a run that is not kept.

    Raises
    ------
    InputError
        As `RunFolder`, or there is nothing that could be resumed.
    """
    if path is None:
        if resume:
            raise InputError("--resume is for a run that is kept", right="add --out DIR")
        yield None
        return
    folder = RunFolder(Path(path), resume)
    try:
        yield folder
    finally:
        folder.close()


def _once(action: Callable[[], None]) -> Callable[[], None]:
    """What does something when it is first called."""
    return functools.cache(action)


def digest_of(identity: Identity) -> str:
    """A digest of what makes a run the run it is."""
    return _digest({key: value for key, value in identity.items() if key != _DUELS})


def _digest(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_manifest(path: Path) -> dict[str, Any] | None:
    """What the manifest of a folder says; None where there is none.

    Raises
    ------
    InputError
        It cannot be read, or somebody has changed it.
    """
    file = path / MANIFEST
    right = "name another folder"
    try:
        if not file.is_file():  # nor is a pipe waited for
            return None
        found = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RecursionError) as fault:
        raise InputError(f"cannot be read ({fault})", where=str(file), right=right) from None
    if not isinstance(found, dict) or _CHECKSUM not in found:
        raise InputError("is no manifest of a run", where=str(file), right=right)
    if found.pop(_CHECKSUM) != _digest(found):
        raise InputError(
            "was changed: it does not fit its checksum",
            where=str(file),
            right=f"put it back as it was, or {right}",
        )
    return found


def _write_manifest(path: Path, known: Identity | None, identity: Identity) -> None:
    """Write a manifest, unless one is there that says as much."""
    kept, asked = (None if each is None else each.get(_DUELS) for each in (known, identity))
    if known is None or (kept is not None and (asked is None or asked > kept)):
        write_json(path / MANIFEST, {**identity, _CHECKSUM: _digest(identity)})


def _check_same(path: Path, known: Identity | None, identity: Identity) -> None:
    """Raise an `InputError` where a folder is that of another run."""
    if known is None:
        if duels_below(path):
            raise InputError(
                f"has duels but no {MANIFEST}", where=str(path), right="name another folder"
            )
        return
    # what people can read first
    every = dict.fromkeys([*identity, *known])
    keys = sorted(every, key=lambda key: key in _DIFFERENCES)
    for key in keys:
        there, here = known.get(key), identity.get(key)
        if key != _DUELS and there != here:
            raise InputError(
                f"holds another run ({_difference(key, there, here)})",
                where=str(path),
                right="name another folder, or repeat that run's command",
            )


def _difference(key: str, known: Any, asked: Any) -> str:
    """One difference of two runs, in a few words."""
    if key in _DIFFERENCES:
        return _DIFFERENCES[key]
    if isinstance(known, Mapping) and isinstance(asked, Mapping):
        for inner in asked:
            if known.get(inner) != asked[inner]:
                return _difference(f"{key}.{inner}", known.get(inner), asked[inner])
    short = [value for value in (known, asked) if isinstance(value, str | int | bool)]
    if len(short) == 2 and all(len(str(value)) <= 60 for value in short):
        return f"{key} {known} there, {asked} here"
    return f"another {key}"


def _locked(path: Path) -> int | None:
    """The open lock of a folder; the system lets it go when this process ends, however it does."""
    if fcntl is None:
        return None
    file = path / _LOCK
    try:
        while True:
            lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Whoever had it may have taken the file away meanwhile.
                if _is_same(lock, file):
                    return lock
            except OSError as fault:
                os.close(lock)
                if fault.errno not in (errno.EAGAIN, errno.EACCES):
                    return None  # a file system without locks
                raise InputError(
                    "another process is writing there",
                    where=str(path),
                    right="wait until it is done, or name another folder",
                ) from None
            os.close(lock)
    except OSError as fault:
        raise OutputError(file, fault) from None


def _is_same(lock: int, file: Path) -> bool:
    try:
        named = file.stat()
    except FileNotFoundError:
        return False
    opened = os.fstat(lock)
    return (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)
