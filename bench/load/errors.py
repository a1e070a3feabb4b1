"""What ends a measurement."""

from __future__ import annotations


class LoadError(Exception):
    """A server or its players failed, so that nothing can be measured."""
