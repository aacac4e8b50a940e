"""Files of records: what is written is read again, whatever was played; what is none is refused, and where."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daifugo.v1 import record_pb2
from engine.cards import members
from engine.program import Program
from engine.record import Record as Played
from engine.record import replay
from services.common.errors import Refused
from services.game.codec.actions import action_to
from services.game.codec.again import checked
from services.game.codec.exports import BINARY, JSON_LINES, KIFU, NoRecords, exported, records_in
from services.game.codec.kifu.reading import NoKifu, read, read_all
from services.game.codec.kifu.writing import write
from services.game.codec.matches import replayable
from services.game.codec.rulesets import pinned_to
from services.game.seeds import match_key
from tests.engine.properties.draws import examples, names, tables
from tests.engine.tables import program
from tests.engine.test_record import SEED, recorded
from tests.faults.requests import Requests

R = record_pb2
FORMS = {"JSON lines": JSON_LINES, "binary": BINARY, "kifu": KIFU}


def message_of(played: Played, table: Program, rng: random.Random) -> R.Record:
    """Write a record of what was played, with whatever else a record may have."""
    message = R.Record(
        format=1,
        match_id="m",
        table_id="t",
        table_name=rng.choice(["", "卓", 'a "b" ；c', "x\ny"]),
        ruleset=pinned_to(table.ruleset),
        games_planned=played.games_planned,
        seed=played.seed,
        practice=rng.random() < 0.5,
        given_steps=rng.choice([None, 0, 7]),
    )
    if rng.random() < 0.5:
        message.commitment = rng.randbytes(32)
        message.client_seeds.extend([b"", b""])
    if rng.random() < 0.7:
        message.clock.turn_seconds, message.clock.bank_each_game = rng.randrange(90), rng.random() < 0.5
        message.clock.choice_seconds = 60
    if rng.random() < 0.7:
        message.start_time.FromMilliseconds(rng.randrange(10**12))
        message.end_time.FromNanoseconds(rng.randrange(10**18))
    for number in range(played.seats):
        seat = message.seats.add()
        for kind in range(rng.randrange(4)):
            name = rng.choice(["", "P", '名前"', "12手から", " ；"]) if kind < 3 else ""
            seat.players.add(kind=kind, display_name=name, from_step=rng.choice([0, number]))
    for game in played.games:
        to = message.games.add(after_ms=rng.randrange(10000), places=game.places, points=game.points)
        for hand in game.hands:
            to.deal.hands.add(cards=members(hand))
        to.deal.blinds.extend(members(game.blind))
        if not game.hands:
            to.ClearField("deal")
        for step in game.steps:
            by = rng.choice(R.StepBy.values())
            to.steps.add(seat=step.seat, action=action_to(step.action), by=by, after_ms=rng.randrange(10**6))
    if rng.random() < 0.8:
        message.result.is_whole = True
        message.result.ranks.extend(range(1, played.seats + 1))
        message.result.totals.extend([rng.randrange(-9, 9) for _ in range(played.seats)])
        message.result.conduct.add(time_outs=1, stood_in=2)
    return message


@examples(25)
@given(tables(), names)
def test_whatever_was_played_is_read_as_it_was_written(table: Program, name: str) -> None:
    played, _ = recorded(table, name)
    message = message_of(played, table, random.Random(name))
    assert read(write(message)) == message
    for form in FORMS.values():
        assert records_in(exported(message, form)) == [message]
    assert [moment.events for moment in replay(replayable(message))] == [m.events for m in replay(played)]


@pytest.fixture(scope="module")
def message() -> R.Record:
    table = program("jdf4", "seven_pass")
    made = message_of(recorded(table)[0], table, random.Random(5))
    made.result.is_whole = True
    return made


@pytest.mark.parametrize("form", FORMS)
def test_a_file_holds_one_record_after_the_other(form: str, message: R.Record) -> None:
    other = R.Record()
    other.CopyFrom(message)
    other.match_id = "another"
    data = b"".join([exported(each, FORMS[form], not n) for n, each in enumerate((message, other, message))])
    assert records_in(data) == [message, other, message]


def test_it_is_a_text_that_a_player_can_read(message: R.Record) -> None:
    text = write(message)
    lines = text.splitlines()
    assert lines[0] == "大富豪棋譜 1"
    assert "ルール：jdf4 4人" in lines
    assert "設定：seven_pass = はい" in lines
    assert any(line.startswith("第1ゲーム +") for line in lines)
    steps = [line for line in lines if line[:1].isdigit()]
    assert any("パス" in line for line in steps)
    assert any("；8切り" in line for line in steps)
    assert any("答え" in line and "；カード交換、" in line for line in steps), "cards of exchanges are named"
    first = message.games[0]
    assert f"順位：{' '.join(['ABCD'[seat] for seat in first.places])}" in lines


def test_comments_and_empty_lines_say_nothing(message: R.Record) -> None:
    lines = write(message).splitlines()
    loose = [f"{line} ；と言った" if line[:1].isdigit() and "；" not in line else line for line in lines]
    assert read("\ufeff" + "\r\n\r\n；メモ\r\n".join(loose)) == message


def changed(text: str, old: str, new: str) -> tuple[str, int]:
    """Change a text once; return it and the line of the change."""
    assert old in text
    return text.replace(old, new, 1), text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "ja", "en"),
    [
        ("大富豪棋譜 1", "大富豪棋譜 2", "形式 2 は読めません", "format 2 is not known"),
        ("試合：m", "試し：m", "「試し」という項目はありません", "there is no field 試し"),
        ("\n1 ", "\n2 ", "次は1手目です", "step 1 is next"),
        ("第1ゲーム", "第3ゲーム", "次は第1ゲームです", "game 1 is next"),
        ("ゲーム数：2", "ゲーム数：二", "「二」は数ではありません", "'二' is no number"),
        ("結果：完", "結果：済", "「完」か「途中」です", "it is 完 or 途中"),
        ("順位：", "順位：Z ", "席「Z」はありません", "there is no seat Z"),
        ("設定：seven_pass = はい", "設定：seven_pass", "「設定：名前 = 値」", "a setting is written"),
        ("\n席A：", "\n席C：", "席は順に並べます", "seats come in order"),
        ("第1ゲーム", "第一ゲーム", "読めない行です", "it cannot be read"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, ja: str, en: str, message: R.Record) -> None:
    text, line = changed(write(message), old, new)
    if old.startswith("\n"):
        line += 1
    with pytest.raises(NoKifu) as refused:
        read(text)
    assert refused.value.line == line
    assert refused.value.ja.startswith(f"{line}行目：")
    assert ja in refused.value.ja
    assert f"line {line}: " in refused.value.en
    assert en in refused.value.en


def test_a_card_that_there_is_not_is_named(message: R.Record) -> None:
    text = write(message)
    step = next(line for line in text.splitlines() if line[:1].isdigit() and "♠" in line.split(" +")[0])
    with pytest.raises(NoKifu, match="there is no card ♠1"):
        read(text.replace(step, step.replace("♠", "♠1 ♠", 1)))


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"{}x", b"\x05ab", b"\xff" * 9, "大富豪棋譜 1".encode()[:-1] + b"\xff"]
)
def test_data_without_records_is_refused(data: bytes) -> None:
    with pytest.raises(NoRecords) as refused:
        records_in(data)
    assert refused.value.ja
    assert refused.value.en


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("卓：x " + "[" * 3000, "a name is written as"),
        ('卓：x "\\ud800"', "a name is written as"),
        ('設定：a = "\\ud800"', "a name is written as"),
        ('席A：人 "\\ud800"', "a name is written as"),
        ("1 A   +1.000", "it cannot be read"),
        ("1 A " + " +1.000 <" * 7000, "the line is too long"),
    ],
    ids=range(6),
)
def test_no_line_is_a_mistake_of_the_reader(line: str, why: str) -> None:
    with pytest.raises(NoRecords, match=why):
        records_in(f"大富豪棋譜 1\n第1ゲーム +0.000\n{line}".encode())


@pytest.mark.parametrize("data", [b"{}\n" * 1001, b"\0" * 1001], ids=["json", "binary"])
def test_a_file_holds_no_more_records_than_can_be_read_in_one_go(data: bytes) -> None:
    assert len(records_in(data[: data.rindex(data[:1])])) == 1000
    with pytest.raises(NoRecords, match="more than 1000"):
        records_in(data)


@examples(60)
@given(st.integers(0, 10**9))
def test_damaged_files_are_refused_or_make_a_match(seed: int) -> None:
    table = program("jdf4", "seven_pass", hand_size=4)
    rng = random.Random(seed)
    requests = Requests(rng, {})
    message = message_of(recorded(table, games=1)[0], table, random.Random(1))
    message.client_seeds.clear()
    for form in FORMS.values():
        data = bytearray(exported(message, form))
        requests.damage(data)
        with suppress(NoRecords, Refused):
            for record in records_in(bytes(data)):
                list(checked(record))


def test_what_was_given_to_the_shuffle_counts() -> None:
    table = program("jdf4", hand_size=3)
    played, _ = recorded(table, games=1)
    message = message_of(played, table, random.Random(3))
    message.client_seeds[:] = [b"a", b"", b"", b""]
    assert replayable(message).seed == match_key(SEED, [b"a", b"", b"", b""]) != SEED
    assert replayable(read(write(message))) == replayable(message)


def test_several_records_of_text_are_told_apart(message: R.Record) -> None:
    assert read_all(write(message) + "\n" + write(message)) == [message, message]
    with pytest.raises(NoKifu, match="one record is wanted"):
        read(write(message) + write(message))
