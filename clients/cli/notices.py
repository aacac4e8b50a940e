"""What the terminal client says around a game: starting, waiting for others, and what has come to an end."""

from __future__ import annotations

from typing import Final

from clients.cli.text import Text

NOTICES: Final[dict[str, Text]] = {
    "starting": Text("準備しています。", "Starting."),
    "waiting_for_players": Text("テーブル {table} で参加者を待っています。", "Table {table}: waiting for players."),
    "join_with": Text("空いている席は{free}です。参加するコマンド:", "Free seats: {free}. To join, run:"),
    "table.head": Text("{table}（{preset}）: {state}", "{table} ({preset}): {state}"),
    "table.state.0": Text("不明", "unknown"),
    "table.state.1": Text("参加者を待っている", "waiting for players"),
    "table.state.2": Text("対戦中", "playing"),
    "table.state.3": Text("試合終了", "match over"),
    "table.state.4": Text("閉じている", "closed"),
    "table.seat": Text("  {number}: {who}", "  {number}: {who}"),
    "table.seat.host": Text("  {number}: {who}（ホスト）", "  {number}: {who} (host)"),
    "table.free.0": Text("空席", "free"),
    "table.free.1": Text("空席", "free"),
    "table.free.2": Text("空席（人用）", "free, for people"),
    "table.free.3": Text("空席（ボット用）", "free, for bots"),
    "table.code": Text("招待コード: {code}", "Invite code: {code}"),
    "table.none_own": Text(
        "あなたの卓はありません。だれであるかは --token か --identity で、ほかの卓は --table で示します。",
        "You have no table here. --token or --identity says who you are, and --table names another one.",
    ),
    "saved": Text(
        "棋譜を {path} に保存しました。daifugo replay {path} で見返せます。",
        "The record is in {path}: daifugo replay {path} shows the match again.",
    ),
    "not_saved": Text(
        "{path} には何も保存していません。終わった試合だけが棋譜になります。",
        "Nothing is saved to {path}: only a match that is over has a record.",
    ),
    "too_many_bots": Text("--bots {bots}: 空いている席は{free}です。", "--bots {bots}: there are {free} free seats."),
    "watching": Text("テーブル {table} を観戦しています。", "Watching table {table}."),
    "part_ended": Text("{name}が止まりました（{detail}）。", "{name} has stopped ({detail})."),
    "killed": Text("シグナル{number}で終了", "killed by signal {number}"),
    "exit_status": Text("終了コード{status}", "exit status {status}"),
    "part_restarted": Text("{name}が止まったので、もう一度動かしました。", "{name} had stopped and was started again."),
    "unreachable": Text("{address} のサーバーにつながりません。", "There is no answer from a service at {address}."),
    "service": Text("サーバー", "The service"),
    "matchmaker": Text("マッチメーカー", "The matchmaker"),
    "queue.many": Text("待ち行列を --queue で選んでください:", "Choose what to wait for, with --queue:"),
    "queue.row": Text(
        "  {id}: {name}、{seats}人、待っている人 {people}人", "  {id}: {name}. Seats: {seats}. Waiting: {people}."
    ),
    "queue.unknown": Text("--queue {id}: その待ち行列はありません。", "--queue {id}: there is no such queue."),
    "queue.size": Text(
        "--seats {wanted}: {name}の人数は{seats}です。", "--seats {wanted}: {name} is for {seats} players."
    ),
    "queue.waiting": Text(
        "対戦相手を待っています（{name}）。Ctrl-C でやめます。", "Waiting for players ({name}). Ctrl-C gives up."
    ),
    "queue.bots": Text(
        "{seconds}秒たってもそろわなければ、待っているボットが入ります。",
        "After {seconds} seconds bots that wait, too, take free seats.",
    ),
    "queue.paired": Text("対戦相手がそろいました。", "Players have been found."),
    "queue.queued": Text(
        "卓を用意できませんでした。同じ順番で待ち続けます。",
        "There was no table after all; still waiting, in the old place.",
    ),
    "queue.left": Text("待つのをやめました。", "No longer waiting."),
    "queue.returned": Text("前の席に戻ります。", "Back to the seat of before."),
    "queue.failed": Text(
        "この待ち行列の卓は作れません（{reason}）。", "Tables of this queue cannot be made ({reason})."
    ),
}
