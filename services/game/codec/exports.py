"""Records in files: JSON lines, a compact binary, and 棋譜. Each holds one record or several, and is read again."""

from __future__ import annotations

from typing import Final

from google.protobuf.json_format import MessageToJson, Parse, ParseError
from google.protobuf.message import DecodeError

from daifugo.v1 import record_pb2
from services.game.codec.kept import whole
from services.game.codec.kifu.reading import NoKifu, read_all
from services.game.codec.kifu.words import TITLE
from services.game.codec.kifu.writing import write
from services.game.codec.wire import varint
from services.game.keeping import KeptMatch

Record = record_pb2.Record

JSON_LINES: Final = 1
BINARY: Final = 2
KIFU: Final = 3
"""Numbers of the published RecordFormat."""


MOST_RECORDS: Final = 1000
"""In a file that is read. Empty ones would make a small file much work."""


class NoRecords(ValueError):
    """Data that holds no records, and why, in both languages."""

    def __init__(self, ja: str, en: str) -> None:
        super().__init__(en)
        self.ja = ja
        self.en = en


def exported(record: record_pb2.Record, form: int, is_first: bool = True) -> bytes:
    """Write a record as a part of a file: what is written one after the other is a file of all of them."""
    if form == JSON_LINES:
        return MessageToJson(record, indent=None, ensure_ascii=False).encode() + b"\n"
    if form == BINARY:
        body = record.SerializeToString(deterministic=True)
        return varint(len(body)) + body
    return ("" if is_first else "\n").encode() + write(record).encode()


def pieces(kept: KeptMatch, form: int, is_first: bool, most: int) -> tuple[list[bytes], int]:
    """Write a record of the store as pieces of a file, as messages; return them, and how large the match is."""
    record = whole(kept)
    data = exported(record, form, is_first)
    cut = [data[at : at + most] for at in range(0, len(data), most)]
    return [record_pb2.ExportRecordsResponse(data=part).SerializeToString() for part in cut], size_of(record)


def size_of(record: record_pb2.Record) -> int:
    """Return how many deals and steps a match has."""
    return sum([len(game.steps) + 1 for game in record.games])


def records_in(data: bytes) -> list[record_pb2.Record]:
    """Read a file, whichever of the three it is; raise NoRecords."""
    if data.lstrip(b"\xef\xbb\xbf \r\n").startswith(TITLE.encode()):
        try:
            return read_all(data.decode())
        except NoKifu as problem:
            raise NoRecords(problem.ja, problem.en) from None
        except UnicodeDecodeError:
            raise NoRecords("UTF-8 ではありません", "it is not UTF-8") from None
    return _from_json(data) if data.lstrip().startswith(b"{") else _from_binary(data)


def _from_json(data: bytes) -> list[record_pb2.Record]:
    found: list[Record] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            _check_room(found)
            try:
                found.append(Parse(line.decode(), record_pb2.Record()))
            except (ParseError, UnicodeDecodeError) as problem:
                raise NoRecords(f"{number}行目：{problem}", f"line {number}: {problem}") from None
    return found


def _from_binary(data: bytes) -> list[record_pb2.Record]:
    found: list[Record] = []
    at = 0
    while at < len(data):
        _check_room(found)
        size, begins = _read_varint(data, at)
        at = begins + size
        try:
            if at > len(data):
                raise DecodeError
            found.append(record_pb2.Record.FromString(data[begins:at]))
        except DecodeError:
            number = len(found) + 1
            raise NoRecords(f"{number}番目の棋譜が壊れています", f"record {number} is damaged") from None
    if not found:
        raise NoRecords("空です", "it is empty")
    return found


def _check_room(found: list[Record]) -> None:
    if len(found) == MOST_RECORDS:
        raise NoRecords(f"棋譜は{MOST_RECORDS}個までです", f"there are more than {MOST_RECORDS} records")


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Read a length; return it, and where what has it begins."""
    size = shift = 0
    while at < len(data) and shift < 35:
        size |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return size, at
    return len(data), at
