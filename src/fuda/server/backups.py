"""Backups: all rows of the database in one file, which either kind of database can be restored from.

The file is compressed text, one JSON value on each line: a header, then for each table of the database its name and columns
followed by its rows, and at the end the numbers of rows and a checksum. It is read and written row by row.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import tempfile
import time
import zlib
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import URL, Column, Connection, MetaData, Table, insert, inspect, select, text

import fuda
from fuda.engine.errors import Error
from fuda.server import migrations
from fuda.server.database import is_file, shown, snapshot_engine, writing_engine
from fuda.server.database_lock import lock_of
from fuda.server.schema_tables import METADATA

FORMAT: Final = 1
GZIP_BEGINS: Final = b"\x1f\x8b"
COMPRESSION: Final = 6
CHUNK: Final = 200
"""How many rows are read or written at once."""
NOT_COPIED: Final = "not in backups"
"""A table with this in its `info` belongs to the running servers, and is left out."""

LOCK_MILLISECONDS: Final = 10_000
"""How long a restore waits for somebody else who uses the tables."""

Counts = dict[str, int]


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    fuda_backup: int
    """The version of the format."""
    version: str
    """The Fuda that wrote it."""
    migration: str
    """The newest migration of the database; the columns are those that the tables had then."""
    made: float


class Section(msgspec.Struct, frozen=True):
    """The line before the rows of a table."""

    table: str
    columns: list[str]


class End(msgspec.Struct, frozen=True):
    """The last line."""

    rows: Counts
    sha256: str
    """The checksum of all lines before this one."""


ENCODER: Final = msgspec.json.Encoder()
HEADER: Final = msgspec.json.Decoder(Header)
FIELDS: Final = msgspec.json.Decoder(dict[str, Any])


# Writing ------------------------------------------------------------------------------------------


def back_up(url: URL, path: Path) -> Counts:
    """Writes the database as it is at this moment to the file; servers may go on. Returns the numbers of rows."""
    must_be_replaceable(path)
    engine = snapshot_engine(url)
    try:
        with engine.connect() as connection, connection.begin(), replacing(path) as file:
            return write_all(connection, file, shown(url))
    finally:
        engine.dispose()


def must_be_replaceable(path: Path) -> None:
    """An earlier backup may be replaced, but nothing else: the file may be the database."""
    try:
        if path.exists() and not (path.is_file() and is_compressed(path)):
            raise Error(f"{path} is not a backup, and is not replaced by one.")
    except OSError as error:
        raise Error(f"{path} cannot be read: {error.strerror}.") from None


def is_compressed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(GZIP_BEGINS)) == GZIP_BEGINS


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[LineWriter]:
    """A new file, which replaces the old one once complete; only this user can read it, as it has secrets of games."""
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as raw:
            with gzip.GzipFile("", "wb", COMPRESSION, raw) as packed:
                yield LineWriter(packed)
            raw.flush()
            os.fsync(raw.fileno())
        Path(name).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise Error(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        if name:
            Path(name).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Makes the new name of a file survive a loss of power, where a folder can be opened."""
    with contextlib.suppress(PermissionError, IsADirectoryError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class LineWriter:
    """Writes values as lines, and computes their checksum."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self.file = file
        self.hashed = hashlib.sha256()

    def write(self, value: Any) -> None:
        line = ENCODER.encode(value) + b"\n"
        self.hashed.update(line)
        self.file.write(line)


def write_all(connection: Connection, file: LineWriter, database: str) -> Counts:
    migration = migrations.current(connection)
    if migration is None:
        raise Error(f"The database {database} is empty.")
    migrations.must_be_known(migration, f"The database {database}")
    counts: Counts = {}
    file.write(Header(FORMAT, fuda.__version__, migration, time.time()))
    for table in tables_in(connection):
        name = str(table.name)
        file.write(Section(name, [str(column.name) for column in table.columns]))
        counts[name] = 0
        rows = select(table).order_by(*table.primary_key.columns)
        for row in connection.execution_options(yield_per=CHUNK).execute(rows):
            file.write(tuple(row))
            counts[name] += 1
    file.write(End(counts, file.hashed.hexdigest()))
    return counts


def tables_in(connection: Connection) -> list[Table]:
    """Our tables as they are in this database, which may be older; referenced tables come first."""
    there = {*inspect(connection).get_table_names()}
    names = [name for name, table in METADATA.tables.items() if name in there and not table.info.get(NOT_COPIED)]
    reflected = MetaData()
    reflected.reflect(connection, only=names, resolve_fks=False)
    return reflected.sorted_tables


# Reading ------------------------------------------------------------------------------------------


class Backup:
    """The file of a backup, which is checked as a whole first. Whatever is wrong with it is an `Error` of one sentence."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header = self.read_header(next(self.lines(), b""))
        for _ in self.rows():
            pass

    def read_header(self, line: bytes) -> Header:
        try:
            header = HEADER.decode(line)
        except msgspec.DecodeError:
            raise Error(f"{self.path} is not a backup of Fuda.") from None
        if header.fuda_backup != FORMAT:
            raise Error(
                f"The backup {self.path} was written by a newer version of Fuda, {header.version}. Install that one."
            )
        migrations.must_be_known(header.migration, f"The backup {self.path}")
        return header

    def lines(self) -> Iterator[bytes]:
        try:
            with gzip.open(self.path, "rb") as file:
                yield from file
        except EOFError:
            raise self.damaged("it ends too early") from None
        except gzip.BadGzipFile:
            raise Error(f"{self.path} is not a backup of Fuda, or is damaged.") from None
        except zlib.error:
            raise self.damaged("it cannot be decompressed") from None
        except OSError as error:
            raise Error(f"{self.path} cannot be read: {error.strerror}.") from None

    def rows(self) -> Iterator[tuple[Section, bytes]]:
        """Each row as it is in the file, with its table; an error at the end if they are not those that were written."""
        lines = self.lines()
        hashed = hashlib.sha256(next(lines, b""))
        counts: Counts = {}
        section: Section | None = None
        for line in lines:
            if line.startswith(b"["):
                if section is None:
                    raise self.damaged("a row belongs to no table")
                counts[section.table] += 1
                yield section, line
            else:
                told = self.section_or_end(line)
                if isinstance(told, End):
                    self.check_end(told, counts, hashed.hexdigest(), lines)
                    return
                section = told
                counts[section.table] = 0
            hashed.update(line)
        raise self.damaged("it ends too early")

    def section_or_end(self, line: bytes) -> Section | End:
        try:
            kind: type[Section | End] = End if "sha256" in FIELDS.decode(line) else Section
            return msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError:
            raise self.damaged("a line cannot be read") from None

    def check_end(self, end: End, counts: Counts, checksum: str, after: Iterator[bytes]) -> None:
        if end.sha256 != checksum or end.rows != counts:
            raise self.damaged("its checksum is wrong")
        if next(after, None) is not None:
            raise self.damaged("something follows its end")

    def damaged(self, how: str) -> Error:
        return Error(f"The backup {self.path} is damaged: {how}.")


# Restoring ----------------------------------------------------------------------------------------


def restore(url: URL, backup: Backup, *, replace: bool = False) -> Counts:
    """Fills an empty database from the backup, or replaces all that is in it; returns the numbers of rows.

    It happens in one transaction: after an error the database is as it was.
    """
    is_new = is_file(url) and not Path(str(url.database)).exists()
    lock = lock_of(url)
    engine = writing_engine(url, migrating=True)
    is_done = False
    try:
        if not lock.take():
            raise Error(f"The database {shown(url)} is in use. Stop its servers first.")
        with engine.begin() as connection:
            migrations.lock(connection)
            remove_tables(connection, shown(url), replace)
            migrations.upgrade(connection, backup.header.migration)
            counts = insert_rows(connection, backup)
            migrations.upgrade(connection)
        is_done = True
    finally:
        engine.dispose()
        if is_new and not is_done:
            remove_file(url)
        lock.release()
    return counts


def remove_tables(connection: Connection, name: str, replace: bool) -> None:
    """Deletes our tables, which must be empty unless they are to be replaced."""
    migration = migrations.current(connection)
    if migration is None:
        return
    migrations.must_be_known(migration, f"The database {name}")
    if not replace and any(connection.execute(select(table).limit(1)).first() for table in tables_in(connection)):
        raise Error(f"The database {name} is not empty. With --replace all that is in it is deleted.")
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_MILLISECONDS}"))
    reflected = MetaData()
    reflected.reflect(connection, only=lambda table, _: table in METADATA.tables or table == migrations.TABLE)
    reflected.drop_all(connection)


