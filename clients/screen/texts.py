"""What only the full screen says, in Japanese and in English, beside the texts of the line client."""

from __future__ import annotations

from typing import Final

from clients.cli.text import Text
from clients.cli.texts import TEXTS, Words

SCREEN: Final[dict[str, Text]] = {
    "title": Text("大富豪", "Daifugo"),
    "header.game": Text("第{game}ゲーム（全{games}）", "Game {game} of {games}"),
    "header.game.open": Text("第{game}ゲーム", "Game {game}"),
    "badge.revolution": Text("革命", "Revolution"),
    "badge.three": Text("3が強い", "3 is high"),
    "badge.king": Text("Kが強い", "K is high"),
    "badge.ace": Text("Aが強い", "A is high"),
    "badge.lock": Text("縛り {what}", "Lock {what}"),
    "badge.lost": Text("接続なし", "No connection"),
    "time.left": Text("残り{left}", "{left} left"),
    "time.bank": Text("予備{left}", "{left} in the bank"),
    "time.and_bank": Text("＋予備{left}", "and {left}"),
    "seats.head": Text("席", "Seats"),
    "seats.cards": Text("枚", "#"),
    "seats.title": Text("身分", "title"),
    "seats.points": Text("点", "pts"),
    "seats.clockwise": Text("上→下", "turns ↓"),
    "seats.anticlockwise": Text("下→上", "turns ↑"),
    "state.place": Text("{place}位", "place {place}"),
    "state.4": Text("{place}位 反則", "foul, {place}"),
    "state.5": Text("{place}位 都落ち", "fell, {place}"),
    "state.6": Text("{place}位 負け", "lost, {place}"),
    "state.free": Text("空席", "free"),
    "state.away": Text("離席", "away"),
    "state.stand_in": Text("代打ち", "stand-in"),
    "state.passed": Text("パス", "passed"),
    "state.rests": Text("休み{turns}", "rests {turns}"),
    "state.bank": Text("予備{left}", "bank {left}"),
    "state.choosing": Text("選択中", "choosing"),
    "state.counter": Text("割り込み？", "counter?"),
    "field.head": Text("場", "Field"),
    "field.discarded": Text("捨て札{count}", "discarded {count}"),
    "field.blinds": Text("伏せ札{count}", "face down {count}"),
    "field.stock": Text("山札{count}", "stock {count}"),
    "field.nothing": Text("（空）", "(empty)"),
    "field.leads": Text("{who}が親です。", "{who} lead{s}."),
    "field.lock": Text("縛り: {what}", "Lock: {what}"),
    "results.before": Text("前のゲーム:", "The game before:"),
    "results.row": Text("{place}位 {name} {title}", "{place}. {name}, {title}"),
    "waiting.table": Text("参加者を待っています。", "Waiting for players."),
    "watching.only": Text("観戦中です。", "You are watching."),
    "pick": Text("Space で取り、Enter で出します。", "Space picks, Enter plays."),
    "pick.answer": Text("Space で選び、Enter で答えます。", "Space picks, Enter answers."),
    "pick.or_nothing": Text(
        "Space で選び、Enter で答えます。p で何も選びません。", "Space picks, Enter answers; p chooses nothing."
    ),
    "ready": Text("Enter: {action}", "Enter: {action}"),
    "several": Text("Enter: 意味を選びます（{count}通り）。", "Enter: choose the meaning ({count} ways)."),
    "hint.screen": Text("ヒント {number}/{count} {ready}", "Hint {number}/{count}. {ready}"),
    "comes": Text("→ {effects}", "→ {effects}"),
    "not_now": Text("今は答えることがありません。", "Nothing is asked of you now."),
    "which.title": Text("どの意味ですか", "Which do you mean?"),
    "quit.title": Text("終了しますか", "Leave the game?"),
    "quit.yes": Text("終了する", "Leave"),
    "quit.no": Text("続ける", "Stay"),
    "help.title": Text("キー", "Keys"),
    "help.move": Text("←→↑↓ カーソル　　Home/End 端へ", "arrows: move the cursor; Home, End: to the ends"),
    "help.pick": Text(
        "Space・クリック 取る・戻す　　Enter 出す・答える　　Esc 全部戻す",
        "Space or click: pick, put back; Enter: play, answer; Esc: put all back",
    ),
    "help.ranks": Text(
        "3-9 0 j k a 2、Shift+Q: その数字のカードを1枚ずつ取る（0は10、* はジョーカー）",
        "3 to 9, 0, j, k, a, 2, Shift+Q: pick a card of that rank (0: ten; *: joker)",
    ),
    "help.pass": Text("p パス・見送り　　h/b ヒントの次・前", "p: pass; h, b: next hint, hint before"),
    "help.more": Text(
        "r ルール　　l 日本語・英語　　PgUp/PgDn できごと", "r: rules; l: Japanese, English; PgUp, PgDn: log"
    ),
    "help.leave": Text("q 終了　　Ctrl-C すぐに終了", "q: leave; Ctrl-C: leave at once"),
    "help.marks": Text(
        "下線のカードは出せます。[ ] は取ったカード、^ はカーソル。",
        "Cards with a line below can be played; [ ] are picked; ^ is the cursor.",
    ),
    "rules.all": Text("このテーブルのルール（{count}件）", "Rules of this table ({count})"),
    "end.title": Text("おわり", "The end"),
    "close": Text("Enter か Esc で閉じる", "Enter or Esc closes this"),
    "close.end": Text("Enter で終了", "Enter leaves"),
    "choose": Text("↑↓ で選び、Enter で決める。Esc で戻る", "arrows and Enter choose; Esc goes back"),
    "keys": Text(
        "Space取る Enter出す pパス hヒント rルール ?キー l English q終了",
        "Space pick  Enter play  p pass  h hint  r rules  ? keys  l 日本語  q quit",
    ),
}


def words(language: str) -> Words:
    """Return all words of the full screen in a language."""
    return Words(language, {**TEXTS, **SCREEN})
