"""TypeScript types from the JSON Schema of the protocol."""

from __future__ import annotations

import json
from typing import Any, Final

HEADING: Final = "// The types of docs/protocol.md, written by `python -m fuda.protocol.schema`: change them in Python."
SIMPLE: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def typescript(definitions: dict[str, Schema]) -> str:
    """A module with one exported type for each definition."""
    return "\n\n".join([HEADING, *(declared(name, shape) for name, shape in definitions.items())]) + "\n"


def declared(name: str, shape: Schema) -> str:
    if "properties" not in shape:
        meaning = "".join(f"\n  | {written(one)}" for one in shape["anyOf"]) if "anyOf" in shape else f" {written(shape)}"
        return f"{comment(shape)}export type {name} ={meaning};"
    fields = "".join(field(key, value, shape.get("required", [])) for key, value in shape["properties"].items())
    return f"{comment(shape)}export interface {name} {{\n{fields}}}"


def field(name: str, shape: Schema, required: list[str]) -> str:
    return f"{comment(shape, '  ')}  {name}{'' if name in required else '?'}: {written(shape)};\n"


def comment(shape: Schema, indent: str = "") -> str:
    """What the type says of itself, and its value where it is left out."""
    said = [shape[key] for key in ("description",) if key in shape]
    if shape.get("default") is not None:
        said.append(f"Left out: {json.dumps(shape['default'])}.")
    return f"{indent}/** {' '.join(said)} */\n" if said else ""


def written(shape: Schema) -> str:
    """The type as an expression."""
    if "$ref" in shape:
        return str(shape["$ref"]).rsplit("/", 1)[-1]
    if "enum" in shape:
        return " | ".join(json.dumps(one) for one in shape["enum"])
    if "anyOf" in shape:
        return " | ".join(written(one) for one in shape["anyOf"])
    kind = shape.get("type")
    if "prefixItems" in shape:
        return f"[{', '.join(map(written, shape['prefixItems']))}]"
    if kind == "array":
        return f"Array<{written(shape['items'])}>"
    if kind == "object":
        return f"Record<string, {written(shape.get('additionalProperties', {}))}>"
    return SIMPLE[kind] if kind else "unknown"
