"""A match played again from its record, at a table of its own: what happened is told as it was then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from daifugo.v1 import game_pb2, record_pb2
from engine.reasons import IllegalAction
from engine.record import CannotReplay, program_of, replay
from engine.record import Record as Played
from services.common.errors import FieldProblem, Refused
from services.common.times import seconds_of, time_to
from services.game import records as r
from services.game.codec.matches import BY, replayable
from services.game.codec.streams import frames_to
from services.game.codec.views import view_to
from services.game.deadlines import Limit
from services.game.frames import Frame, told_of
from services.game.life import RUNNING, Life, begin, follow

EPOCH: Final = 1
WHO: Final = {by: who for who, by in BY.items()}
NOBODY: Final = record_pb2.RecordPlayer.KIND_NOBODY


class Again:
    """A match that is played again, version by version; see `Visible`.

    A version is a deal, a step, or a change of seats. Raises Refused for a record that does not make a match here.
    """

    def __init__(self, record: record_pb2.Record) -> None:
        self.id = record.table_id
        self.version = 0
        self._record = record
        try:
            self._played = replayable(record)
            program_of(self._played)
            self._life = _filled(record, self._played)
        except CannotReplay as problem:
            raise not_replayable(problem) from None
        self._time = seconds_of(record.start_time)

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self._played.seats

    @property
    def size(self) -> int:
        """How many deals and steps there are."""
        return sum([len(game.steps) + 1 for game in self._played.games])

    def now(self) -> float:
        """Return when the version came to be."""
        return self._time

    def seen(self, viewer: int) -> Life:
        """Return the match at this version. Whoever sees with the eyes of a seat sees all that was its."""
        seats = tuple([replace(seat, since=0) for seat in self._life.seats])
        return self._life._replace(seats=seats)

    def connected(self, seat: int) -> bool:
        """Nobody is there."""
        return False

    def bank_shown(self, seat: int) -> int:
        """There are none."""
        return 0

    def limit_of(self, seat: int) -> Limit | None:
        """No clock runs."""
        return None

    def frames(self) -> Iterator[Frame]:
        """Go on version by version."""
        for time, operation in self._operations():
            self._time = time
            self.version += 1
            try:
                self._life, events = follow(self._life, operation)
            except IllegalAction as error:
                raise not_replayable(_against_the_rules(self.version, error)) from None
            except ValueError as error:
                raise not_replayable(_not_dealt(self.version, error)) from None
            acted = operation if isinstance(operation, r.Acted) else None
            told = told_of(self._life, tuple(events), {}, frozenset(), acted, shows_hands=True)
            yield Frame(EPOCH, self.version, self._time, told)

    def _operations(self) -> Iterator[tuple[float, r.Operation]]:
        """Iterate over what happened, and when."""
        record, games, time, steps = self._record, self._played.games, self._time, 0
        coming = _changes(record, self._played.seats)
        for game, played in zip(record.games, games):
            time += game.after_ms / 1000
            yield time, (r.GameStarted() if steps or game is not record.games[0] else _start(record, self._played))
            for step, taken in zip(game.steps, played.steps):
                while coming and coming[0][0] <= steps:
                    yield time, coming.pop(0)[1]
                time += step.after_ms / 1000
                decision = self._life.state.decisions[step.seat] if step.seat < self._played.seats else 0
                yield time, r.Acted(step.seat, decision, taken.action, WHO.get(step.by, r.BY_SEAT))
                steps += 1
        for _, operation in coming:
            yield time, operation
        if record.HasField("end_time") and self._life.phase == RUNNING:
            yield time, (r.Shortened() if record.result.is_whole else r.Closed())

    # --- as messages -------------------------------------------------------------------------------------------------

    def snapshot(self, viewer: int) -> bytes:
        """Write the match as somebody sees it at this version."""
        snapshot = game_pb2.Snapshot(
            reason=game_pb2.SNAPSHOT_REASON_NO_CURSOR,
            cursor=game_pb2.Cursor(epoch=EPOCH, version=self.version),
            view=view_to(self, viewer),
            time=time_to(self._time),
        )
        return _response(game_pb2.WatchResponse(snapshot=snapshot).SerializeToString())


TOGETHER: Final = 16
"""How many steps are made again before others get a turn."""


def checked(record: record_pb2.Record) -> Iterator[int]:
    """Play a match again to see that it is what its record says; refuse it otherwise. It may be left off between."""
    try:
        for moment in replay(replayable(record)):
            if moment.number % TOGETHER == 0:
                yield moment.number
    except CannotReplay as problem:
        raise not_replayable(problem) from None


def told(frame: Frame, viewer: int) -> bytes:
    """Write a version as somebody sees it."""
    return _response(frames_to([frame], viewer, frame.time))


def _response(message: bytes) -> bytes:
    return record_pb2.StreamRecordResponse(message=game_pb2.WatchResponse.FromString(message)).SerializeToString()


def not_replayable(problem: CannotReplay) -> Refused:
    """Refuse a record that does not make a match here, and say why."""
    return Refused("RECORD_NOT_REPLAYABLE", fields=[FieldProblem("record", problem.ja, problem.en)])


def _against_the_rules(version: int, error: IllegalAction) -> CannotReplay:
    return CannotReplay(f"{version}番目の手が反則です（{error}）", f"version {version} is against the rules: {error}")


def _not_dealt(version: int, error: ValueError) -> CannotReplay:
    return CannotReplay(f"{version}番目で配れません（{error}）", f"version {version} cannot be dealt: {error}")


def _filled(record: record_pb2.Record, played: Played) -> Life:
    """Return the table before the match."""
    settings = r.Settings(
        preset=played.preset,
        values=played.values,
        seats=played.seats,
        ruleset_hash=played.ruleset_hash,
        rounds=None,
        sets=None,
        games=None,
        turn_seconds=0,
        choice_seconds=0,
        idle_seconds=0,
        relaxed=False,
        name=record.table_name,
        deal=record.deal_number if record.practice else "",
        spectators=r.HANDS,
        position=_position(record, played),
    )
    life = begin(r.Created(settings, ""), seconds_of(record.start_time))
    for number, seat in enumerate(record.seats[: played.seats]):
        if seat.players and seat.players[0].kind != NOBODY:
            given = record.client_seeds[number] if number < len(record.client_seeds) else b""
            life, _ = follow(life, r.SeatTaken(number, _occupant(number, 0, seat.players[0], given)))
    return life


def _position(record: record_pb2.Record, played: Played) -> r.Position | None:
    """Return how a match for analysis began: with which hands. The steps that were given are told one by one."""
    if not record.HasField("given_steps"):
        return None
    return r.Position(played.seed, tuple([replace(game, steps=()) for game in played.games[:1] if game.hands]))


def _start(record: record_pb2.Record, played: Played) -> r.MatchStarted:
    given = tuple(record.client_seeds)
    return r.MatchStarted(record.match_id, record.seed, played.games_planned, record.deal_number, given)


def _changes(record: record_pb2.Record, seats: int) -> list[tuple[int, r.Operation]]:
    """List the changes of seats, each with how many steps come before."""
    found: list[tuple[int, r.Operation]] = []
    for number, seat in enumerate(record.seats[:seats]):
        for entry, player in enumerate(seat.players[1:], 1):
            if player.kind == NOBODY:
                found.append((player.from_step, r.SeatLeft(number, "")))
            else:
                found.append((player.from_step, r.SeatTaken(number, _occupant(number, entry, player))))
    return sorted(found, key=lambda change: change[0])


def _occupant(number: int, entry: int, player: record_pb2.RecordPlayer, given: bytes = b"") -> r.Occupant:
    is_bot = player.kind == record_pb2.RecordPlayer.KIND_BOT
    return r.Occupant(f"{number}.{entry}", player.display_name, is_bot, given)
