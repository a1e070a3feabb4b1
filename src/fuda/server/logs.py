"""Log lines as JSON, one object a line, without anything secret."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

USUAL: Final = frozenset([*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"])


FALSE_ALARMS: Final = (
    "ASGI callable returned without completing handshake.",
    "Invalid UTF-8 sequence received from client.",
)
"""Uvicorn's words for a socket that was turned away, and for a client's mistake."""


class WithoutDetails(logging.Filter):
    """Leaves out false alarms, and every header and frame, since cookies and invitations are among them."""

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
        line |= {key: value for key, value in vars(record).items() if key not in USUAL}
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
