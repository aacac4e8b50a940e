"""Requests that nobody in their right mind would send: any message of a kind, and any bytes near it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

MOST_DEPTH: Final = 4
TEXTS: Final = ("", " ", "x", "大富豪", "\0", "a\nb", "🂡" * 30, "x" * 65, "x" * 5000, "-1", "../../etc/passwd", "%s{0}")
NUMBERS: Final = (0, 1, 2, 3, 4, 7, 12, 13, 52, 53, 54, 107, 108, 200, 201, 1000, 2**31 - 1)
SELDOM: Final = frozenset({"position"})
"""Fields that go together with hardly any other."""
F = FieldDescriptor


class Requests:
    """Draws requests. `known` has values that mean something to the service, such as ids of tables, by field name."""

    def __init__(self, rng: random.Random, known: Mapping[str, Sequence[Any]]) -> None:
        self.rng = rng
        self.known = known

    def any(self, kind: Descriptor) -> bytes:
        """Draw a request of a kind: mostly one that can be read, sometimes damaged, sometimes no message at all."""
        data = bytearray(self.filled(kind).SerializeToString())
        if self.rng.random() < 0.3:
            self.damage(data)
        return bytes(data) if self.rng.random() < 0.98 else self.rng.randbytes(self.rng.randrange(100))

    def filled(self, kind: Descriptor, depth: int = 0) -> Message:
        """Fill some fields of a message."""
        message = GetMessageClass(kind)()
        for field in kind.fields:
            if self.rng.random() < (0.9 if field.name in SELDOM else 0.25 if depth else 0.1):
                continue
            if field.is_repeated:
                number = self.rng.choice([0, 0, 0, 1, 2, 3, 5, 13, 200])
                for _ in range(min(number, 3) if depth > 1 else number):
                    self._add(message, field, depth)
            else:
                self._set(message, field, depth)
        return message

    def damage(self, data: bytearray) -> None:
        """Change, cut out, or repeat some bytes."""
        for _ in range(self.rng.randrange(1, 4)):
            where = self.rng.randrange(len(data) + 1)
            what = self.rng.random()
            if what < 0.4 and where < len(data):
                data[where] = self.rng.randrange(256)
            elif what < 0.6:
                del data[where : where + self.rng.randrange(1, 9)]
            elif what < 0.8:
                data[where:where] = self.rng.randbytes(self.rng.randrange(1, 9))
            else:
                data += data[where : where + 40]

    def _add(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        values: Any = getattr(message, field.name)
        if field.type == F.TYPE_MESSAGE:
            if depth < MOST_DEPTH and field.message_type is not None:
                values.append(self.filled(field.message_type, depth + 1))
        else:
            values.append(self._value(field))

    def _set(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if field.type == F.TYPE_MESSAGE:
            if depth < MOST_DEPTH and field.message_type is not None:
                getattr(message, field.name).CopyFrom(self.filled(field.message_type, depth + 1))
        else:
            setattr(message, field.name, self._value(field))

    def _value(self, field: FieldDescriptor) -> Any:
        rng = self.rng
        if (known := self.known.get(field.name)) and rng.random() < 0.85:
            return rng.choice(known)
        if field.type == F.TYPE_STRING:
            return rng.choice(TEXTS)
        if field.type == F.TYPE_BYTES:
            return rng.randbytes(rng.randrange(20))
        if field.type == F.TYPE_BOOL:
            return rng.random() < 0.5
        if field.type == F.TYPE_ENUM:
            assert field.enum_type is not None
            return rng.choice([*[value.number for value in field.enum_type.values], 9999])
        if field.type in (F.TYPE_FLOAT, F.TYPE_DOUBLE):
            return rng.choice([0.0, 1.5, -1.0, float("inf"), float("nan")])
        signed = field.type in (F.TYPE_INT32, F.TYPE_INT64, F.TYPE_SINT32, F.TYPE_SINT64)
        return -rng.choice(NUMBERS) if signed and rng.random() < 0.2 else rng.choice(NUMBERS)
