"""Log lines as JSON, one object a line, without anything secret."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

STANDARD_FIELDS: Final = frozenset([*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"])


FALSE_ALARMS: Final = (
    "ASGI callable returned without completing handshake.",
    "Invalid UTF-8 sequence received from client.",
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
)
"""What uvicorn logs for a socket that was rejected, and for errors of clients, of which there may be many."""


class WithoutDetails(logging.Filter):
    """Leaves out false alarms, and all headers and frames, which may have cookies and invitations."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.INFO and record.msg not in FALSE_ALARMS


WITHOUT_DETAILS: Final = WithoutDetails()


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in STANDARD_FIELDS}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def log_as_json(level: int = logging.INFO) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("fuda", "uvicorn", "alembic", "asyncio", "websockets"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level if name in ("fuda", "uvicorn") else logging.WARNING)
