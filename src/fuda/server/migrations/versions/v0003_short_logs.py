"""How many entries of a log were deleted, which games have a record, and when somebody was last connected to a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("pruned", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("last_record", sa.Integer))
    op.add_column("tables", sa.Column("seen", sa.Double))
    op.create_index("tables_seen", "tables", ["seen"])
    op.drop_index("tables_listed", "tables")
