"""The finished shards of one job, as files of a folder.

A shard is a file `NAME-FIRST-COUNT-SUM.parquet`. SUM is a checksum of its bytes and of what makes
the run the run it is: a damaged file is recognised, and so is one of another run, or one that was
renamed. Files appear whole, under their names, or not at all.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import polars as pl

from cards.errors import InputError
from cards.files import UNFINISHED, write_whole
from sim.output import make_folder
from sim.shards import Shard, missing, overlaps, parts
from sim.table_files import as_parquet
from sim.workers import Rows

DUELS: Final = "duels"
ANSWERS: Final = "answers"
_NAME: Final = re.compile(rf"({DUELS}|{ANSWERS})-(\d{{12}})-(\d+)-([0-9a-f]{{16}})\.parquet")
#: Of more files than this a folder becomes slow to list; shards of a long run are larger.
MOST_FILES: Final = 10_000
#: The column of an answer: one that has a row a duel, or one that has not.
_BY_DUEL, _FLAT = "by_duel", "flat"


class ShardFiles:
    """The files of one job's finished shards.

    Parameters
    ----------
    path
        Their folder; made when there is something to keep.
    key
        What makes the run the run it is, as a digest.
    name
        How the names of the files begin.
    begin
        Called before a shard is written.

    Raises
    ------
    InputError
        A file is damaged, or is no such shard.
    """

    def __init__(self, path: Path, key: str, name: str, begin: Callable[[], None]) -> None:
        self.path = path
        self._key = key
        self._name = name
        self._begin = begin
        self._is_made = False
        self._files: dict[Shard, Path] = {}
        for shard, file in _files(path, name):
            if shard in self._files:
                raise InputError(
                    f"duels {shard.first} to {shard.end - 1} are there more than once",
                    where=str(path),
                    right=f"move {file.name} or {self._files[shard].name} away",
                )
            self._files[shard] = file
        # All of them, before the first is used: not after an hour.
        for shard in self._files:
            self._bytes(shard)

    def missing(self, n: int) -> list[Shard]:
        """The spans of duels that are still to be played for a run of `n`.

        Raises
        ------
        InputError
            Shards overlap.
        """
        with self._no_overlap():
            return missing(n, self._files)

    def _parts(self, n: int) -> list[tuple[Shard, Shard]]:
        with self._no_overlap():
            return parts(n, self._files)

    @contextmanager
    def _no_overlap(self) -> Iterator[None]:
        try:
            yield
        except ValueError as fault:
            raise InputError(
                str(fault), where=str(self.path), right="move the file that is too many away"
            ) from None

    def _read(self, shard: Shard) -> pl.DataFrame:
        """The frame of a shard; errors as `finished` and `answers`."""
        return pl.read_parquet(io.BytesIO(self._bytes(shard)))

    def _bytes(self, shard: Shard) -> bytes:
        """The file of a shard, which is as it was written."""
        file = self._files[shard]
        wrong = "is damaged, or belongs to another run"
        try:
            data = file.read_bytes()
            if file.name == self._file_name(shard, data):
                return data
        except OSError as fault:
            wrong = f"cannot be read ({fault.strerror or fault})"
        raise InputError(
            wrong, where=str(file), right="move it away, and its duels are played again"
        )

    def _write(self, shard: Shard, frame: pl.DataFrame) -> None:
        if not self._is_made:
            self._begin()
            make_folder(self.path)
            self._sweep()
            self._is_made = True
        data = as_parquet(frame)
        self._files[shard] = write_whole(self.path / self._file_name(shard, data), data)

    def _sweep(self) -> None:
        """Take away what a process that was killed had begun to write."""
        for file in self.path.glob(f".{self._name}-*{UNFINISHED}"):
            with suppress(OSError):
                file.unlink()

    def _file_name(self, shard: Shard, data: bytes) -> str:
        place = f"{self._name}-{shard.first:012d}-{shard.count}"
        digest = hashlib.blake2b(f"{self._key} {place} ".encode(), digest_size=8)
        digest.update(data)
        return f"{place}-{digest.hexdigest()}.parquet"


class DuelFiles(ShardFiles):
    """Shards with one row a duel.

    Parameters
    ----------
    path, key, begin
        As of `ShardFiles`.
    schema
        The columns of the files.
    """

    def __init__(self, path: Path, key: str, schema: pl.Schema, begin: Callable[[], None]) -> None:
        super().__init__(path, key, DUELS, begin)
        self._schema = schema

    def finished(self, n: int, since: int = 0) -> Iterator[pl.DataFrame]:
        """The frames of the finished shards, by number, as far as they hold duels since ... n - 1.

        Raises
        ------
        InputError
            A file is damaged, or does not belong here.
        """
        for shard, part in self._parts(n):
            first = max(part.first, since)
            if first < part.end:
                duels = self._read(shard)
                if duels.schema != self._schema or len(duels) != shard.count:
                    raise InputError("has other columns", where=str(self._files[shard]))
                yield duels.slice(first - shard.first, part.end - first)

    def write(self, duels: pl.DataFrame) -> None:
        """Keep the duels of a shard (errors: `cards.files.write_whole`)."""
        self._write(Shard(int(duels["duel"][0]), len(duels)), duels)


class AnswerFiles(ShardFiles):
    """Shards with what a job answered, whatever that is: an array of whole numbers.

    For runs whose results are tables: nobody reads these files but the run that goes on.
    """

    def __init__(self, path: Path, key: str, begin: Callable[[], None]) -> None:
        super().__init__(path, key, ANSWERS, begin)

    def answers(self, span: Shard) -> Iterator[tuple[Shard, Rows]]:
        """The shards that lie in a span of duels, and what the job answered.

        Raises
        ------
        InputError
            A file is damaged, or does not belong here, or reaches over the span.
        """
        for shard, _ in self._parts(span.end):
            if not overlaps(shard, span):
                continue
            if shard.first < span.first or shard.end > span.end:
                raise InputError("belongs to another run", where=str(self._files[shard]))
            frame = self._read(shard)
            answer = frame.to_series().to_numpy()
            yield (
                shard,
                cast(
                    Rows, answer.reshape(shard.count, -1) if frame.columns == [_BY_DUEL] else answer
                ),
            )

    def missing_in(self, span: Shard) -> list[Shard]:
        """The parts of a span that are still to be played (errors: `ShardFiles.missing`)."""
        return [
            Shard(max(gap.first, span.first), gap.end - max(gap.first, span.first))
            for gap in self.missing(span.end)
            if gap.end > span.first
        ]

    def keep(self, shard: Shard, answer: Any) -> None:
        """Keep what the job answered for a shard (errors: `cards.files.write_whole`)."""
        found = np.asarray(answer)
        name = _BY_DUEL if found.ndim == 2 else _FLAT
        self._write(shard, pl.DataFrame({name: found.ravel()}))


def duels_below(folder: Path) -> int:
    """How many duels the shards in a folder and the folders below it hold, by their names."""
    names = (_NAME.fullmatch(file.name) for file in folder.rglob("*.parquet"))
    return sum(int(name[3]) for name in names if name is not None)


def _files(path: Path, name: str) -> Iterator[tuple[Shard, Path]]:
    for file in sorted(path.glob("*.parquet")):
        found = _NAME.fullmatch(file.name)
        if found is None or found[1] != name:
            raise InputError(
                "is no shard of this run", where=str(file), right="move it to another folder"
            )
        yield Shard(int(found[2]), int(found[3])), file
