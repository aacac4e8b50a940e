"""How many calls somebody may make: at once, in the long run, and without what others do counting."""

from __future__ import annotations

import pytest

from services.common import buckets
from services.common.buckets import Bucket, host_of
from services.common.errors import Refused


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def taken(bucket: Bucket, who: str, most: int = 1000) -> int:
    """Take as many as there are."""
    for number in range(most):
        try:
            bucket.take(who)
        except Refused:
            return number
    return most


def test_so_many_at_once_and_then_at_a_steady_rate() -> None:
    time = Time()
    bucket = Bucket("calls", 10.0, 5, time)
    assert taken(bucket, "mio") == 5
    time.now += 0.1
    assert taken(bucket, "mio") == 1
    time.now += 0.3
    assert taken(bucket, "mio") == 3
    time.now += 3600
    assert taken(bucket, "mio") == 5


def test_what_others_do_does_not_count() -> None:
    bucket = Bucket("calls", 1.0, 3, Time())
    assert taken(bucket, "mio") == 3
    assert taken(bucket, "sora") == 3


def test_a_refusal_names_the_limit_and_when_it_is_worth_asking_again() -> None:
    time = Time()
    bucket = Bucket("calls_per_second", 0.5, 1, time)
    bucket.take("mio")
    with pytest.raises(Refused) as caught:
        bucket.take("mio")
    assert caught.value.reason == "TOO_MANY"
    assert caught.value.metadata == {"limit": "calls_per_second", "most": "0.5"}
    assert caught.value.retry_seconds == pytest.approx(2.0)
    time.now += 2.0
    bucket.take("mio")


def test_whoever_is_refused_waits_no_longer_for_having_asked() -> None:
    time = Time()
    bucket = Bucket("calls", 1.0, 1, time)
    assert taken(bucket, "mio") == 1
    for _ in range(100):
        assert taken(bucket, "mio") == 0
    time.now += 1.0
    assert taken(bucket, "mio") == 1


@pytest.mark.sources
def test_callers_without_number_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "MOST_KEYS", 10)
    bucket = Bucket("calls", 1.0, 1, Time())
    for number in range(100):
        bucket.take(f"p{number}")
    assert len(bucket) == 10


@pytest.mark.parametrize(
    ("peer", "host"),
    [("ipv4:127.0.0.1:5000", "ipv4:127.0.0.1"), ("ipv6:%5B::1%5D:5000", "ipv6:%5B::1%5D"), ("unix:", "unix")],
)
def test_a_client_is_known_by_its_host_and_not_by_its_port(peer: str, host: str) -> None:
    assert host_of(peer) == host
