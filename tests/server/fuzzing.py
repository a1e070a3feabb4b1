"""Random messages and requests, valid and damaged."""

from __future__ import annotations

import json
import random
from typing import Any, Final

from fuda.protocol.parts import EVERY_SEAT
from tests.server.raw_socket import BINARY, TEXT, frame_of

ODD: Final[list[Any]] = [
    None,
    True,
    False,
    0,
    -1,
    7,
    2**31,
    2**53,
    2**53 + 1,
    2**64,
    -(2**70),
    1.5,
    1e308,
    "",
    "A",
    "Z",
    "me",
    "open",
    "closed",
    "thumb",
    "pass",
    "x" * 500,
    "\x00",
    "\u202e\u200b",
    "\U0001f0a1" * 30,
    "'; DROP TABLE entries; --",
    "<script>",
    "../../etc/passwd",
    "%s%n{0}",
    "red 7 + red 8 + + ",
    " + " * 100,
    [],
    {},
    [[[]]],
    {"a": {"b": 1}},
    ["A", 1, None],
]
REACTIONS: Final = ["hello", "thanks", "well played", "good luck", "oops", "wow", "haha", "hurry up"]
GARBAGE: Final = [b"", b"\xff", b"\xc3(", b"\x00" * 50, b"null", b"[]", b"{}", b'{"kind":', b"[" * 3000, b'"' * 9000]


