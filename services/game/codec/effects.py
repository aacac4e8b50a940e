"""What an action would bring about, in words."""

from __future__ import annotations

from typing import Final, cast

from daifugo.v1 import game_pb2
from engine import foreseeing as fore
from engine.catalogue import Text, entries
from engine.foreseeing import Effect

KINDS: Final[dict[int, Text]] = {
    fore.FLUSHES: Text("場が流れる", "the field is cleared"),
    fore.TURNS_STRENGTH: Text("強さの順が変わる", "the order of strength changes"),
    fore.LOCKS: Text("縛りがかかる", "a lock comes on"),
    fore.UNLOCKS: Text("縛りが解ける", "the lock is over"),
    fore.TURNS_DIRECTION: Text("順番の向きが変わる", "the direction turns"),
    fore.RESEATS: Text("席順が変わる", "the seats are in a new order"),
    fore.RESTS: Text("順番が飛ばされる", "somebody is skipped"),
    fore.MOVES_CARDS: Text("カードが動く", "cards change places"),
    fore.ASKS: Text("{who}が選ぶ", "{who} chooses"),
    fore.OPENS_WINDOW: Text("割り込まれるかもしれない", "others may counter"),
    fore.NOTES: Text("覚え書きが変わる", "it is noted"),
    fore.FINISHES: Text("{who}が上がる", "{who} goes out"),
    fore.FOULS: Text("{who}が反則上がりになる", "{who} goes out with a foul"),
    fore.FALLS: Text("{who}が都落ちする", "{who} falls"),
    fore.DEFEATS: Text("{who}が負けになる", "{who} is defeated"),
    fore.LEADS: Text("{who}が親になる", "{who} leads"),
    fore.ENDS_GAME: Text("ゲームが終わる", "the game ends"),
    fore.SHOWS: Text("カードが公開される", "cards are shown"),
}
"""What is said of each kind; its number is that of the published EffectKind."""


def rule_name(rule: str, locale: str) -> str:
    """Return what players call a rule, or a part of one."""
    entry = entries().get(rule) or entries().get(rule.partition(".")[0])
    return "" if entry is None else entry.name.ja if locale == "ja" else entry.name.en


def effect_to(effect: Effect, own: int, locale: str) -> game_pb2.Effect:
    """Write an effect for the seat `own`."""
    told = game_pb2.Effect(rule_id=effect.rule, kind=cast(game_pb2.EffectKind, effect.kind))
    if effect.seat >= 0:
        told.seat = effect.seat
    text = KINDS[effect.kind]
    if locale == "ja":
        what = text.ja.format(who="あなた" if effect.seat == own else f"席{effect.seat + 1}")
    else:
        what = text.en.format(who="your seat" if effect.seat == own else f"seat {effect.seat + 1}")
    name = rule_name(effect.rule, locale)
    told.text = f"{name}: {what}" if name else what
    return told
