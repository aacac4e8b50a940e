"""Every published reason: its status code, what a client should do about it, and its sentence in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grpc import StatusCode

SAME: Final = 1
REFETCH: Final = 2
GIVE_UP: Final = 3
"""What to do: numbers of the published RetryAdvice."""


@dataclass(frozen=True)
class Text:
    """What is said of one reason."""

    code: StatusCode
    advice: int
    ja: str
    en: str

    def said(self, locale: str) -> str:
        """Return the sentence in a language."""
        return self.ja if locale == "ja" else self.en


_BAD = (StatusCode.INVALID_ARGUMENT, GIVE_UP)
_NO = (StatusCode.FAILED_PRECONDITION, GIVE_UP)
_CHANGED = (StatusCode.FAILED_PRECONDITION, REFETCH)
_DENIED = (StatusCode.PERMISSION_DENIED, GIVE_UP)
_LATER = (StatusCode.UNAVAILABLE, SAME)

TEXTS: Final[dict[str, Text]] = {
    # the request itself
    "MALFORMED": Text(
        *_BAD, "リクエストの内容に誤りがあります。", "Something in the request is missing or impossible."
    ),
    "MALFORMED_CARDS": Text(
        *_BAD,
        "存在しないカード番号か、同じカードの重複があります。",
        "A card number does not exist, or a card is named twice.",
    ),
    "BAD_PAGE_TOKEN": Text(
        *_BAD, "ページトークンがこの一覧のものではありません。", "The page token does not belong to this listing."
    ),
    "REQUEST_ID_REUSED": Text(
        *_BAD,
        "この request_id は別のリクエストで使用済みです。",
        "This request_id was used before with another request.",
    ),
    "TOO_LARGE": Text(
        StatusCode.RESOURCE_EXHAUSTED,
        GIVE_UP,
        "メッセージが大きすぎます。",
        "The message is larger than this server takes.",
    ),
    "TOO_MANY": Text(
        StatusCode.RESOURCE_EXHAUSTED,
        SAME,
        "リクエストか卓が多すぎます。少し待ってください。",
        "There are too many requests or tables; wait a moment.",
    ),
    "TOO_SLOW": Text(
        StatusCode.RESOURCE_EXHAUSTED,
        SAME,
        "受信が追いつかないため配信を閉じました。",
        "The stream was not read fast enough and was closed.",
    ),
    "DRAINING": Text(*_LATER, "サーバーはまもなく停止します。", "This server is about to stop."),
    "MOVED": Text(*_LATER, "卓は別のサーバーに移りました。", "The table is now on another server."),
    "INTERNAL": Text(StatusCode.INTERNAL, GIVE_UP, "サーバー内部で誤りが起きました。", "The server made a mistake."),
    "NOT_IMPLEMENTED": Text(
        StatusCode.UNIMPLEMENTED,
        GIVE_UP,
        "このサーバーはその呼び出しに対応していません。",
        "This server does not know the call.",
    ),
    "NOT_STORED": Text(
        *_LATER, "保存できなかったため、まだ反映されていません。", "It could not be stored, so it has not been taken."
    ),
    "TIMED_OUT": Text(
        StatusCode.DEADLINE_EXCEEDED, SAME, "時間内に処理が終わりませんでした。", "The call did not finish in time."
    ),
    # who is calling
    "NOT_SIGNED_IN": Text(
        StatusCode.UNAUTHENTICATED, GIVE_UP, "サインインが必要です。", "No valid identity came with the call."
    ),
    "TOKEN_EXPIRED": Text(
        StatusCode.UNAUTHENTICATED,
        GIVE_UP,
        "サインインの期限が切れました。もう一度サインインしてください。",
        "The token has expired; sign in again.",
    ),
    "NOT_SEATED": Text(*_DENIED, "この卓に着席していません。", "You have no seat at this table."),
    "NOT_YOUR_SEAT": Text(
        *_DENIED,
        "別の席への問いか、別の席からの眺めです。",
        "That is a question to another seat, or what another seat sees.",
    ),
    "NO_SPECTATORS": Text(*_DENIED, "この卓は観戦できません。", "This table is not for spectators."),
    "HINTS_OFF": Text(*_NO, "この卓ではヒントを使えません。", "This table has no hints."),
    "NOT_HOST": Text(*_DENIED, "卓のホストだけができます。", "Only the host of the table may do this."),
    "SCOPE_MISSING": Text(
        *_DENIED, "このサインインではその操作は許可されていません。", "You were not given leave for that."
    ),
    "SIGNED_OUT": Text(
        StatusCode.UNAUTHENTICATED,
        GIVE_UP,
        "セッションは終了しました。もう一度サインインしてください。",
        "The session has ended; sign in again.",
    ),
    "BOT_KEY_NOT_VALID": Text(
        StatusCode.UNAUTHENTICATED, GIVE_UP, "そのボットキーは無効です。", "The key of the bot is not valid."
    ),
    "BOT_KEY_NOT_FOUND": Text(
        StatusCode.NOT_FOUND, GIVE_UP, "そのボットキーは見つかりません。", "You have no such key."
    ),
    "TOO_MANY_BOT_KEYS": Text(
        *_NO, "ボットキーの数が上限です。どれかを失効させてください。", "You have as many keys as you may; revoke one."
    ),
    "NAME_NOT_ALLOWED": Text(*_BAD, "その名前は使えません。", "That name cannot be used."),
    # tables and seats
    "TABLE_NOT_FOUND": Text(StatusCode.NOT_FOUND, GIVE_UP, "その卓は見つかりません。", "There is no such table."),
    "TABLE_CLOSED": Text(*_NO, "その卓は閉じられました。", "The table is closed."),
    "TABLE_FULL": Text(*_CHANGED, "空いている席がありません。", "No seat is free for you."),
    "NO_SUCH_SEAT": Text(*_BAD, "その番号の席はありません。", "The table has no seat of that number."),
    "SEAT_TAKEN": Text(*_CHANGED, "その席は埋まっています。", "The seat is taken."),
    "SEAT_RESERVED": Text(*_CHANGED, "その席は別の種類の参加者用です。", "The seat is kept for others."),
    "ALREADY_SEATED": Text(
        StatusCode.ALREADY_EXISTS, REFETCH, "すでにこの卓に着席しています。", "You already sit at this table."
    ),
    "SEATS_EMPTY": Text(*_CHANGED, "まだ空席があります。", "Seats are still empty."),
    "MATCH_RUNNING": Text(*_CHANGED, "対戦中はできません。", "That cannot be done while a match is running."),
    "MATCH_NOT_RUNNING": Text(*_CHANGED, "対戦が行われていません。", "That needs a running match."),
    "SEAT_RESERVED_FOR_ANOTHER": Text(
        *_CHANGED, "その席は別の人のために取ってあります。", "The seat is kept for somebody else."
    ),
    "RESERVATION_OVER": Text(
        *_NO, "時間内に着席しなかったため、席はなくなりました。", "Your seat was not taken in time and is gone."
    ),
    "TOO_MANY_CODES": Text(
        StatusCode.RESOURCE_EXHAUSTED,
        SAME,
        "招待コードの間違いが続いたため、しばらく使えません。",
        "Too many wrong invite codes were tried; wait a while.",
    ),
    "GAME_RUNNING": Text(*_CHANGED, "ゲームが終わるまでお待ちください。", "That has to wait for the end of the game."),
    "SEAT_FREE": Text(*_CHANGED, "その席にはだれもいません。", "Nobody has the seat."),
    "REMOVED": Text(*_DENIED, "ホストに外されたため、この卓には戻れません。", "The host has removed you for good."),
    # rulesets
    "UNKNOWN_PRESET": Text(*_BAD, "そのプリセットはありません。", "There is no such preset."),
    "UNKNOWN_SETTING": Text(*_BAD, "その設定はありません。", "There is no such setting."),
    "WRONG_VALUE_TYPE": Text(*_BAD, "設定の値の種類が違います。", "The setting takes another kind of value."),
    "VALUE_OUT_OF_BOUNDS": Text(*_BAD, "設定の値が範囲外です。", "The setting cannot have that value."),
    "SETTING_TWICE": Text(*_BAD, "同じ設定が2回指定されています。", "The same setting occurs twice."),
    "SETTINGS_CONFLICT": Text(*_BAD, "同時に使えない設定があります。", "Two settings do not go together."),
    "SETTING_NOT_AVAILABLE": Text(
        *_BAD, "その設定はこのサーバーではまだ使えません。", "This server cannot play that setting yet."
    ),
    "WRONG_SEAT_COUNT": Text(
        *_BAD, "その人数では遊べないルールです。", "The ruleset cannot be played with that number of seats."
    ),
    # decisions
    "DECISION_CLOSED": Text(
        StatusCode.ABORTED, REFETCH, "その決定はすでに締め切られました。", "The decision is no longer open."
    ),
    "DECISION_UNKNOWN": Text(
        *_CHANGED, "その番号の決定はまだありません。", "No decision of that number has been asked yet."
    ),
    # what the rules say
    "NO_GAME": Text(*_CHANGED, "ゲームが行われていません。", "No game is running."),
    "NOT_YOUR_TURN": Text(*_CHANGED, "あなたの番ではありません。", "It is another seat's turn."),
    "EXCHANGE_PENDING": Text(
        *_CHANGED, "カード交換がまだ終わっていません。", "The cards of the exchange are not given yet."
    ),
    "CHOICE_PENDING": Text(
        *_CHANGED, "先に効果の選択に答える必要があります。", "A question of a rule must be answered first."
    ),
    "WRONG_ACTION": Text(
        *_CHANGED, "この場面で求められている行動ではありません。", "The decision asks for another kind of action."
    ),
    "NOT_OFFERED": Text(
        *_NO, "今のルールではその行動はできません。", "The rules in force do not offer this action now."
    ),
    "NOT_IN_HAND": Text(*_NO, "手札にないカードが含まれています。", "A card of the action is not in your hand."),
    "NO_CARDS": Text(*_NO, "カードが選ばれていません。", "The action names no cards."),
    "PASSED_OUT": Text(
        *_CHANGED, "パスしたので、場が流れるまで出せません。", "You have passed and wait for the flush."
    ),
    "EMPTY_FIELD_PASS": Text(*_NO, "場にカードがないときはパスできません。", "You cannot pass on an empty field."),
    "NOT_A_SHAPE": Text(
        *_NO, "その組み合わせは出せる役になりません。", "The cards do not form any shape of this ruleset."
    ),
    "JOKER_CANNOT_BE_NAMED": Text(
        *_NO, "そのジョーカーは他のカードの代わりにできません。", "That joker may stand for nothing but itself there."
    ),
    "WRONG_MEANING": Text(
        *_NO, "ジョーカーをそのカードの代わりにはできません。", "The jokers cannot stand for that in this shape."
    ),
    "DECLARATION_NEEDED": Text(
        *_NO, "何通りかの役に読めます。どれで出すか宣言してください。", "The cards fit several shapes; declare one."
    ),
    "NOT_A_COUNTER": Text(
        *_NO, "今出せるのは割り込みのカードだけです。", "Only a counter of this window, or a pass, is possible."
    ),
    "REAL_CARDS_ONLY": Text(*_NO, "ここではジョーカーで代用できません。", "A joker cannot stand in here."),
    "WRONG_COUNT": Text(*_NO, "場と同じ枚数で出してください。", "Play as many cards as lie on the field."),
    "WRONG_SHAPE": Text(*_NO, "場と同じ役で出してください。", "The play must have the shape of the one on the field."),
    "JOKER_ON_JOKER": Text(*_NO, "ジョーカーにジョーカーは重ねられません。", "A joker cannot be played on a joker."),
    "PARITY": Text(
        *_NO,
        "偶数には偶数、奇数には奇数でしか返せません。ジョーカーだけでは返せません。",
        "Even numbers answer even ones and odd numbers odd ones; jokers alone answer nothing.",
    ),
    "NOT_STRONGER": Text(*_NO, "場のカードより強くありません。", "The play is not stronger than the one on the field."),
    "SEQUENCE_SUIT": Text(
        *_NO, "場の階段と同じマークで出してください。", "The sequence must have the suit of the one on the field."
    ),
    "LOCK_SUIT": Text(*_NO, "縛りのため、そのマークは出せません。", "A lock demands other suits."),
    "LOCK_COLOR": Text(*_NO, "縛りのため、その色は出せません。", "A lock demands the other colour."),
    "LOCK_NUMBER": Text(
        *_NO,
        "縛りのため、ちょうど1つ強い数字だけが出せます。",
        "A lock demands a play that is exactly one step stronger.",
    ),
    "MUST_GO_DOWN": Text(
        *_NO,
        "場が流れるまで、同じマークで1つ弱い札だけが出せます。",
        "Until the flush only the same suits one step weaker are possible.",
    ),
    "TOO_FEW_CARDS": Text(*_NO, "選んだ数が足りません。", "You have chosen too few."),
    "TOO_MANY_CARDS": Text(*_NO, "選んだ数が多すぎます。", "You have chosen too many."),
    "NOT_AN_OPTION": Text(
        *_NO, "選択肢にないものが選ばれています。", "The answer names something that is not an option."
    ),
    "MUST_GIVE_STRONGEST": Text(
        *_NO, "最も強いカードを渡さなければなりません。", "You must give your strongest cards."
    ),
    "NOT_A_NEIGHBOUR": Text(
        *_NO,
        "選べるのは、手札のあるいちばん近い左右の人だけです。",
        "Only the nearest player on either side who holds cards can be chosen.",
    ),
    "OTHER_RANK": Text(
        *_NO,
        "足せるのは、場と同じ数字の札だけです。",
        "Only cards of the rank that lies on the field can be added.",
    ),
    "TOO_SMALL": Text(*_NO, "4から99までの数を言ってください。", "Name a number from 4 to 99."),
    "MUST_GIVE_WEAKEST": Text(*_NO, "最も弱いカードを渡さなければなりません。", "You must give your weakest cards."),
    "MUST_RETURN_JOKER": Text(
        *_NO, "もらったジョーカーは返さなければなりません。", "You must give back the joker that you have received."
    ),
    "ONE_DRAW_ONLY": Text(*_NO, "引けるのは1回の番に1枚だけです。", "You may draw only one card in a turn."),
    "STOCK_EMPTY": Text(*_NO, "山札がもうありません。", "The stock has no cards left."),
    "MUST_CONTAIN_CARD": Text(
        *_NO,
        "最初に出すカードには、先手を決めた3を含めなければなりません。",
        "Your first play must contain the three that made you open the game.",
    ),
    "COMPOSURE": Text(
        *_NO,
        "前のゲームの1位は、最初の番に必ずパスします。",
        "The first place of the last game passes on its first turn.",
    ),
    "NAMED_TWICE": Text(*_NO, "同じものが2回選ばれています。", "The answer names an option twice."),
    # tickets
    "QUEUE_NOT_FOUND": Text(StatusCode.NOT_FOUND, GIVE_UP, "その待ち行列はありません。", "There is no such queue."),
    "TICKET_NOT_FOUND": Text(
        StatusCode.NOT_FOUND, GIVE_UP, "そのチケットは見つかりません。", "There is no such ticket."
    ),
    "TICKET_EXISTS": Text(
        StatusCode.ALREADY_EXISTS, REFETCH, "すでに対戦相手を待っています。", "You are already waiting for a match."
    ),
    "TICKET_PAIRED": Text(
        *_CHANGED, "対戦相手が決まり、席が用意されています。", "You have been paired, and a seat is kept for you."
    ),
    "SIZE_NOT_OFFERED": Text(
        *_BAD, "この待ち行列にその人数の卓はありません。", "The queue has no tables with that number of seats."
    ),
    "BOTS_NOT_WELCOME": Text(*_NO, "この待ち行列にボットは入れません。", "The queue has no use for bots."),
    # records
    "RECORD_NOT_FOUND": Text(
        StatusCode.NOT_FOUND,
        GIVE_UP,
        "その試合の棋譜はありません。進行中の試合の棋譜は、終わってからできます。",
        "There is no record of that match; one that still runs has none yet.",
    ),
    "NOT_A_RECORD": Text(*_BAD, "棋譜として読めません。", "It cannot be read as a record."),
    "RECORD_NOT_REPLAYABLE": Text(*_NO, "この棋譜は再生できません。", "The record cannot be replayed here."),
}