def insert_rows(connection: Connection, backup: Backup) -> Counts:
    tables = {table.name: table for table in tables_in(connection)}
    counts = dict.fromkeys(tables, 0)
    for section, group in groupby(backup.rows(), key=lambda row: row[0]):
        if section.table not in tables or not {*section.columns} <= {*tables[section.table].columns.keys()}:
            raise backup.damaged(f"migration {backup.header.migration} has no such table or columns: {section.table}")
        table = tables[section.table]
        kinds = tuple(type_of(table.columns[name]) for name in section.columns)
        decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(tuple[kinds])  # type: ignore[valid-type]  # known only now
        while some := [*islice(group, CHUNK)]:
            try:
                rows = [dict(zip(section.columns, decoder.decode(line), strict=True)) for _, line in some]
            except msgspec.DecodeError:
                raise backup.damaged(f"a row of {section.table} cannot be read") from None
            connection.execute(insert(table), rows)
            counts[section.table] += len(rows)
    return counts


def type_of(column: Column[Any]) -> Any:
    """The type of the values in a column; bytes are Base64 in the file."""
    return column.type.python_type | None if column.nullable else column.type.python_type


def remove_file(url: URL) -> None:
    for end in ("", "-wal", "-shm", "-journal", "-lock"):
        Path(f"{url.database}{end}").unlink(missing_ok=True)
