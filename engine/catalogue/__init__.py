"""What the rules are, as data: `rules/*.toml` by family, `presets.toml`, and the tables that several rules share."""

from engine.catalogue.load import entries, families, presets, settings, tables
from engine.catalogue.types import Condition, Entry, FoulRange, Preset, Setting, Tables, Text, Value

__all__ = [
    "Condition",
    "Entry",
    "FoulRange",
    "Preset",
    "Setting",
    "Tables",
    "Text",
    "Value",
    "entries",
    "families",
    "presets",
    "settings",
    "tables",
]
