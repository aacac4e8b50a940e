"""Settings of a ruleset as typed on the command line: `--rule id=value`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daifugo.v1 import rules_pb2

FLAGS: Final = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


class BadSetting(ValueError):
    """A setting cannot be read; the message says why."""


def setting(text: str, types: Mapping[str, rules_pb2.ValueType]) -> rules_pb2.Setting:
    """Read `id=value` as the kind of value that the setting takes. Whether there is such a setting the service says."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise BadSetting(f"--rule {text}: write it as id=value, such as eight_cut=off")
    kind = types.get(name, rules_pb2.VALUE_TYPE_UNSPECIFIED)
    try:
        if kind == rules_pb2.VALUE_TYPE_NUMBER:
            return rules_pb2.Setting(id=name, number=int(value))
        if kind == rules_pb2.VALUE_TYPE_NUMBERS:
            return rules_pb2.Setting(id=name, numbers=rules_pb2.Numbers(values=[int(v) for v in value.split(",") if v]))
        if kind != rules_pb2.VALUE_TYPE_WORD and value.lower() in FLAGS:
            return rules_pb2.Setting(id=name, flag=FLAGS[value.lower()])
    except ValueError:
        raise BadSetting(f"--rule {text}: {name} takes whole numbers, not {value!r}") from None
    return rules_pb2.Setting(id=name, word=value)
