"""The words of the rule book that are not the catalogue's: what a position, an action and an outcome are called."""

from __future__ import annotations

from typing import Final

from engine.catalogue import Text

SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
JOKER: Final = Text("ジョーカー", "joker")
NOBODY: Final = Text("なし", "nobody")
NO_CARDS: Final = Text("なし", "none")

PHASES: Final = {
    "response": Text("8切りに返せる番", "The eight cut may be answered"),
    "exchange": Text("カード交換", "The card exchange"),
    "after_exchange": Text("カード交換のあと", "After the card exchange"),
    "deal": Text("配札", "The deal"),
    "start": Text("ゲームの始まり", "The start of a game"),
    "rank": Text("ゲームの終わり", "The end of a game"),
    "score": Text("得点", "The points of a game"),
    "match_end": Text("対戦の終わり", "The end of a match"),
}
WHOLE: Final = {
    "deal": Text("配る", "The cards are dealt"),
    "deal order": Text("配る", "The cards are dealt"),
    "start": Text("ゲームを始める", "The game starts"),
    "exchange": Text("全員が交換する", "All exchanges are made"),
    "tenpenchii": Text("配り終わる", "The deal is over"),
    "antitrust": Text("交換が終わる", "The exchange is over"),
    "rank": Text("順位が決まる", "The places are settled"),
    "score": Text("点を数える", "Points are counted"),
    "match result": Text("合計を比べる", "The totals are compared"),
}
STEPS: Final = {
    "play": Text("{who}が{cards}を出す", "{who} plays {cards}"),
    "as": Text("{who}が{cards}を{shape}として出す", "{who} plays {cards} as a {shape}"),
    "pass": Text("{who}がパスする", "{who} passes"),
    "draw": Text("{who}が山札から引く", "{who} draws from the stock"),
    "give": Text("{who}が{cards}を渡す", "{who} gives {cards}"),
    "give to": Text("{who}が{to}に{cards}を渡す", "{who} gives {cards} to {to}"),
    "pass-on": Text("{who}が{cards}を次の人に渡す", "{who} passes {cards} on"),
    "discard": Text("{who}が{cards}を捨てる", "{who} discards {cards}"),
    "take": Text("{who}が捨て札から{cards}を取る", "{who} takes {cards} from the discard pile"),
    "add": Text("{who}が{cards}を足す", "{who} adds {cards}"),
    "dump": Text("{who}が{cards}を捨てる", "{who} throws off {cards}"),
    "name": Text("{who}が{cards}を言う", "{who} names {cards}"),
    "choose": Text("{who}が{cards}を選ぶ", "{who} chooses {cards}"),
    "seats": Text("{who}が席順を{cards}と決める", "{who} seats everybody anew: {cards}"),
}
SHAPES: Final = {
    "triple": Text("3枚組", "triple"),
    "stair": Text("階段", "sequence"),
    "emperor": Text("エンペラー", "emperor"),
    "arithmetic": Text("等差数列", "arithmetic sequence"),
}
CHOSEN: Final = {"yes": Text("「はい」", "yes"), "no": Text("「いいえ」", "no"), "none": Text("何も", "nothing")}

STATE: Final = {
    "players": Text("{0}人", "{0} players"),
    "game first": Text("最初のゲーム", "The first game"),
    "game last": Text("最後のゲーム", "The last game"),
    "game": Text("{0}ゲーム目", "Game {0}"),
    "passes": Text("ここまで{0}回続けてパス", "{0} passes in a row so far"),
    "set": Text("{0}セット目", "Set {0}"),
    "round": Text("{0}ラウンド目", "Round {0}"),
    "prev": Text("前のゲームの順位: {0}", "Places of the previous game: {0}"),
    "prev2": Text("その前のゲームの順位: {0}", "Places of the game before that: {0}"),
    "last": Text("最後のゲームの順位: {0}", "Places of the last game: {0}"),
    "totals": Text("合計点: {0}", "Totals: {0}"),
    "out": Text("上がった人: {0}", "Finished: {0}"),
    "foul": Text("反則で上がった人: {0}", "Out by a foul: {0}"),
    "fell": Text("都落ちした人: {0}", "Fallen: {0}"),
    "defeated": Text("負けた人: {0}", "Defeated: {0}"),
    "fell_last": Text("前のゲームで都落ちした人: {0}", "Fell in the previous game: {0}"),
    "finished_before": Text("その人より先に上がった人: {0}", "Finished before: {0}"),
    "spade_seat": Text("スペードの席: {0}", "The spade seat: {0}"),
    "first_turn": Text("{0}の最初の番", "The first turn of {0}"),
    "rev 1": Text("革命中", "A revolution is on"),
    "back 1": Text("バック中", "A back is on"),
    "order A..K": Text("強さはAからKの順", "The order runs from A to K"),
    "dir ccw": Text("反時計回り", "Counterclockwise"),
    "lock": Text("縛り: {0}", "Locked: {0}"),
    "passed": Text("パスした人: {0}", "Passed: {0}"),
    "field": Text("場（古い順）: {0}", "Field, the oldest first: {0}"),
    "hand": Text("{1}の手札: {0}", "Hand of {1}: {0}"),
    "discard": Text("捨て札: {0}", "Discard pile: {0}"),
    "blind": Text("ブラインドカード: {0}", "Blind cards: {0}"),
    "stock": Text("山札: {0}枚", "Stock: {0} cards"),
    "turn": Text("{0}の番", "Turn of {0}"),
    "exchange_done 0": Text("どの交換もまだ終わっていない", "No exchange is complete"),
    "damian 1": Text("ダミアンが続いている", "Damian is on"),
    "enhanced 1": Text("強化11バックが続いている", "The enhanced jack back is on"),
    "keep_down 1": Text("1つずつ下げている最中", "Only further steps down are legal"),
    "lucky": Text("{0}がラッキーセブンを狙っている", "{0} may win by lucky seven"),
    "arthur 1": Text("アーサーが起きたあと", "Arthur has happened"),
}
"""What there is: by key, or by key and value."""

