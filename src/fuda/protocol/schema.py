"""JSON Schema, OpenAPI and TypeScript of the protocol; `python -m fuda.protocol.schema` writes them."""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_origin

import msgspec

from fuda.protocol import messages, parts
from fuda.protocol.books import Book
from fuda.protocol.messages import BookQuery, Claim, Failed, FromClient, FromServer, Join, Open, Tables, Taken
from fuda.protocol.parts import PROTOCOL
from fuda.protocol.replays import Replay, ReplayQuery
from fuda.protocol.typescript import typescript

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: Final[list[type[msgspec.Struct]]] = [Replay, Book]
"""Larger answers, each in a module of its own."""
SENT: Final[list[type[msgspec.Struct]]] = [Open, Join, Claim, Taken, Tables, Failed]
BODIES: Final = {body.__name__: body for body in [*SENT, *DOCUMENTS]}
TITLE: Final = f"Fuda: tables online, protocol {PROTOCOL}"

ALL: Final = {"FromClient": FromClient, "FromServer": FromServer, **BODIES}

SOURCES: Final = list(dict.fromkeys([parts, messages, *(sys.modules[kind.__module__] for kind in DOCUMENTS)]))
NAMES: Final = {name: meaning for source in SOURCES for name, meaning in vars(source).items()}

Schema = dict[str, Any]

# JSON Schema --------------------------------------------------------------------------------------


def schema() -> Schema:
    """Every type of the protocol; the messages of clients are `#/$defs/FromClient`."""
    return {"$schema": DIALECT, "title": TITLE, "$defs": definitions(ALL, "#/$defs/")}


def definitions(wanted: Mapping[str, Any], prefix: str) -> dict[str, Schema]:
    """These types, and all that they consist of, by name; references between them begin with the prefix."""
    shapes, structs = msgspec.json.schema_components(wanted.values(), ref_template=prefix + "{name}")
    simple = aliases()
    unions = {name: shape for name, shape in zip(wanted, shapes, strict=True) if name not in structs}
    found: dict[str, Schema] = unions | with_references(structs, simple, prefix)
    text = json.dumps(found)
    found |= {name: shape for name, shape in simple.items() if f'"{prefix}{name}"' in text}
    for name, shape in found.items():
        explain(name, shape)
    return found


def aliases() -> dict[str, Schema]:
    """Named types of text. `Number` is left out, as JavaScript has another one."""
    named = {name: alias for name, alias in NAMES.items() if get_origin(alias) in (Annotated, Literal)}
    shapes = {name: msgspec.json.schema(alias) for name, alias in named.items()}
    return {name: shape for name, shape in shapes.items() if shape.get("type") != "integer"}


def with_references(shape: Any, simple: dict[str, Schema], prefix: str) -> Any:
    """The same with references to named types."""
    if isinstance(shape, list):
        return [with_references(one, simple, prefix) for one in shape]
    if not isinstance(shape, dict):
        return shape
    bare = {key: value for key, value in shape.items() if key != "default"}
    for name, meaning in simple.items():
        if bare == meaning:
            return {"$ref": prefix + name, **({"default": shape["default"]} if "default" in shape else {})}
    return {key: with_references(value, simple, prefix) for key, value in shape.items()}


def explain(name: str, shape: Schema) -> None:
    """Adds the docstrings of the fields."""
    for owner in reversed(getattr(NAMES.get(name), "__mro__", ())):
        for field, comment in COMMENTS.get(owner.__name__, {}).items():
            shape["properties"][sent_as(owner, field)]["description"] = comment


def sent_as(owner: type, field: str) -> str:
    """The name of the field in JSON, which may be a keyword of Python."""
    return next(one.encode_name for one in msgspec.structs.fields(owner) if one.name == field)


def comments(code: ast.Module) -> dict[str, dict[str, str]]:
    """The docstrings under the fields of each class."""
    found: dict[str, dict[str, str]] = {}
    for owner in [node for node in code.body if isinstance(node, ast.ClassDef)]:
        for field, below in pairwise(owner.body):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(sentence))):
                    found.setdefault(owner.name, {})[name] = sentence
    return found


COMMENTS: Final = {
    owner: fields for source in SOURCES for owner, fields in comments(ast.parse(inspect.getsource(source))).items()
}

# OpenAPI ------------------------------------------------------------------------------------------

