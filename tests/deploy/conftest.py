"""The services of the tests of the server."""

from __future__ import annotations

from tests.server.conftest import postgres, postgres_url, redis, redis_url

__all__ = ["postgres", "postgres_url", "redis", "redis_url"]
