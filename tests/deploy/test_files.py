"""The compose file, its proxy and the systemd unit: what is published, what is kept, what the proxy tells the server."""

from __future__ import annotations

import asyncio
import http.client
import os
import random
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from tests.deploy.image import ROOT
from tests.server.parties import Party, open_group
from tests.server.processes import ServerProcess
from tests.server.protocol_client import Habits
from tests.server.services import Service, free_port

TEXT = (ROOT / "deploy/compose.yaml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
FUDA = ("fuda-1", "fuda-2")
BOUND = 60.0


# The compose file ---------------------------------------------------------------------------------


def test_only_the_proxy_can_be_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert SERVICES["proxy"]["networks"] == ["front"]
    assert SERVICES["database"]["networks"] == SERVICES["bus"]["networks"] == ["back"]
    assert COMPOSE["networks"]["back"] == {"internal": True}
    assert not any(service.get("network_mode") or service.get("privileged") for service in SERVICES.values())


def test_every_service_is_watched_restarted_and_limited() -> None:
    for name, service in SERVICES.items():
        assert service["restart"] == "unless-stopped", name
        assert service["mem_limit"], name
        assert service["logging"]["options"]["max-size"], name
        assert "healthcheck" in service or name in FUDA, name  # Fuda's is in its image
    for name in FUDA:
        assert {"database", "bus"} == {*SERVICES[name]["depends_on"]}
        assert all(condition == {"condition": "service_healthy"} for condition in SERVICES[name]["depends_on"].values())


def test_the_servers_share_a_database_and_a_bus_and_trust_their_proxy() -> None:
    for name in FUDA:
        assert SERVICES[name]["command"] == ["serve", "--host", "0.0.0.0", "--behind-proxy"]  # noqa: S104 - inside a container
        assert urlsplit(SERVICES[name]["environment"]["FUDA_DB"]).hostname == "database"
        assert urlsplit(SERVICES[name]["environment"]["FUDA_BUS"]).hostname == "bus"


def test_passwords_and_the_domain_are_asked_for_and_stand_in_no_file() -> None:
    asked = {*re.findall(r"\$\{(\w+):\?", TEXT)}
    assert asked == {*re.findall(r"^(\w+)=$", (ROOT / "deploy/env.example").read_text(), re.MULTILINE)}
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or re.fullmatch(r"\$\{\w+:\?[^}]+\}", value), name
            assert not urlsplit(str(value)).password
    assert "/deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_images_have_plain_names_and_volumes_and_files_exist() -> None:
    kept = set()
    for service in SERVICES.values():
        assert re.fullmatch(r"[a-z]+(:\d+)?", service["image"])
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (ROOT / "deploy" / source).is_file()
            else:
                kept.add(source)
    assert kept == {*COMPOSE["volumes"]}


# The proxy ----------------------------------------------------------------------------------------


class Caddy(Service):
    """Caddy with our Caddyfile, in front of these servers, without TLS."""

    def __init__(self, *servers: str) -> None:
        super().__init__()
        self.servers = servers

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        variables = {
            "DOMAIN": self.address,
            "FUDA_SERVERS": " ".join(self.servers),
            "CADDY_ADMIN": f"127.0.0.1:{free_port()}",
            "HOME": str(self.folder),
        }
        setting = [f"{name}={value}" for name, value in variables.items()]
        return ["env", *setting, "caddy", "run", "--adapter", "caddyfile", "--config", str(ROOT / "deploy/Caddyfile")]

    def answers(self) -> bool:
        try:
            return fetch(self.address, "/healthz")[0] == 200
        except OSError:
            return False


@pytest.fixture
def caddy() -> type[Caddy]:
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed (Debian: apt-get install caddy)")
    return Caddy


def fetch(address: str, path: str, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


class Echo(BaseHTTPRequestHandler):
    """Answers with the headers that it was sent."""

    def do_GET(self) -> None:
        body = "".join(f"{name.lower()}: {value}\n" for name, value in self.headers.items()).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def echo() -> Iterator[str]:
    """The host and port of a server that shows what it was sent."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_the_proxy_replaces_what_clients_claim_about_themselves(caddy: type[Caddy]) -> None:
    claims = {"x_forwarded_for": "6.6.6.6", "x_forwarded_host": "evil.example", "x_forwarded_proto": "https"}
    with echo() as upstream, caddy(upstream) as proxy:
        _, told = fetch(proxy.address, "/", **claims)
        lines = told.splitlines()
        host = urlsplit(proxy.address).netloc
        for line in (f"host: {host}", f"x-forwarded-host: {host}", "x-forwarded-proto: http", "x-forwarded-for: 127.0.0.1"):
            assert lines.count(line) == 1, told
        assert "6.6.6.6" not in told
        assert "evil" not in told


def test_the_proxy_shows_metrics_to_nobody(caddy: type[Caddy]) -> None:
    with echo() as upstream, caddy(upstream) as proxy:
        assert fetch(proxy.address, "/")[0] == 200
        for path in ("/metrics", "/metrics/", "/METRICS", "/%6Detrics", "//metrics", "/metrics?a", "/x/../metrics"):
            status, said = fetch(proxy.address, path)
            assert (status, "host:" in said) == (404, False), path


def test_a_game_is_played_through_the_proxy_although_a_server_stops(
    caddy: type[Caddy], tmp_path: Path, postgres_url: str, redis_url: str
) -> None:
    options = ["--db", postgres_url, "--bus", redis_url, "--behind-proxy", "--speed", "60", "--workers", "1"]

    async def play() -> None:
        async with (
            asyncio.timeout(180),
            ServerProcess(tmp_path, *options, name="one") as one,
            ServerProcess(tmp_path, *options, name="two") as two,
        ):
            proxy = caddy(f"127.0.0.1:{one.port}", f"127.0.0.1:{two.port}")
            await asyncio.to_thread(proxy.start)
            try:
                party = Party("kirifu", people=3, pace="none", options={"games": 1})
                async with await open_group(party, [proxy.address], Habits(thinks=0.1), random.Random(1)) as group:
                    playing = asyncio.create_task(group.play_through(1, BOUND))
                    await group.until(lambda: group.is_playing, BOUND, asyncio.get_running_loop().time, "the game begins")
                    assert await one.stop() == 0
                    await playing
                    record = await group.record(1)
                    assert record["result"]["winners"]
            finally:
                await asyncio.to_thread(proxy.stop, signal.SIGTERM)
                shutil.rmtree(proxy.folder)

    asyncio.run(play())


# nginx, for which the documentation has a sample ------------------------------------------------------


def test_the_sample_for_nginx_tells_the_host_with_its_port_and_shows_metrics_to_nobody() -> None:
    found = re.search(r"```nginx\n(.*?)```", (ROOT / "docs/serving.md").read_text("utf-8"), re.DOTALL)
    assert found is not None
    locations = dict(re.findall(r"location ([^{]+) \{(.*?)\}", found[1], re.DOTALL))
    headers = dict(re.findall(r"proxy_set_header (\S+) (\S+);", locations["/"]))
    assert (headers["Host"], headers["X-Forwarded-Host"]) == ("$http_host", "$http_host"), "$host has no port"
    assert headers["X-Forwarded-Proto"] == "$scheme"
    assert headers["X-Forwarded-For"] == "$proxy_add_x_forwarded_for"
    assert locations["= /metrics"].split() == ["deny", "all;"]


# The systemd unit ---------------------------------------------------------------------------------


def analyze(*arguments: str) -> str:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed (Debian: apt-get install systemd)")
    done = subprocess.run(
        [program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_COLORS": "0", "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_systemd_unit_is_valid_and_confined(tmp_path: Path) -> None:
    text = (ROOT / "deploy/fuda.service").read_text()
    unit = tmp_path / "fuda.service"
    unit.write_text(text.replace("/opt/fuda/bin/fuda", "/bin/true"))
    assert text.count("/opt/fuda/bin/fuda serve ") == 1
    assert analyze("verify", str(unit)) == ""
    found = re.search(
        r"Overall exposure level for fuda\.service: ([\d.]+)", analyze("security", "--offline=true", str(unit))
    )
    assert found is not None
    assert float(found[1]) <= 2.0
