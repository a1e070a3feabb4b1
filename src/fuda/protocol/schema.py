"""The protocol for programs in any language, made from its types: `python -m fuda.protocol.schema` writes it."""

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
from fuda.protocol.films import Film, FilmWish
from fuda.protocol.messages import BookWish, Claim, Failed, FromClient, FromServer, Join, Open, Tables, Taken
from fuda.protocol.parts import PROTOCOL
from fuda.protocol.typescript import typescript

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: Final[list[type[msgspec.Struct]]] = [Film, Book]
"""What can be read besides; each may stand in a module of its own."""
SENT: Final[list[type[msgspec.Struct]]] = [Open, Join, Claim, Taken, Tables, Failed]
BODIES: Final = {body.__name__: body for body in [*SENT, *DOCUMENTS]}
TITLE: Final = f"Fuda: tables online, protocol {PROTOCOL}"

ALL: Final = {"FromClient": FromClient, "FromServer": FromServer, **BODIES}

SOURCES: Final = list(dict.fromkeys([parts, messages, *(sys.modules[kind.__module__] for kind in DOCUMENTS)]))
NAMES: Final = {name: meaning for source in SOURCES for name, meaning in vars(source).items()}

Schema = dict[str, Any]

# JSON Schema --------------------------------------------------------------------------------------


def schema() -> Schema:
    """Every type of the protocol; what a client may say is `#/$defs/FromClient`."""
    return {"$schema": DIALECT, "title": TITLE, "$defs": definitions(ALL, "#/$defs/")}


def definitions(wanted: Mapping[str, Any], place: str) -> dict[str, Schema]:
    """These types, and all that they consist of, by their names; they refer to each other at this place."""
    shapes, structs = msgspec.json.schema_components(wanted.values(), ref_template=place + "{name}")
    simple = aliases()
    unions = {name: shape for name, shape in zip(wanted, shapes, strict=True) if name not in structs}
    found: dict[str, Schema] = unions | referring(structs, simple, place)
    text = json.dumps(found)
    found |= {name: shape for name, shape in simple.items() if f'"{place}{name}"' in text}
    for name, shape in found.items():
        explain(name, shape)
    return found


def aliases() -> dict[str, Schema]:
    """The kinds of text that have a name in the sources. `Number` is left as it is: JavaScript has another one."""
    named = {name: alias for name, alias in NAMES.items() if get_origin(alias) in (Annotated, Literal)}
    shapes = {name: msgspec.json.schema(alias) for name, alias in named.items()}
    return {name: shape for name, shape in shapes.items() if shape.get("type") != "integer"}


def referring(shape: Any, simple: dict[str, Schema], place: str) -> Any:
    """The same with names instead of what they stand for."""
    if isinstance(shape, list):
        return [referring(one, simple, place) for one in shape]
    if not isinstance(shape, dict):
        return shape
    bare = {key: value for key, value in shape.items() if key != "default"}
    for name, meaning in simple.items():
        if bare == meaning:
            return {"$ref": place + name, **({"default": shape["default"]} if "default" in shape else {})}
    return {key: referring(value, simple, place) for key, value in shape.items()}


def explain(name: str, shape: Schema) -> None:
    """Adds what the sources say of each field."""
    for owner in reversed(getattr(NAMES.get(name), "__mro__", ())):
        for field, comment in COMMENTS.get(owner.__name__, {}).items():
            shape["properties"][sent_as(owner, field)]["description"] = comment


def sent_as(owner: type, field: str) -> str:
    """The name that the field has in JSON, where words can be used that Python keeps for itself."""
    return next(one.encode_name for one in msgspec.structs.fields(owner) if one.name == field)


def comments(code: ast.Module) -> dict[str, dict[str, str]]:
    """The sentences that stand under the fields of each class."""
    found: dict[str, dict[str, str]] = {}
    for owner in [node for node in code.body if isinstance(node, ast.ClassDef)]:
        for field, below in pairwise(owner.body):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(sentence))):
                    found.setdefault(owner.name, {})[name] = sentence
    return found