class Fuzz:
    """Makes random input."""

    def __init__(self, seed: int, vocabulary: list[str], recorded: list[str]) -> None:
        self.rng = random.Random(seed)
        self.vocabulary = vocabulary
        self.recorded = recorded
        """Frames that were sent in real games."""
        self.count = 0

    def new_id(self) -> str:
        self.count += 1
        return f"f{self.count}" if self.rng.random() < 0.95 else "same"

    def seat(self) -> str:
        return self.rng.choice(EVERY_SEAT)

    def number(self) -> int:
        return self.rng.choice([0, 1, 2, 5, self.rng.randrange(50), self.rng.randrange(2**53)])

    def word(self) -> str:
        rng = self.rng
        if rng.random() < 0.7:
            return rng.choice(self.vocabulary)
        if rng.random() < 0.5:
            return " + ".join(rng.choice(self.vocabulary) for _ in range(rng.randrange(1, 6)))
        return "".join(chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x20000)])) for _ in range(9)).replace(
            "\ud800", "?"
        )

    def message(self, spoils: float = 0.0005) -> dict[str, Any]:
        """A valid message; rarely one that leaves or closes the table."""
        rng = self.rng
        kinds: dict[str, dict[str, Any]] = {
            "play": {"since": self.number(), "move": self.word()},
            "why": {"move": self.word()},
            "luck": {"number": self.number(), "bytes": rng.randbytes(16).hex()},
            "furnish": {"seat": self.seat(), "to": rng.choice(["open", "closed", "thumb", "random", "me", "nobody"])},
            "swap": {"seat": self.seat(), "other": self.seat()},
            "stand in": {"seat": self.seat()},
            "rematch": {},
            "ping": {},
            "pong": {},
        }
        if rng.random() < 0.1:  # what is written to the log each time
            kinds = {
                "say": {"text": self.word()},
                "react": {"reaction": rng.choice(REACTIONS)},
                "configure": {"public": rng.random() < 0.5, "pace": rng.choice(["none", "quick"])},
                "device": {},
                "start": {},
                "hello": {"version": self.number(), "number": self.number(), "noted": self.number()},
            }
        if rng.random() < spoils:
            kinds = {"leave": {}, "close": {}}
        kind = rng.choice([*kinds])
        fields = {} if kind in ("ping", "pong") else {"id": self.new_id(), **kinds[kind]}
        return {"kind": kind, **fields}

    def spoilt(self) -> bytes:
        """A damaged message, or random bytes."""
        rng = self.rng
        message = self.message()
        match rng.randrange(8):
            case 0:
                message[rng.choice([*message])] = rng.choice(ODD)
            case 1:
                message.pop(rng.choice([*message]))
            case 2:
                message[self.word()] = rng.choice(ODD)
            case 3:
                return rng.choice(GARBAGE)
            case 4:
                return rng.randbytes(rng.randrange(200))
            case 5:
                text = bytearray(json.dumps(message).encode())
                for _ in range(rng.randrange(1, 4)):
                    text[rng.randrange(len(text))] = rng.randrange(256)
                return bytes(text)
            case 6:
                text = bytearray(json.dumps(message).encode())
                at = rng.randrange(len(text))
                return bytes(text[:at]) if rng.random() < 0.5 else bytes(text[:at] + text[at // 2 :])
            case _:
                return json.dumps([message, message] if rng.random() < 0.5 else json.dumps(message)).encode()
        return json.dumps(message).encode()

    def spoilt_frame(self) -> bytes:
        """An invalid frame, or a frame with an invalid message."""
        rng = self.rng
        match rng.randrange(10):
            case 0:
                return frame_of(self.spoilt(), kind=rng.randrange(16), is_last=rng.random() < 0.5)
            case 1:
                return frame_of(self.spoilt(), is_masked=False)
            case 2:
                return frame_of(self.spoilt(), kind=BINARY)
            case 3:
                return frame_of(rng.randbytes(rng.randrange(130)), kind=rng.choice([8, 9, 10]))
            case 4:
                return rng.randbytes(rng.randrange(1, 60))
        return frame_of(self.spoilt(), TEXT)

    def request(self, tables: list[str], host: str) -> tuple[bytes, bool]:
        """An HTTP request, and whether it is undamaged."""
        rng = self.rng
        table = rng.choice([*tables, *tables, *tables, "abcdefghj", self.word().replace(" ", "%20"), "%00", "%ff", ".."])
        method, path = rng.choice(
            [
                ("GET", "/"),
                ("GET", "/api/games"),
                ("GET", "/api/tables"),
                ("GET", f"/t/{table}"),
                ("GET", f"/r/{table}/{self.number()}"),
                ("GET", f"/api/tables/{table}/record"),
                ("GET", f"/api/tables/{table}/records/{rng.choice([0, 1, 10**30, -1, 'x', '1' * 6000])}"),
                ("GET", f"/api/tables/{table}/socket"),
                ("GET", f"/{self.word()}"),
                ("POST", "/api/tables"),
                ("POST", "/api/tables"),
                ("POST", f"/api/tables/{table}/seats"),
                ("POST", f"/api/tables/{table}/claims"),
            ]
        )
        if rng.random() < 0.1:
            method = rng.choice(["GET", "POST", "PUT", "HEAD", "OPTIONS", "BREW"])
        body = b"" if method == "GET" else json.dumps(self.wish()).encode() if rng.random() < 0.8 else self.spoilt()
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {rng.choice([host] * 20 + ['[::1', '', 'x y', 'evil.example'])}",
            f"Origin: {rng.choice([f'http://{host}'] * 20 + ['null', '[', 'http://[::1', ''])}",
            f"Content-Type: {rng.choice(['application/json'] * 9 + ['text/html'])}",
            f"Cookie: fuda-{table}={rng.choice([self.word(), 'x', '=', ';;'])}",
            "Connection: close",
        ]
        if body or rng.random() < 0.1:
            lines.append(f"Content-Length: {len(body)}")
        if rng.random() < 0.05:
            lines.insert(rng.randrange(1, len(lines)), self.word() + ": " + self.word())
        if path.endswith("socket"):
            key = rng.choice(["eA==", "x", "dGhlIHNhbXBsZSBub25jZQ=="])
            upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
            lines = [line for line in lines if line != "Connection: close"] + upgrade
        request = "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body
        if rng.random() > 0.1:
            return request, True
        at = rng.randrange(len(request))
        return request[:at] + rng.randbytes(3) + request[at:], False

    def wish(self) -> dict[str, Any]:
        """A body for a request of a table, a seat or a claim."""
        rng = self.rng
        wish: dict[str, Any] = rng.choice(
            [
                {"game": rng.choice(["frantic", "kirifu", "poker"]), "name": self.word(), "players": self.number()},
                {"game": "frantic", "name": "Eve", "chairs": [rng.choice(["me", "open", "thumb"]) for _ in range(4)]},
                {"game": "kirifu", "name": "Eve", "options": {rng.choice(["games", "x"]): rng.choice(ODD)}},
                {"name": self.word(), "seat": self.seat(), "invite": self.word()},
                {"code": self.word()},
            ]
        )
        if rng.random() < 0.3:
            wish[rng.choice([*wish, "public", "pace", "start", "more"])] = rng.choice(ODD)
        return wish
