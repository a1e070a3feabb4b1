"""The tables of the database: a row for each game table, each entry of its log, and each transcript."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, LargeBinary, MetaData, Table, Text

METADATA: Final = MetaData()

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("people", Integer, nullable=False),
    Column("open", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("pace", Text, nullable=False),
    Column("opened", Double, nullable=False),
    Column("changed", Double, nullable=False),
    # How many entries of the log were deleted: the others and these are all numbers up to the last.
    Column("pruned", Integer, nullable=False, server_default="0"),
    # The number of the last game that has a record; NULL if that was not yet stored when the table last changed.
    Column("last_record", Integer),
    # When somebody was last connected, as far as that is needed: at tables that are listed, or may expire.
    Column("seen", Double),
    Index("tables_seen", "seen"),
    Index("tables_changed", "changed"),
)

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("table_id", Text, ForeignKey("tables.id", name="entries_of_table", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("data", Text, nullable=False),
    # In SQLite too the log of a table is stored together, and a new entry changes one page instead of two.
    sqlite_with_rowid=False,
)

TRANSCRIPTS: Final = Table(
    "transcripts",
    METADATA,
    Column("table_id", Text, ForeignKey("tables.id", name="transcripts_of_table", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)