OUTCOME: Final = {
    "legal True": Text("できる", "It is legal"),
    "legal False": Text("できない", "It is refused"),
    "reading": Text("{0}とみなす", "It is read as {0}"),
    "next": Text("次は{0}の番", "{0} is next"),
    "next by lot": Text("次はくじで決まる", "Who is next is decided by lot"),
    "flush True": Text("場が流れる", "The field is flushed"),
    "flush False": Text("場は流れない", "The field is not flushed"),
    "field_top": Text("場の一番上: {0}", "On top of the field: {0}"),
    "rev 1": Text("革命中になる", "A revolution is on"),
    "rev 0": Text("革命中ではない", "No revolution is on"),
    "back 1": Text("バック中になる", "A back is on"),
    "back 0": Text("バックは残らない", "No back is on"),
    "dir ccw": Text("反時計回りになる", "Play goes counterclockwise"),
    "dir cw": Text("時計回りになる", "Play goes clockwise"),
    "order A..K": Text("強さがAからKの順になる", "The order runs from A to K"),
    "order": Text("順番: {0}", "In this order: {0}"),
    "lock": Text("縛り: {0}", "Locked: {0}"),
    "lock -": Text("縛りはない", "Nothing is locked"),
    "passed": Text("パスした人: {0}", "Passed: {0}"),
    "finish": Text("{0}が上がる", "{0} finishes"),
    "finish None": Text("誰も上がらない", "Nobody finishes"),
    "foul True": Text("反則になる", "It is a foul"),
    "foul False": Text("反則ではない", "It is no foul"),
    "place": Text("順位は{0}位", "The place is {0}"),
    "fell": Text("{0}が落ちる", "{0} falls"),
    "fell None": Text("誰も落ちない", "Nobody falls"),
    "defeated": Text("{0}が負けになる", "{0} is defeated"),
    "ranks": Text("順位: {0}", "Places: {0}"),
    "game_over True": Text("ゲームが終わる", "The game is over"),
    "game_over False": Text("ゲームは続く", "The game goes on"),
    "still_playing": Text("まだ続ける人: {0}", "Still playing: {0}"),
    "hands": Text("手札: {0}", "Hands: {0}"),
    "sizes": Text("手札の枚数: {0}", "Cards in hand: {0}"),
    "discard": Text("捨て札に入る札: {0}", "On the discard pile: {0}"),
    "laid_away": Text("伏せて除く札: {0}", "Laid away: {0}"),
    "window False": Text("誰も返せない", "Nobody is asked for a counter"),
    "choice None": Text("何も選ばない", "Nothing is chosen"),
    "moves": Text("動く札: {0}", "What is given: {0}"),
    "counts": Text("交換する枚数: {0}", "Cards exchanged: {0}"),
    "extra": Text("余分に交換する枚数: {0}", "Extra cards exchanged: {0}"),
    "hand_sizes": Text("配られる枚数: {0}", "Cards dealt: {0}"),
    "blind": Text("ブラインドカード: {0}", "Blind cards: {0}"),
    "blind_joker False": Text("ブラインドカードにジョーカーはない", "No joker among the blind cards"),
    "total": Text("使うカード: {0}枚", "Cards in play: {0}"),
    "stock": Text("山札: {0}枚", "Stock: {0} cards"),
    "dealer": Text("配る人: {0}", "Dealer: {0}"),
    "points": Text("得点: {0}", "Points: {0}"),
    "lucky": Text("{0}がラッキーセブンを狙う", "{0} may win by lucky seven"),
    "lucky None": Text("ラッキーセブンにはならない", "No lucky seven"),
    "frozen True": Text("強さが変わらなくなる", "The order is frozen"),
    "frozen_revolution True": Text("もう革命は起きない", "No further revolution can happen"),
    "frozen_revolution False": Text("また革命が起こせる", "Further revolutions can happen"),
    "reserved 1": Text("革命が予約される", "A revolution is reserved"),
    "countdown": Text("残り{0}", "The countdown stands at {0}"),
    "retrieved": Text("捨て札から{0}枚戻る", "{0} cards come back from the discard pile"),
    "triggered False": Text("何も起きない", "Nothing happens"),
}
"""What comes of it: by key, or by key and value."""

REASONS: Final = {
    "must_contain_D3": Text("♦3を入れて出す。", "The play must contain the three of diamonds."),
    "composure": Text("最初の番は必ずパスする。", "The first turn must be a pass."),
}
"""Reasons of rules that this version does not have yet; the others come from the service."""

LOCKS: Final = {"number": Text("数字", "rank steps"), "red": Text("赤", "red"), "black": Text("黒", "black")}
