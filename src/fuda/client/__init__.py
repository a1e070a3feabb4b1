"""Level 6: the client for tables online, used by `fuda join` and by authors of bots.

>>> from fuda.client import connect, open_table, play_bot, take_seat

See docs/client.md.
"""

from fuda.client.bots import play_bot
from fuda.client.connection import Times
from fuda.client.errors import Denied, Ended, Unreachable
from fuda.client.fairness import Doubt
from fuda.client.known import Known
from fuda.client.links import Link, link_from
from fuda.client.requests import claim, games, open_table, record, tables, take_seat
from fuda.client.table import Change, Connected, TableClient, connect
from fuda.client.tickets import Ticket, ticket_from
from fuda.protocol.messages import Open
from fuda.verification import Seen, Verdict

__all__ = [
    "Change",
    "Connected",
    "Denied",
    "Doubt",
    "Ended",
    "Known",
    "Link",
    "Open",
    "Seen",
    "TableClient",
    "Ticket",
    "Times",
    "Unreachable",
    "Verdict",
    "claim",
    "connect",
    "games",
    "link_from",
    "open_table",
    "play_bot",
    "record",
    "tables",
    "take_seat",
    "ticket_from",
]
