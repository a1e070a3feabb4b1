"""The TypeScript types match the messages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from building import web
from hypothesis import HealthCheck, given, settings

from fuda.protocol.schema import schema
from fuda.protocol.typescript import typescript
from tests.protocol.samples import KINDS, SERVER, instances

USE = """
const seat: types.Seat = "A";
const play: types.FromClient = {kind: "play", id: "1", since: 3, move: "sword 7"};
// @ts-expect-error: there is no such seat
const nowhere: types.Seat = "Z";
// @ts-expect-error: a message has an id
const nameless: types.FromClient = {kind: "start"};
// @ts-expect-error: only servers welcome
const welcome: types.FromClient = {kind: "welcome", id: "1"};
// @ts-expect-error: an answer names its question
const loose: types.FromClient = {kind: "play", id: "1", move: "sword 7"};

function told(message: types.FromServer): string {
  switch (message.kind) {
    CASES
      return message.kind === "denied" ? message.rule ?? message.code : message.kind;
    default:
      return forgotten(message);
  }
}

declare function forgotten(message: never): never;
"""


ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def compiler() -> list[str]:
    """That of the browser client, run by the Node.js that builds it."""
    script, node = ROOT / "web/node_modules/typescript/bin/tsc", web.node()
    assert script.is_file(), "tsc, the compiler of TypeScript, is installed by `make test` and `make check`."
    return [str(node), str(script)]


def test_what_is_sent_has_the_published_types(compiler: list[str], tmp_path: Path) -> None:
    cases = " ".join(f"case {json.dumps(kind.__struct_config__.tag)}:" for kind in SERVER)
    lines = ['import type * as types from "./protocol";', USE.replace("CASES", cases)]
    for name, kind in KINDS:
        lines += [f"void ({message} satisfies types.{name});" for message in some(kind)]
    (tmp_path / "protocol.ts").write_text(typescript(schema()["$defs"]))
    (tmp_path / "use.ts").write_text("\n".join(lines))
    options = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022", "--module", "preserve"]
    done = subprocess.run([*compiler, *options, "use.ts"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def some(kind: type) -> list[str]:
    """A few messages of a kind, as they are sent."""
    found: list[str] = []

    @settings(max_examples=12, database=None, suppress_health_check=list(HealthCheck))
    @given(instances(kind))
    def find(message: msgspec.Struct) -> None:
        found.append(json.dumps(json.loads(msgspec.json.encode(message))))

    find()
    return found


@pytest.mark.parametrize(
    ("shape", "written"),
    [
        ({"enum": ["a", "b"]}, 'export type Thing = "a" | "b";'),
        ({"type": "array", "items": {"$ref": "#/$defs/Seat"}}, "export type Thing = Array<Seat>;"),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}] * 2, "items": False},
            "export type Thing = [number, number];",
        ),
        ({"type": "object"}, "export type Thing = Record<string, unknown>;"),
        ({"description": "Why.", "type": "integer"}, "/** Why. */\nexport type Thing = number;"),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "null"}, "b": {"type": "boolean", "default": True}},
                "required": ["a"],
            },
            "export interface Thing {\n  a: null;\n  /** Left out: true. */\n  b?: boolean;\n}",
        ),
    ],
)
def test_a_definition_becomes_a_type(shape: dict[str, object], written: str) -> None:
    assert typescript({"Thing": shape}).endswith(f"\n\n{written}\n")
