"""Calls that take too long end, each in its own time, and nothing else does."""

from __future__ import annotations

import asyncio

import pytest

from services.common.limit import Limit


async def call(limit: Limit, wait: asyncio.Future[None]) -> str:
    try:
        with limit.one():
            await wait
    except TimeoutError:
        return "late"
    return "done"


def never() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


async def test_calls_that_take_too_long_end_and_one_that_has_ended_is_left_alone() -> None:
    limit, ready = Limit(0.01), never()
    ready.set_result(None)
    ends = [await each for each in map(asyncio.create_task, [call(limit, way) for way in (never(), ready, never())])]
    assert ends == ["late", "done", "late"]
    # also once the timer has rung and nobody was there any more
    assert await call(limit, ready) == "done"
    assert await call(limit, never()) == "late"


async def test_a_call_that_is_cancelled_is_not_late() -> None:
    task = asyncio.create_task(call(Limit(1000.0), never()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_call_that_is_cancelled_while_it_ends_because_it_is_late_is_cancelled() -> None:
    limit, late = Limit(0.0), asyncio.Event()

    async def wait() -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            with limit.one():
                try:
                    await never()
                finally:
                    # its time is up, and now somebody else ends it too
                    task.cancel()
                    late.set()
        except TimeoutError:
            raise AssertionError("it was cancelled") from None

    task = asyncio.create_task(wait())
    await late.wait()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_timeout_of_what_is_called_stays_one() -> None:
    with pytest.raises(TimeoutError, match="own"), Limit(1000.0).one():
        raise TimeoutError("own")
