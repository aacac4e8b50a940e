"""Messages written by hand where most of them are: fields of a message are joined by joining their bytes."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

LENGTH_DELIMITED: Final = 2
OF_FIXED_SIZE: Final = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)
WITH_LENGTH: Final = (FieldDescriptor.CPPTYPE_MESSAGE, FieldDescriptor.CPPTYPE_STRING)
SHORT: Final = 1 << 14
"""Numbers below this have two bytes at most."""


def _long(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)


_WRITTEN: Final = tuple([_long(value) for value in range(SHORT)])


def varint(value: int) -> bytes:
    """Write a number from 0."""
    return _WRITTEN[value] if value < SHORT else _long(value)


def tag_of(message: type[Message], field: str) -> bytes:
    """Return what stands in front of a field: its number, and whether a length follows or a number."""
    found = message.DESCRIPTOR.fields_by_name[field]
    if found.cpp_type in OF_FIXED_SIZE:
        raise TypeError(f"nobody writes {found.full_name} by hand")
    return varint(found.number << 3 | (LENGTH_DELIMITED if found.cpp_type in WITH_LENGTH else 0))


def inside(tag: bytes, body: bytes) -> bytes:
    """Write a field that holds a message."""
    size = len(body)
    return tag + (_WRITTEN[size] if size < SHORT else _long(size)) + body


def number(tag: bytes, value: int) -> bytes:
    """Write a field that holds a number from 0; 0 is what is not said."""
    return tag + varint(value) if value else b""


SECONDS: Final = b"\x08"
NANOS: Final = b"\x10"
_NANOS: Final = tuple([number(NANOS, milliseconds * 1_000_000) for milliseconds in range(1000)])


@lru_cache(maxsize=1024)
def _seconds(seconds: int) -> bytes:
    return number(SECONDS, seconds)


def time(seconds: float) -> bytes:
    """Write seconds since 1970, or a duration from 0, to the millisecond: the content of a Timestamp or a Duration."""
    milliseconds = int(seconds * 1000.0 + 0.5)
    return _seconds(milliseconds // 1000) + _NANOS[milliseconds % 1000]