COMMENTS: Final = {
    owner: said for source in SOURCES for owner, said in comments(ast.parse(inspect.getsource(source))).items()
}

# OpenAPI ------------------------------------------------------------------------------------------

COMPONENTS: Final = "#/components/schemas/"
ANYTHING: Final[Schema] = {"type": "object"}


def openapi() -> Schema:
    """What can be asked over HTTP; the WebSocket has no place in it."""
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": str(PROTOCOL)},
        "jsonSchemaDialect": DIALECT,
        "paths": {
            "/api/tables": {
                "get": asking("The public tables that can be joined or watched.", named(Tables)),
                "post": changing("Opens a table; whoever does is its host.", Open),
            },
            "/api/tables/{table}/seats": {
                "parameters": [in_path("table", "string")],
                "post": changing("Takes a seat at a table.", Join),
            },
            "/api/tables/{table}/claims": {
                "parameters": [in_path("table", "string")],
                "post": changing("Takes over one's own seat on another device.", Claim),
            },
            "/api/tables/{table}/record": {
                "parameters": [in_path("table", "string")],
                "get": asking("The record of the latest game: whole once it is over, until then what one's seat knows."),
            },
            "/api/tables/{table}/records/{number}": {
                "parameters": [in_path("table", "string"), in_path("number", "integer")],
                "get": asking("The whole record of a game that is over."),
            },
            "/api/tables/{table}/records/{number}/film": {
                "parameters": [
                    in_path("table", "string"),
                    in_path("number", "integer"),
                    *in_query(FilmWish),
                ],
                "get": asking("How a game that is over stood after every move.", named(Film)),
            },
            "/api/games/{game}/book": {
                "parameters": [in_path("game", "string"), *in_query(BookWish)],
                "get": asking("All words of a game in one language: its cards, questions, notes and rules.", named(Book)),
            },
            "/api/games": {
                "get": asking("The games, with their options and bots.", {"type": "array", "items": ANYTHING}),
            },
            "/healthz": {"get": {"summary": "Whether the server can do its work.", "responses": HEALTH}},
            "/metrics": {"get": {"summary": "Measurements for Prometheus.", "responses": METRICS}},
        },
        "components": {"schemas": definitions(BODIES, COMPONENTS)},
    }


ORIGIN: Final[Schema] = {
    "name": "Origin",
    "in": "header",
    "required": True,
    "description": "The server's own origin; a change that comes from anywhere else is not carried out.",
    "schema": {"type": "string"},
}
PROOF: Final[Schema] = {
    "Set-Cookie": {"description": "What proves whose seat it is: `fuda-` and the table's id.", "schema": {"type": "string"}}
}
METRICS: Final[Schema] = {"200": {"description": "All of them.", "content": {"text/plain": {"schema": {"type": "string"}}}}}


def asking(summary: str, gives: Schema = ANYTHING) -> Schema:
    return {"summary": summary, "responses": {"200": {"description": "What was asked for.", **body(gives)}, **FAILURES}}


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


def in_query(wish: type) -> list[Schema]:
    shapes = msgspec.json.schema(wish)["$defs"][wish.__name__]["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": shape} for name, shape in shapes.items()]


FAILURES: Final[Schema] = {
    "4XX": {"description": "Why it was not carried out; nothing has changed.", **body(named(Failed))},
    "503": {"description": "Why it cannot be carried out just now.", **body(named(Failed))},
}
HEALTH: Final[Schema] = {
    "200": {"description": "It can.", **body(ANYTHING)},
    "503": {"description": "It cannot.", **body(ANYTHING)},
}

# Writing ------------------------------------------------------------------------------------------


def documents() -> dict[str, str]:
    """The published files: where they are, seen from the root of the sources, and what they say."""
    return {
        "docs/protocol.schema.json": json.dumps(schema(), indent=2) + "\n",
        "docs/openapi.json": json.dumps(openapi(), indent=2) + "\n",
        "web/src/lib/protocol.ts": typescript(schema()["$defs"]),
    }


if __name__ == "__main__":
    for name, content in documents().items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content)
