"""Tables, their settings, and requests that may be repeated."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any, cast

from google.protobuf.message import Message

from daifugo.v1 import game_pb2, view_pb2
from engine.ruleset import Ruleset
from services.common.auth import Caller
from services.common.errors import malformed
from services.common.names import proper_name
from services.common.times import time_to
from services.game.codec.positions import check_position
from services.game.codec.rulesets import pinned_to, ruleset_from
from services.game.codec.streams import cursor_to
from services.game.codec.views import seat_to, shuffle_to
from services.game.deals import deal_from
from services.game.eyes import eyes
from services.game.invites import grouped
from services.game.lengths import check_length, is_until_host_ends
from services.game.life import is_host
from services.game.opening import reserved_until, starts_by
from services.game.records import PUBLIC_PART, Answer, AutoStart, Occupant, Position, Reservation, Settings
from services.game.seeds import MOST_CLIENT_SEED
from services.game.table import Table

MOST_NAME = 80
MOST_REQUEST_ID = 64
MOST_SECONDS = 86400
MOST_GAMES = 1000
MOST_IDENTITY = 128
MOST_AUTO_SECONDS = 3600


def settings_from(request: game_pb2.CreateTableRequest, position: Position | None = None) -> Settings:
    """Read what a table is to be played by, or refuse it; `position` is where its matches begin."""
    ruleset = ruleset_from(request.ruleset)
    if request.durability not in game_pb2.Durability.values():
        raise malformed("durability", "その値はありません。", "There is no such value.")
    made = Settings(
        **_played_by(ruleset),
        **_length_from(request.format),
        **_clock_from(request.clock, ruleset.number("turn_time_limit")),
        relaxed=request.durability == game_pb2.DURABILITY_RELAXED,
        name=short_text("name", request.name, MOST_NAME),
        private=private_from(request.visibility),
        deal=deal_from("deal_number", request.deal_number),
        spectators=spectators_from(request.spectators, request.durability == game_pb2.DURABILITY_RELAXED),
        hints=hints_from(request.hints, not request.HasField("auto_start")),
        position=position,
    )
    check_position(made)
    return made


def updated_from(request: game_pb2.UpdateTableRequest, settings: Settings) -> Settings:
    """Read what a table is to be played by from now on, or refuse it."""
    changed: dict[str, Any] = {}
    if request.HasField("ruleset"):
        changed |= {**_played_by(ruleset_from(request.ruleset)), "position": None}
    if request.HasField("format"):
        changed |= _length_from(request.format)
    if request.HasField("clock"):
        changed |= _clock_from(request.clock, 0)
    if request.HasField("name"):
        changed["name"] = short_text("name", request.name, MOST_NAME)
    if request.HasField("deal_number"):
        changed["deal"] = deal_from("deal_number", request.deal_number)
        changed |= {"position": None} if changed["deal"] else {}
    if request.visibility:
        changed["private"] = private_from(request.visibility)
    if request.hints:
        changed["hints"] = hints_from(request.hints, settings.hints)
    if request.spectators:
        changed["spectators"] = spectators_from(request.spectators, settings.relaxed)
    after = replace(settings, **changed)
    check_length(after)
    check_position(after)
    return after


def _played_by(ruleset: Ruleset) -> dict[str, Any]:
    changes = tuple(ruleset.changes().items())
    return {"preset": ruleset.preset, "values": changes, "seats": ruleset.seats, "ruleset_hash": ruleset.hash}


def _length_from(form: game_pb2.MatchFormat) -> dict[str, Any]:
    named = [field.name for field, _ in form.ListFields() if field.name != "until_host_ends"]
    if form.until_host_ends and named:
        raise malformed(
            f"format.{named[0]}",
            "ホストが終えるまでの試合には長さを指定できません。",
            "A match that goes on until its host ends it has no length.",
        )
    lengths = {
        name: _at_least_one(f"format.{name}", getattr(form, name)) if form.HasField(name) else None
        for name in ("rounds", "sets", "games")
    }
    return {**lengths, "until_host_ends": form.until_host_ends}


def _clock_from(clock: game_pb2.Clock, turn_seconds: int) -> dict[str, Any]:
    turn = clock.turn_seconds if clock.HasField("turn_seconds") else turn_seconds
    choice = clock.choice_seconds if clock.HasField("choice_seconds") else 60
    idle = clock.idle_seconds if clock.HasField("idle_seconds") else 180
    return {
        "turn_seconds": _seconds("clock.turn_seconds", turn, 0),
        "choice_seconds": _seconds("clock.choice_seconds", choice, 1),
        "idle_seconds": _seconds("clock.idle_seconds", idle, 1),
        "bank_seconds": _bank_seconds(clock, turn),
        "bank_each_game": clock.bank_each_game and clock.bank_seconds > 0,
    }


def auto_start_from(request: game_pb2.CreateTableRequest, seats: int) -> AutoStart | None:
    """Read how a match is to begin by itself, if it is to; or refuse it."""
    if not request.HasField("auto_start"):
        return None
    asked = request.auto_start
    kept: list[Reservation] = []
    for number, each in enumerate(asked.reservations):
        field = f"auto_start.reservations[{number}]"
        if each.seat >= seats or each.seat in [other.seat for other in kept]:
            raise malformed(
                f"{field}.seat", "その席はないか、重複しています。", "There is no such seat, or it is named twice."
            )
        if not 1 <= len(each.identity) <= MOST_IDENTITY or each.identity in [other.identity for other in kept]:
            raise malformed(
                f"{field}.identity",
                f"1〜{MOST_IDENTITY}文字で、重複できません。",
                f"It must have 1 to {MOST_IDENTITY} characters and occur once.",
            )
        kept.append(Reservation(each.seat, each.identity, each.bot))
    return AutoStart(
        tuple(kept),
        _seconds("auto_start.reserved_seconds", asked.reserved_seconds, 1, MOST_AUTO_SECONDS),
        _seconds("auto_start.bot_seconds", asked.bot_seconds, 0, MOST_AUTO_SECONDS),
    )


def occupant_from(request: game_pb2.JoinTableRequest, who: Caller) -> Occupant:
    """Read who sits down, or refuse the name. What a token says of its owner counts before what the request says."""
    bot, name = who.is_bot(request.bot), who.who.display_name
    if name is None:
        name = proper_name("display_name", request.display_name, bot) if request.display_name else ""
    if len(request.client_seed) > MOST_CLIENT_SEED:
        raise malformed(
            "client_seed",
            f"{MOST_CLIENT_SEED}バイトまでです。",
            f"It has more than {MOST_CLIENT_SEED} bytes.",
        )
    return Occupant(who.identity, name, bot, request.client_seed)


def short_text(field: str, text: str, most: int) -> str:
    """Return a text, or refuse one that is too long or has unprintable characters."""
    if len(text) > most:
        raise malformed(field, f"{most}文字までです。", f"It has more than {most} characters.")
    if not text.isprintable():
        raise malformed(field, "使えない文字があります。", "It has characters that cannot be shown.")
    return text


def _at_least_one(field: str, number: int) -> int:
    if not 1 <= number <= MOST_GAMES:
        raise malformed(field, f"1〜{MOST_GAMES} にしてください。", f"It must be from 1 to {MOST_GAMES}.")
    return number


def _bank_seconds(clock: game_pb2.Clock, turn_seconds: int) -> int:
    bank = _seconds("clock.bank_seconds", clock.bank_seconds, 0)
    if bank and not turn_seconds:
        raise malformed("clock.bank_seconds", "1手の持ち時間が必要です。", "Without turn_seconds there is no bank.")
    return bank


def _seconds(field: str, number: int, least: int, most: int = MOST_SECONDS) -> int:
    if not least <= number <= most:
        raise malformed(field, f"{least}〜{most} 秒です。", f"It must be from {least} to {most} seconds.")
    return number


def answer_from(request: Message, request_id: str, method: str, caller: Caller) -> Answer:
    """Return what identifies a request that may be repeated, or refuse one without a proper request_id."""
    if not 1 <= len(request_id) <= MOST_REQUEST_ID:
        raise malformed(
            "request_id",
            f"1〜{MOST_REQUEST_ID}文字にしてください。",
            f"It must have 1 to {MOST_REQUEST_ID} characters.",
        )
    digest = sha256(request.SerializeToString(deterministic=True)).digest()
    return Answer(caller.identity, method, request_id, digest)


def private_from(visibility: int) -> bool:
    """Read who may find a table."""
    if visibility not in game_pb2.TableVisibility.values():
        raise malformed("visibility", "その値はありません。", "There is no such value.")
    return visibility == game_pb2.TABLE_VISIBILITY_PRIVATE


def hints_from(hints: int, usual: bool) -> bool:
    """Read whether players may ask what to do."""
    if hints not in game_pb2.Hints.values():
        raise malformed("hints", "その値はありません。", "There is no such value.")
    return hints == game_pb2.HINTS_ON if hints else usual


def spectators_from(spectators: int, relaxed: bool) -> int:
    """Read what those are to see who have no seat."""
    if spectators not in game_pb2.Spectators.values():
        raise malformed("spectators", "その値はありません。", "There is no such value.")
    if spectators == game_pb2.SPECTATORS_DELAYED and relaxed:
        raise malformed(
            "spectators",
            "DURABILITY_RELAXED とは併用できません。",
            "It does not go with DURABILITY_RELAXED.",
        )
    return spectators or PUBLIC_PART


def seat_kind_from(kind: int) -> int:
    """Read who a seat is to be for."""
    if kind not in (view_pb2.SEAT_KIND_OPEN, view_pb2.SEAT_KIND_PERSON, view_pb2.SEAT_KIND_BOT):
        raise malformed("kind", "席の種類を指定してください。", "It must say who the seat is for.")
    return kind


def policy_from(policy: str, known: str) -> str:
    """Read how a bot of the service is to decide, if one is wanted."""
    if policy and policy not in known.split(","):
        raise malformed("bot_policy", f"{known} のどれかにしてください。", f"It must be one of {known}.")
    return policy


def table_to(table: Table, caller: Caller) -> game_pb2.Table:
    """Write a table as its caller may see it."""
    life = table.shown
    settings, seat = life.settings, table.seat_shown(caller.identity)
    ruleset: Ruleset = life.program.ruleset
    message = game_pb2.Table(
        id=table.id,
        name=settings.name,
        state=cast(view_pb2.TableState, life.phase),
        ruleset=pinned_to(ruleset),
        format=game_pb2.MatchFormat(
            rounds=settings.rounds,
            sets=settings.sets,
            games=settings.games,
            until_host_ends=is_until_host_ends(settings),
        ),
        clock=game_pb2.Clock(
            turn_seconds=settings.turn_seconds,
            choice_seconds=settings.choice_seconds,
            idle_seconds=settings.idle_seconds,
            bank_seconds=settings.bank_seconds or None,
            bank_each_game=settings.bank_each_game,
        ),
        durability=game_pb2.DURABILITY_RELAXED if settings.relaxed else game_pb2.DURABILITY_STRICT,
        your_seat=seat if seat >= 0 else None,
        you_are_host=life.host == caller.identity,
        your_auto_pass=seat >= 0 and life.seats[seat].auto_pass and ruleset.bool("auto_pass"),
        match_id=life.match_id,
        create_time=time_to(life.created),
        cursor=cursor_to(table, eyes(life, caller.identity)),
        visibility=game_pb2.TABLE_VISIBILITY_PRIVATE if settings.private else game_pb2.TABLE_VISIBILITY_PUBLIC,
        deal_number=settings.deal or life.deal_shown,
        practice=bool(settings.deal) or settings.position is not None,
        spectators=cast(game_pb2.Spectators, settings.spectators),
        hints=game_pb2.HINTS_ON if settings.hints else game_pb2.HINTS_OFF,
        invite_code=grouped(life.code) if table.is_of(caller.identity) else "",
        shuffle=shuffle_to(life.shuffle),
    )
    for stamp, when in ((message.reserved_until, reserved_until(life)), (message.starts_by, starts_by(life))):
        if when is not None:
            stamp.CopyFrom(time_to(when))
    for number, row in enumerate(life.seats):
        connected = table.history.watchers.connected(number)
        message.seats.append(seat_to(number, row, is_host(life, number), connected))
    return message
