"""What `daifugo replay` and `daifugo records` say."""

from __future__ import annotations

from typing import Final

from clients.cli.text import Text

TEXTS: Final[dict[str, Text]] = {
    "at": Text("── {at}/{last}　第{game}ゲーム　{eyes}", "-- {at}/{last}, game {game}, {eyes}"),
    "eyes.all": Text("すべての手札", "every hand"),
    "eyes.public": Text("観戦者の目", "the eyes of a spectator"),
    "eyes.seat": Text("席{seat}の目", "the eyes of seat {seat}"),
    "help": Text(
        "Enter 次へ、b 前へ、数字 その版へ、g 2 第2ゲームへ、first、last、s A 席Aの目、all、public、"
        "t 効果の順番、q 終わり",
        "Enter next, b back, a number that version, g 2 to game 2, first, last, s A eyes of seat A, all, public, "
        "t trace, q quit",
    ),
    "no_file": Text("ファイル {path} がありません。", "There is no file {path}."),
    "too_large": Text("{path} は大きすぎます。", "{path} is too large."),
    "record": Text("{match}　{time}　{preset}　{players}", "{match}  {time}  {preset}  {players}"),
    "player": Text("{name}（{rank}位、{total}点）", "{name} ({rank}, {total} points)"),
    "nobody": Text("空席", "nobody"),
    "unnamed": Text("名前なし", "unnamed"),
    "broken_off": Text("（途中まで）", "(broken off)"),
    "none": Text("棋譜はありません。", "There are no records."),
    "none_own": Text(
        "あなたの棋譜はありません。だれであるかは --token か --identity で示します。"
        "ほかの人の棋譜は --all で見られます。",
        "You have no records here. --token or --identity says who you are; --all lists those of others.",
    ),
    "game": Text("第{number}ゲーム　{steps}手　{places}", "Game {number}  {steps} actions  {places}"),
    "good": Text(
        "{path}：{count}試合とも、ルールどおりに再現できました。", "{path}: every match can be replayed ({count})."
    ),
    "forgotten": Text(
        "このサービスの棋譜から、あなたの名前を消しました。", "Your name is in no record of this service any more."
    ),
}
"""Each in both languages."""