COMPONENTS: Final = "#/components/schemas/"
ANYTHING: Final[Schema] = {"type": "object"}


def openapi() -> Schema:
    """The HTTP requests; OpenAPI does not cover the WebSocket."""
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": str(PROTOCOL)},
        "jsonSchemaDialect": DIALECT,
        "paths": {
            "/api/tables": {
                "get": asking("The public tables that can be joined or watched.", named(Tables)),
                "post": changing("Opens a table; the sender is its host.", Open),
            },
            "/api/tables/{table}/seats": {
                "parameters": [in_path("table", "string")],
                "post": changing("Takes a seat at a table.", Join),
            },
            "/api/tables/{table}/claims": {
                "parameters": [in_path("table", "string")],
                "post": changing("Moves the player's own seat to another device.", Claim),
            },
            "/api/tables/{table}/record": {
                "parameters": [in_path("table", "string")],
                "get": asking("The record of the latest game: complete once it is over, before that what the seat knows."),
            },
            "/api/tables/{table}/records/{number}": {
                "parameters": [in_path("table", "string"), in_path("number", "integer")],
                "get": asking("The complete record of a finished game."),
            },
            "/api/tables/{table}/records/{number}/film": {
                "parameters": [
                    in_path("table", "string"),
                    in_path("number", "integer"),
                    *in_query(ReplayQuery),
                ],
                "get": asking("The replay of a finished game: its view after every move.", named(Replay)),
            },
            "/api/games/{game}/book": {
                "parameters": [in_path("game", "string"), *in_query(BookQuery)],
                "get": asking("All words of a game in one language: its cards, questions, notes and rules.", named(Book)),
            },
            "/api/games": {
                "get": asking("The games, with their options and bots.", {"type": "array", "items": ANYTHING}),
            },
            "/healthz": {"get": {"summary": "Whether the server works.", "responses": HEALTH}},
            "/metrics": {"get": {"summary": "Metrics for Prometheus.", "responses": METRICS}},
        },
        "components": {"schemas": definitions(BODIES, COMPONENTS)},
    }


ORIGIN: Final[Schema] = {
    "name": "Origin",
    "in": "header",
    "required": True,
    "description": "The server's own origin; changes from any other are denied.",
    "schema": {"type": "string"},
}
PROOF: Final[Schema] = {
    "Set-Cookie": {
        "description": "The token of the seat, in the cookie `fuda-` with the table's id.",
        "schema": {"type": "string"},
    }
}
METRICS: Final[Schema] = {"200": {"description": "All metrics.", "content": {"text/plain": {"schema": {"type": "string"}}}}}


def asking(summary: str, gives: Schema = ANYTHING) -> Schema:
    return {"summary": summary, "responses": {"200": {"description": "The answer.", **body(gives)}, **FAILURES}}


def changing(summary: str, takes: type) -> Schema:
    return {
        "summary": summary,
        "parameters": [ORIGIN],
        "requestBody": {"required": True, **body(named(takes))},
        "responses": {"201": {"description": "The seat.", "headers": PROOF, **body(named(Taken))}, **FAILURES},
    }


def named(kind: type) -> Schema:
    return {"$ref": COMPONENTS + kind.__name__}


def body(shape: Schema) -> Schema:
    return {"content": {"application/json": {"schema": shape}}}


def in_path(name: str, kind: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def in_query(query: type) -> list[Schema]:
    shapes = msgspec.json.schema(query)["$defs"][query.__name__]["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": shape} for name, shape in shapes.items()]


FAILURES: Final[Schema] = {
    "4XX": {"description": "Why the request was not carried out; nothing has changed.", **body(named(Failed))},
    "503": {"description": "Why the request cannot be carried out at the moment.", **body(named(Failed))},
}
HEALTH: Final[Schema] = {
    "200": {"description": "It works.", **body(ANYTHING)},
    "503": {"description": "It does not.", **body(ANYTHING)},
}

# Writing ------------------------------------------------------------------------------------------


def documents() -> dict[str, str]:
    """The published files: their paths in the repository, and their content."""
    return {
        "docs/protocol.schema.json": json.dumps(schema(), indent=2) + "\n",
        "docs/openapi.json": json.dumps(openapi(), indent=2) + "\n",
        "web/src/lib/protocol.ts": typescript(schema()["$defs"]),
    }


if __name__ == "__main__":
    for name, content in documents().items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content)
