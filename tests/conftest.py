"""What holds for every test: properties are tried on the same examples each time, however long one takes."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("daifugo", deadline=None, derandomize=True, database=None)
settings.load_profile("daifugo")
