"""Settings for all tests."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fuda", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fuda")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With FUDA_ALL every test must run: a skipped test has failed."""
    report = yield
    if report.skipped and os.environ.get("FUDA_ALL"):
        report.outcome = "failed"
        report.longrepr = f"skipped although FUDA_ALL is set: {report.longrepr}"
    return report
