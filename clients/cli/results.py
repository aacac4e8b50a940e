"""Results of games and matches as lines, one a seat, best first."""

from __future__ import annotations

from typing import Final

from clients.cli.people import People
from clients.cli.texts import Words
from daifugo.v1 import view_pb2

REMARKS: Final = {
    view_pb2.STANDING_FOULED: "remark.foul",
    view_pb2.STANDING_FALLEN: "remark.fell",
    view_pb2.STANDING_DEFEATED: "remark.defeated",
}


def game_result(words: Words, people: People, view: view_pb2.View, ended: view_pb2.GameEnded) -> list[str]:
    """Tell the places, titles and points of a game."""
    return [words("game_ended", game=view.game), *[_row(words, people, view, result) for result in ended.results]]


def _row(words: Words, people: People, view: view_pb2.View, result: view_pb2.GameResult) -> str:
    remark = "remark.drawn" if result.drawn else REMARKS.get(result.standing)
    return words(
        "game_ended.row",
        place=result.place,
        name=people.name(view, result.seat),
        title=words.numbered("title", result.title),
        points=result.points,
        total=result.total,
        remark=words(remark) if remark else "",
    )


def match_result(words: Words, people: People, view: view_pb2.View, ended: view_pb2.MatchEnded) -> list[str]:
    """Tell ranks and points of a match."""
    rows = [
        _with_faults(
            words,
            words("match_ended.row", rank=result.rank, name=people.name(view, result.seat), total=result.total),
            result.conduct,
        )
        for result in ended.results
    ]
    return [words("match_ended"), *rows]


def _with_faults(words: Words, row: str, conduct: view_pb2.Conduct) -> str:
    """Say for how many answers of a seat its player was not there."""
    counts = {"time_outs": conduct.time_outs, "stood_in": conduct.stood_in}
    faults = [words(f"conduct.{name}", count=count) for name, count in counts.items() if count]
    return words("conduct", row=row, faults=words.listed(faults)) if faults else row
