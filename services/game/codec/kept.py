"""Records of matches on their way into a store and out of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from daifugo.v1 import record_pb2
from services.common.logs import log_bug
from services.game.codec.matches import occupants_of, record_to
from services.game.keeping import Belonging, KeptMatch
from services.game.records import Ended, Record


def kept_of(ended: Ended, versions: Sequence[Record]) -> list[KeptMatch]:
    """Return the record of a match to keep, of all its versions from the first to the last.

    There is none if that fails by a mistake: the match must be able to end all the same.
    """
    try:
        return [_kept(ended, versions)]
    except Exception as error:
        log_bug("record_not_kept", error, table_id=versions[-1].table_id, version=versions[-1].version)
        return []


def _kept(ended: Ended, versions: Sequence[Record]) -> KeptMatch:
    head = record_to(ended, versions)
    games = record_pb2.Record(games=head.games)
    head.ClearField("games")
    return KeptMatch(
        match_id=ended.match_id,
        table_id=versions[0].table_id,
        time=versions[-1].time,
        is_open=ended.is_open,
        belonging=tuple(_belonging(ended, versions)),
        head=head.SerializeToString(),
        games=games.SerializeToString(),
    )


def _belonging(ended: Ended, versions: Sequence[Record]) -> Iterable[Belonging]:
    for seat, occupants in enumerate(occupants_of(ended, versions)):
        for entry, (who, _) in enumerate(occupants):
            if who is not None:
                yield Belonging(who.identity, seat, entry)
    yield Belonging(ended.host)


def whole(kept: KeptMatch) -> record_pb2.Record:
    """Read a record; of one without its games only the head."""
    # of two messages one after the other the fields are put together
    return record_pb2.Record.FromString(kept.head + kept.games)


def running(ended: Ended, versions: Sequence[Record]) -> record_pb2.Record:
    """Write the record of a match that still runs, as far as it has come. It has everything: it is not to be sent."""
    record = record_to(ended, versions)
    record.ClearField("end_time")
    return record


def finished_games(record: record_pb2.Record) -> None:
    """Take the game out of a record that is not over."""
    kept = [game for game in record.games if game.places]
    del record.games[len(kept) :]


def without_name(kept: KeptMatch, identity: str) -> KeptMatch:
    """Return a record in which somebody's name does not stand any more, and which is not theirs any more."""
    head = record_pb2.Record.FromString(kept.head)
    for each in kept.belonging:
        if each.identity == identity and each.seat >= 0:
            head.seats[each.seat].players[each.entry].display_name = ""
    left = tuple([each for each in kept.belonging if each.identity != identity])
    return replace(kept, head=head.SerializeToString(), belonging=left)
