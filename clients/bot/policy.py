"""What a policy is: something that decides for a seat, from its own view and what is legal there, and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from daifugo.v1 import view_pb2

Legal = Callable[[], Awaitable[list[view_pb2.Action]]]
"""Fetches the next page of the legal actions of the open decision; nothing after the last one."""


class Policy(Protocol):
    """Decides for a seat."""

    async def decide(self, view: view_pb2.View, legal: Legal) -> view_pb2.Action:
        """Answer `view.decision`."""
        ...


def answer(values: Sequence[int]) -> view_pb2.Action:
    return view_pb2.Action(answer=view_pb2.Answer(values=values))
