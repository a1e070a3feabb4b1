"""The published schema matches what the server accepts and sends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fuda.protocol.schema import documents, openapi, schema
from tests.protocol.samples import DECODERS, KINDS, instances, scalars, values

ROOT = Path(__file__).parent.parent.parent
DEFINITIONS = schema()["$defs"]

every_kind = pytest.mark.parametrize(("name", "kind"), KINDS, ids=[f"{name}-{kind.__name__}" for name, kind in KINDS])


def fits(name: str, message: object) -> bool:
    return VALIDATORS[name].is_valid(message)


VALIDATORS = {name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFINITIONS}) for name in DECODERS}


def is_understood(name: str, message: object) -> bool:
    try:
        DECODERS[name].decode(json.dumps(message))
    except msgspec.ValidationError:
        return False
    return True


# The files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "content"), documents().items(), ids=documents())
def test_the_published_files_are_fresh(name: str, content: str) -> None:
    assert (ROOT / name).read_text() == content, "Run `python -m fuda.protocol.schema`."


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


def test_everything_that_is_referred_to_is_there() -> None:
    for defined, place in ((schema()["$defs"], "#/$defs/"), (openapi()["components"]["schemas"], "#/components/schemas/")):
        names = re.findall(r'"\$ref": "([^"]+)"', json.dumps(defined))
        assert {place + name for name in defined} >= set(names)


def test_the_sentences_under_fields_are_in_the_schema() -> None:
    assert DEFINITIONS["Play"]["properties"]["since"]["description"] == "The question that it answers: `Ask.since`."
    assert "description" in DEFINITIONS["Chair"]["properties"]["played_for"]


def test_the_interface_over_http_names_every_request() -> None:
    asked = {(method, path) for path, methods in openapi()["paths"].items() for method in methods if method != "parameters"}
    assert asked == {
        ("get", "/api/games"),
        ("get", "/api/tables"),
        ("post", "/api/tables"),
        ("post", "/api/tables/{table}/seats"),
        ("post", "/api/tables/{table}/claims"),
        ("get", "/api/tables/{table}/record"),
        ("get", "/api/tables/{table}/records/{number}"),
        ("get", "/api/tables/{table}/records/{number}/film"),
        ("get", "/api/games/{game}/book"),
        ("get", "/healthz"),
        ("get", "/metrics"),
    }
    for path, methods in openapi()["paths"].items():
        named = {one["name"] for one in methods.get("parameters", []) if one["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))


# The messages -------------------------------------------------------------------------------------


@every_kind
@settings(max_examples=25)
@given(data=st.data())
def test_a_message_arrives_as_it_was_sent_and_fits_the_schema(name: str, kind: type, data: st.DataObject) -> None:
    message = data.draw(instances(kind))
    sent = msgspec.json.encode(message)
    assert DECODERS[name].decode(sent) == message
    VALIDATORS[name].validate(json.loads(sent))


@every_kind
@settings(max_examples=50)
@given(data=st.data())
def test_the_schema_refuses_what_is_not_understood(name: str, kind: type, data: st.DataObject) -> None:
    message = json.loads(msgspec.json.encode(data.draw(instances(kind))))
    wrong = data.draw(changed(message))
    assert fits(name, wrong) == is_understood(name, wrong)


@st.composite
def changed(draw: st.DrawFn, message: dict[str, Any]) -> object:
    """The message with one thing else: a field less, a field more, another value, or something else altogether."""
    what = draw(st.sampled_from(["less", "more", "other", "deep", "all"]))
    keys = sorted(message)
    if what == "less" and keys:
        message.pop(draw(st.sampled_from(keys)))
    elif what == "more":
        message[draw(st.sampled_from(["kind", "id", "number", "seat", "x"]))] = draw(values)
    elif what == "other" and keys:
        message[draw(st.sampled_from(keys))] = draw(scalars)
    elif what == "deep":
        inner = [value for value in message.values() if isinstance(value, dict) and value]
        if inner:
            return message | {next(key for key in keys if message[key] is inner[0]): draw(changed(inner[0]))}
    elif what == "all":
        return draw(values)
    return message


@pytest.mark.parametrize("kind", ["hello", "welcome", "nothing", None, 7])
def test_a_kind_belongs_to_one_side(kind: object) -> None:
    message = {"kind": kind, "id": "1"}
    assert fits("FromClient", message) == is_understood("FromClient", message) == (kind == "hello")


PATTERNS = {name: shape["pattern"] for name, shape in DEFINITIONS.items() if "pattern" in shape}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
@settings(max_examples=5)
@given(data=st.data())
def test_a_pattern_means_the_same_in_every_language(pattern: str, data: st.DataObject) -> None:
    """Python's `$` alone lets a line end through; those of other languages do not."""
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    assert re.search(pattern, text + "\n") is None
