"""Random messages, made from their types."""

from __future__ import annotations

import typing
from functools import cache
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from fuda.protocol import messages
from fuda.protocol.schema import BODIES

CLIENT = typing.get_args(messages.FromClient)
SERVER = typing.get_args(messages.FromServer)
KINDS: list[tuple[str, type[msgspec.Struct]]] = [
    *[("FromClient", kind) for kind in CLIENT],
    *[("FromServer", kind) for kind in SERVER],
    *BODIES.items(),
]
"""Everything that is sent, each with the definition that it must fit."""
DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    "FromClient": msgspec.json.Decoder(messages.FromClient),
    "FromServer": msgspec.json.Decoder(messages.FromServer),
    **{name: msgspec.json.Decoder(body) for name, body in BODIES.items()},
}

LARGE = 2**53
"""Beyond it some languages count wrongly."""

broken = st.floats(-1e9, 1e9).filter(lambda number: not number.is_integer())
"""No 1.0: to JSON Schema that is a whole number, to msgspec it is not."""
scalars = st.none() | st.booleans() | st.integers(-LARGE, LARGE) | broken | st.text(max_size=8)
values = st.recursive(
    scalars, lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=8), one, max_size=3), max_leaves=5
)


@cache
def instances(kind: type) -> st.SearchStrategy[Any]:
    """Any value of a type."""
    return made(inspect.type_info(kind))


def made(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.Metadata(type=described):
            return made(described)
        case inspect.StructType(cls=struct, fields=fields):
            return st.builds(struct, **{one.name: made(one.type) for one in fields})
        case inspect.UnionType(types=types):
            return st.one_of(*map(made, types))
        case inspect.LiteralType(values=allowed):
            return st.sampled_from(allowed)
        case inspect.StrType(pattern=str(pattern)):
            return st.from_regex(pattern, fullmatch=True)
        case inspect.StrType(min_length=least, max_length=most):
            return st.text(min_size=least or 0, max_size=min(most or 12, 12)) | st.just("x" * (most or 0))
        case inspect.IntType(ge=least, le=most):
            return st.integers(-LARGE if least is None else least, LARGE if most is None else most)
        case inspect.ListType(item_type=item):
            return st.lists(made(item), max_size=3)
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(made, items))
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(made(key), made(value), max_size=3)
    return OTHER[type(kind)]


OTHER: dict[type[inspect.Type], st.SearchStrategy[Any]] = {
    inspect.BoolType: st.booleans(),
    inspect.FloatType: broken,
    inspect.NoneType: st.none(),
    inspect.AnyType: values,
}
