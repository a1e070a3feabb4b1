"""The files of the browser client: pages, compression, caching."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from fuda.server.security import HEADERS
from fuda.server.static import IMMUTABLE, MISSING
from tests.server.serving import Running, serving

PAGE = "<!doctype html><title>Fuda</title><script type=module src=/assets/app-1a2b.js></script>" + " " * 500
SCRIPT = "export const words = 'plain';\n" * 100
FILES: dict[str, bytes] = {
    "index.html": PAGE.encode(),
    "assets/app-1a2b.js": SCRIPT.encode(),
    "assets/app-3c4d.css": b"body { margin: 0 }\n" * 50,
    "assets/noto-5e6f.woff2": bytes(range(256)),
    "manifest.webmanifest": b'{"name": "Fuda"}',
    "icon.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "icons/192.png": b"\x89PNG\r\n",
    "sw.js": b"self.addEventListener('fetch', () => {});\n" * 20,
    ".hidden": b"0123\n",
}
KINDS = {
    "/": "text/html; charset=utf-8",
    "/assets/app-1a2b.js": "text/javascript; charset=utf-8",
    "/assets/app-3c4d.css": "text/css; charset=utf-8",
    "/assets/noto-5e6f.woff2": "font/woff2",
    "/manifest.webmanifest": "application/manifest+json",
    "/icon.svg": "image/svg+xml",
    "/icons/192.png": "image/png",
    "/sw.js": "text/javascript; charset=utf-8",
}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder with a client in it."""
    for name, content in FILES.items():
        path = tmp_path / "client" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "secret.txt").write_text("not for anybody")
    return tmp_path / "client"


@asynccontextmanager
async def client_at(folder: Path) -> AsyncIterator[Running]:
    async with serving(client=str(folder)) as running:
        yield running


async def plain(running: Running, path: str, **headers: str) -> httpx2.Response:
    """The answer to somebody who takes nothing compressed."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await running.web.get(path, headers={"accept-encoding": "identity", **named})


def test_every_page_is_the_client_and_asks_again_whether_it_is_fresh(built: Path) -> None:
    async def do() -> None:
        async with client_at(built) as running:
            for path in ("/", "/t/k7mwx3qp2", "/d/k7mwx3qp2", "/r/k7mwx3qp2/1"):
                response = await plain(running, path)
                assert (response.status_code, response.text) == (200, PAGE)
                assert response.headers["cache-control"] == "no-cache"
                assert response.headers["content-type"] == "text/html; charset=utf-8"
                for name, value in HEADERS.items():
                    assert response.headers[name] == value
            assert not running.server.hall.tables, "a page wakes no table"

    asyncio.run(do())


def test_files_have_their_types_and_what_is_named_by_its_content_is_kept_for_good(built: Path) -> None:
    async def do() -> None:
        async with client_at(built) as running:
            for path, kind in KINDS.items():
                response = await plain(running, path)
                assert response.content == FILES[path[1:] or "index.html"]
                assert response.headers["content-type"] == kind
                is_asset = path.startswith("/assets/")
                assert response.headers["cache-control"] == (IMMUTABLE if is_asset else "no-cache")
                assert response.headers["x-content-type-options"] == "nosniff"

    asyncio.run(do())


@pytest.mark.parametrize(
    ("accepted", "is_compressed"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("GZIP ; q=1.0", True),
        ("*", True),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip;q=0.000, *", False),
        ("*;q=0", False),
        ("br", False),
        ("", False),
        (";;q=,=", False),
    ],
)
def test_what_is_smaller_compressed_is_sent_so_to_whoever_takes_it(built: Path, accepted: str, is_compressed: bool) -> None:
    async def do() -> None:
        async with client_at(built) as running:
            headers = {"accept-encoding": accepted}
            async with running.web.stream("GET", "/assets/app-1a2b.js", headers=headers) as response:
                sent = b"".join([part async for part in response.aiter_raw()])
            assert response.headers["vary"] == "accept-encoding"
            assert response.headers.get("content-encoding") == ("gzip" if is_compressed else None)
            assert (gzip.decompress(sent) if is_compressed else sent) == SCRIPT.encode()
            assert int(response.headers["content-length"]) == len(sent)
            assert (len(sent) < 200) == is_compressed
            font = await running.web.get("/assets/noto-5e6f.woff2", headers=headers)
            assert "content-encoding" not in font.headers
            assert "vary" not in font.headers

    asyncio.run(do())


@pytest.mark.parametrize("known", ["{}", 'W/"other", {}', "*", '"x",{} , "y"', "strong"])
def test_what_the_browser_has_is_not_sent_again(built: Path, known: str) -> None:
    async def do() -> None:
        async with client_at(built) as running:
            for path in KINDS:
                first = await plain(running, path)
                tag = first.headers["etag"]
                said = tag.removeprefix("W/") if known == "strong" else known.format(tag)
                again = await plain(running, path, if_none_match=said)
                assert (again.status_code, again.content) == (304, b"")
                for name in ("etag", "cache-control"):
                    assert again.headers[name] == first.headers[name]
                assert "content-type" not in again.headers
            for other in ("", '"other"', tag[:-2]):
                assert (await plain(running, path, if_none_match=other)).status_code == 200

    asyncio.run(do())


def test_only_what_a_file_is_can_be_asked_and_nothing_is_changed(built: Path) -> None:
    async def do() -> None:
        async with client_at(built) as running:
            for path in KINDS:
                head = await running.web.head(path)
                assert (head.status_code, head.content) == (200, b"")
                assert int(head.headers["content-length"]) > 0
                assert (await running.post(path, {})).status_code == 405

    asyncio.run(do())


@pytest.mark.parametrize(
    "path",
    [
        "/.hidden",
        "/secret.txt",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/%2e%2e%5c%2e%2e%5csecret.txt",
        "//secret.txt",
        "/assets",
        "/assets/",
        "/icons/",
        "/assets/app-1a2b.js/",
        "/assets/app-1a2b.js%00",
        "/nothing",
    ],
)
def test_there_is_nothing_besides_the_client(built: Path, path: str) -> None:
    async def do() -> None:
        async with client_at(built) as running:
            reader, writer = await asyncio.open_connection(*running.host.split(":"))
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {running.host}\r\nConnection: close\r\n\r\n".encode())
            answer = await reader.read()
            writer.close()
            assert answer.split(b" ")[1] in (b"404", b"307"), answer
            assert b"not for anybody" not in answer

    asyncio.run(do())


def test_without_the_client_every_page_says_how_to_get_it(tmp_path: Path) -> None:
    async def do() -> None:
        async with client_at(tmp_path / "nowhere") as running:
            for path in ("/", "/t/k7mwx3qp2", "/r/k7mwx3qp2/1"):
                response = await running.get(path)
                assert (response.status_code, response.text) == (404, MISSING)
                assert response.headers["cache-control"] == "no-store"
            assert "make play" in MISSING
            assert (await running.get("/api/games")).status_code == 200

    asyncio.run(do())
