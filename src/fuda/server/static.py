"""The files of the browser client, read and compressed once, and then sent from memory."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import fuda

FOLDER: Final = Path(fuda.__file__).parent / "static"
"""Where the build puts the client, in a checkout and in an installed package."""
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""By suffix; the machine's own table of media types is not used."""
DEFAULT_MEDIA_TYPE: Final = "application/octet-stream"
REVALIDATE: Final = "no-cache"
"""May be cached, but must be checked with the server before each use."""
NO_STORE: Final = "no-store"
IMMUTABLE: Final = "public, max-age=31536000, immutable"
"""The names of such files have a hash of their content."""

MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fuda</title>
<meta name="viewport" content="width=device-width"></head><body>
<h1>Fuda</h1>
<p>The server is running, but it was installed without the browser client.</p>
<p>In a checkout, <code>make play</code> builds it. Otherwise install Fuda again, without <code>FUDA_SKIP_WEB</code>:
<code>pip install --force-reinstall fuda</code>.</p>
<p>Until then, play in a terminal: <code>fuda join</code> and a table's link.</p>
</body></html>
"""


class File:
    """Content that is sent often, with a compressed form if that is smaller."""

    def __init__(self, content: bytes, media_type: str, cache_control: str = REVALIDATE) -> None:
        self.content = content
        smaller = gzip.compress(content, 9, mtime=0)
        self.compressed = smaller if len(smaller) < len(content) else None
        self.tag = f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'
        """Weak, as it is the same for both forms."""
        self.media_type = media_type
        self.cache_control = cache_control

    def answer(self, request: Request) -> Response:
        headers = {"etag": self.tag, "cache-control": self.cache_control}
        if self.compressed is not None:
            headers["vary"] = "accept-encoding"
        if matches(self.tag, request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        headers["content-type"] = self.media_type
        if self.compressed is not None and accepts_gzip(request):
            return Response(self.compressed, headers=headers | {"content-encoding": "gzip"})
        return Response(self.content, headers=headers)


def matches(tag: str, if_none_match: str) -> bool:
    """Whether the browser has this version already."""
    tags = [one.strip().removeprefix("W/") for one in if_none_match.split(",")]
    return if_none_match.strip() == "*" or tag.removeprefix("W/") in tags


def accepts_gzip(request: Request) -> bool:
    """Whether the answer may be compressed; gzip by name counts more than `*`."""
    weights: dict[str, str] = {}
    for one in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = one.replace(" ", "").partition(";q=")
        weights[name] = weight
    weight = weights.get("gzip", weights.get("*", "0"))
    return weight.strip("0.") != "" or weight == ""


class Client:
    """All files of the client, except hidden ones, by path; nothing else can be requested."""

    def __init__(self, folder: Path) -> None:
        found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
        self.files = {f"/{path.relative_to(folder).as_posix()}": file_from(path, folder) for path in found}
        self.index = self.files.get("/index.html")

    def page(self, request: Request) -> Response:
        """The one page of the client, which decides by its address what to show."""
        return HTMLResponse(MISSING, 404) if self.index is None else self.index.answer(request)


def file_from(path: Path, folder: Path) -> File:
    is_asset = path.relative_to(folder).parts[0] == "assets"
    return File(path.read_bytes(), MEDIA_TYPES.get(path.suffix, DEFAULT_MEDIA_TYPE), IMMUTABLE if is_asset else REVALIDATE)


@cache
def client_in(folder: Path) -> Client:
    """The client, read once a process."""
    return Client(folder)
