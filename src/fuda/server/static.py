"""The browser client as it was built: files that are read and compressed once, and then sent from memory."""

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
KINDS: Final = {
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
"""Media types by suffix; what the machine thinks of them does not matter."""
ANY_KIND: Final = "application/octet-stream"
ASK_AGAIN: Final = "no-cache"
"""May be kept, but not used without asking whether it is still the same."""
FOR_GOOD: Final = "public, max-age=31536000, immutable"
"""The name of such a file has a hash of what is in it."""

MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fuda</title>
<meta name="viewport" content="width=device-width"></head><body>
<h1>Fuda</h1>
<p>The tables are here, but the browser client is not: this installation was made without it.</p>
<p>In a checkout, <code>make play</code> builds it. Elsewhere install again, without <code>FUDA_SKIP_WEB</code> being set:
<code>pip install --force-reinstall fuda</code>.</p>
<p>Until then, sit down in a terminal with <code>fuda join</code> and a table's link.</p>
</body></html>
"""


class File:
    """Something to be read again and again, with its compressed form where that is smaller."""

    def __init__(self, content: bytes, kind: str, keeping: str = ASK_AGAIN) -> None:
        self.content = content
        smaller = gzip.compress(content, 9, mtime=0)
        self.compressed = smaller if len(smaller) < len(content) else None
        self.tag = f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'
        """The same for both forms, which is why it is a weak one."""
        self.kind = kind
        self.keeping = keeping

    def answer(self, request: Request) -> Response:
        headers = {"etag": self.tag, "cache-control": self.keeping}
        if self.compressed is not None:
            headers["vary"] = "accept-encoding"
        if is_known(self.tag, request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        headers["content-type"] = self.kind
        if self.compressed is not None and takes_gzip(request):
            return Response(self.compressed, headers=headers | {"content-encoding": "gzip"})
        return Response(self.content, headers=headers)


def is_known(tag: str, known: str) -> bool:
    """Whether the browser has this already."""
    return known.strip() == "*" or tag.removeprefix("W/") in [one.strip().removeprefix("W/") for one in known.split(",")]


def takes_gzip(request: Request) -> bool:
    """Whether the answer may be compressed; what is named counts more than `*`."""
    weights: dict[str, str] = {}
    for one in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = one.replace(" ", "").partition(";q=")
        weights[name] = weight
    weight = weights.get("gzip", weights.get("*", "0"))
    return weight.strip("0.") != "" or weight == ""


class Client:
    """All files of the client but hidden ones, by their paths; nothing else can be asked for, whatever a path says."""

    def __init__(self, folder: Path) -> None:
        found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
        self.files = {f"/{path.relative_to(folder).as_posix()}": file_from(path, folder) for path in found}
        self.index = self.files.get("/index.html")

    def page(self, request: Request) -> Response:
        """The page of the client, which finds out by its address what to show."""
        return HTMLResponse(MISSING, 404) if self.index is None else self.index.answer(request)


def file_from(path: Path, folder: Path) -> File:
    is_asset = path.relative_to(folder).parts[0] == "assets"
    return File(path.read_bytes(), KINDS.get(path.suffix, ANY_KIND), FOR_GOOD if is_asset else ASK_AGAIN)


@cache
def client_in(folder: Path) -> Client:
    """The client, read once a process."""
    return Client(folder)
