"""Everything that the terminal client says, in Japanese and in English.

Both texts of an entry have the same {places}, but for those that only make English verbs agree: in "{who} play{s}",
`who` is "You" or a name. `rule` is the name of a rule, already in the language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clients.cli.notices import NOTICES
from clients.cli.text import Text

AGREEMENT: Final = frozenset({"s", "es", "be", "have", "plural"})
"""Places that only English texts have."""

EVENTS: Final[dict[str, Text]] = {
    "seat_changed.taken": Text("{who}が席{number}に着きました。", "{who} {have} taken seat {number}."),
    "seat_changed.open": Text("席{number}が空きました。", "Seat {number} is free."),
    "seat_changed.host": Text("{who}がホストになりました。", "{who} {be} the host now."),
    "table_changed.open": Text(
        "ルールが変わりました。参加者を待っています。", "The rules are others now. The table waits for players."
    ),
    "stand_in.1": Text("{who}が離れたので、代打ちが打ちます。", "{who} {be} away: a stand-in plays for them."),
    "stand_in.2": Text(
        "{who}の時間切れが続いたので、代打ちが打ちます。", "{who} let{s} the time run out: a stand-in plays for them."
    ),
    "stand_in.3": Text("{who}の代わりに代打ちが打ちます。", "A stand-in plays for {who}."),
    "stand_in.you": Text(
        "代打ちがあなたの代わりに打ちます。Enter で席に戻ります。",
        "A stand-in plays for you. Enter gives you the seat back.",
    ),
    "stand_in.over": Text("{who}の代打ちは終わりです。", "The stand-in for {who} is gone."),
    "table_changed.running": Text("試合を始めます。全{games}ゲームです。", "The match begins. Games: {games}."),
    "table_changed.running.open": Text(
        "試合を始めます。ホストが終えるまで続きます。", "The match begins, and goes on until the host ends it."
    ),
    "practice": Text("練習です。局番号は{deal}。", "This is practice. Deal number: {deal}."),
    "deal_number": Text("局番号は{deal}です。", "Deal number: {deal}."),
    "shuffle.commitment": Text("シャッフルのコミットメント: {commitment}", "The shuffles' commitment: {commitment}"),
    "shuffle.seed": Text("試合 {match} のシード: {seed}", "The seed of match {match}: {seed}"),
    "shuffle.verify": Text(
        "棋譜（daifugo play --save、daifugo records export）があれば、daifugo verify ですべての配りを計算し直せます。",
        "With its record (daifugo play --save, daifugo records export) daifugo verify computes every deal anew.",
    ),
    "shuffle.fair": Text(
        "シャッフルは公正です。シードはコミットメントどおりで、あなたのシードも使われました。",
        "The shuffles are fair: the seed is the one committed to, and yours was used with it.",
    ),
    "shuffle.other_seed": Text(
        "シャッフルは不正です。シードがコミットメントと合いません。",
        "The shuffles are not fair: the seed is not the one committed to.",
    ),
    "shuffle.not_bound": Text(
        "シャッフルが公正とは言えません。コミットメントは、あなたのシードが知られた後のものです。",
        "The shuffles may not be fair: the commitment was made after your seed was known.",
    ),
    "shuffle.left_out": Text(
        "シャッフルが公正とは言えません。あなたのシードが使われていません。",
        "The shuffles may not be fair: your seed was not used.",
    ),
    "games_changed": Text("試合は第{games}ゲームで終わります。", "The match ends with game {games}."),
    "table_changed.ended": Text("試合が終わりました。", "The match is over."),
    "table_changed.closed": Text("テーブルが閉じられました。", "The table is closed."),
    "game_started": Text("第{game}ゲーム（全{games}ゲーム）を始めます。", "Game {game} of {games} begins."),
    "game_started.open": Text("第{game}ゲームを始めます。", "Game {game} begins."),
    "game_started.titles": Text("身分: {titles}。", "Titles: {titles}."),
    "dealt": Text("カードが配られました。伏せ札は{blinds}枚です。", "The cards are dealt. Face down: {blinds}."),
    "moved.dealt": Text("{who}に{count}枚配られました。", "{who} get{s} {count} cards."),
    "moved.played": Text("{who}: {cards}を出しました。残り{left}枚。", "{who} play{s} {cards}. {left} left."),
    "moved.countered": Text(
        "{who}: {cards}を出しました（{rule}）。残り{left}枚。", "{who} play{s} {cards} ({rule}). {left} left."
    ),
    "moved.given": Text("{who}が{taker}に{cards}を渡しました（{rule}）。", "{who} give{s} {taker} {cards} ({rule})."),
    "moved.given.hidden": Text(
        "{who}が{taker}にカードを渡しました: {count}枚（{rule}）。", "{who} give{s} {taker} cards: {count} ({rule})."
    ),
    "moved.added": Text(
        "{who}: {cards}を足して{play}にしました（{rule}）。残り{left}枚。",
        "{who} add{s} {cards}: {play} now ({rule}). {left} left.",
    ),
    "moved.discarded": Text("{who}が{cards}を捨てました（{rule}）。", "{who} discard{s} {cards} ({rule})."),
    "moved.retrieved": Text(
        "{who}が捨て札から{cards}を取りました（{rule}）。", "{who} take{s} {cards} from the discard pile ({rule})."
    ),
    "moved.laid_away": Text(
        "{who}の残り{count}枚は伏せて除かれます。", "{who} lay{s} the rest away, face down: {count}."
    ),
    "moved.drawn": Text("{who}が山札から{count}枚引きました。", "{who} draw{s} from the stock: {count}."),
    "moved.flushed": Text(
        "場の{count}枚が捨て札になりました。", "{count} cards go from the field to the discard pile."
    ),
    "moved.other": Text(
        "{from_zone}から{to_zone}へ{count}枚移りました。", "From {from_zone} to {to_zone}: {count} cards."
    ),
    "passed": Text("{who}: パス。", "{who} pass{es}."),
    "passed.window": Text("{who}: 見送り。", "{who} let{s} it go by."),
    "passes_cleared": Text("パスした人もまた出せます。", "Those who passed may play again."),
    "field_flushed": Text("場が流れました。", "The field is cleared."),
    "field_flushed.rule": Text("場が流れました（{rule}）。", "The field is cleared ({rule})."),
    "strength.revolution": Text("革命です。強さが逆になります。", "Revolution! The order of strength is reversed."),
    "strength.counter": Text("革命返しです。強さが元に戻ります。", "Counter-revolution! Strength is back to normal."),
    "strength.reversed": Text("強さが一時的に逆になりました（{rule}）。", "Strength is reversed for now ({rule})."),
    "strength.normal": Text("強さが元に戻りました。", "Strength is back to normal."),
    "strength.reserved": Text(
        "場が流れたあとで強さが逆になります。", "The order of strength turns over after the flush."
    ),
    "strength.from_ace": Text(
        "強さがAからKの順になりました（{rule}）。偶数には偶数、奇数には奇数で返します。",
        "Ranks run from the A to the K now ({rule}): even answers even, odd answers odd.",
    ),
    "strength.joker_above_ten": Text(
        "ジョーカーの強さが10とJの間になりました（{rule}）。", "The joker stands between 10 and J now ({rule})."
    ),
    "strength.effects_stopped": Text(
        "強さが固定され、札の効果と縛りが止まりました（{rule}）。",
        "The order of strength is fixed, and card effects and locks have stopped ({rule}).",
    ),
    "strength.revolutions_frozen": Text(
        "このゲームではもう革命は起きません（{rule}）。", "There is no further revolution in this game ({rule})."
    ),
    "strength.same": Text("強さの順は変わりません。", "The order of strength stays as it is."),
    "lock": Text("縛り: {what}。", "Lock: {what}."),
    "lock.other": Text("縛りがかかりました（{rule}）。", "A lock is on ({rule})."),
    "lock.over": Text("縛りが解けました。", "The lock is over."),
    "direction.clockwise": Text("時計回りになりました。", "Play goes clockwise now."),
    "direction.anticlockwise": Text("反時計回りになりました。", "Play goes anticlockwise now."),
    "seating": Text("席順が変わりました: {names}。", "The seats are in a new order: {names}."),
    "rest": Text("順番を飛ばされます: {names}。", "To be skipped: {names}."),
    "rest.none": Text("もう誰も飛ばされません。", "Nobody is skipped any more."),
    "turn": Text("{who}の番です。", "{who} {be} next."),
    "turn.starter": Text("{who}が親です。", "{who} lead{s}."),
    "turn.nobody": Text("誰の番でもありません。", "It is nobody's turn."),
    "asked.turn": Text("{who}が考えています。", "{who} {be} thinking."),
    "asked.window": Text("{who}は割り込めます（{rules}）。", "{who} may counter ({rules})."),
    "asked.choice": Text("{who}が選んでいます（{rules}）。", "{who} {be} choosing ({rules})."),
    "chosen.nothing": Text("{who}は何も選びませんでした（{rules}）。", "{who} choose{s} nothing ({rules})."),
    "decision_closed": Text("{who}の答えが出ました。", "{who} {have} answered."),
    "finished": Text("{who}が上がりました。今のところ{place}位です。", "{who} {be} out, in place {place} so far."),
    "finished.foul": Text(
        "{who}は反則上がりです（{rules}）。今のところ{place}位です。",
        "{who} {be} out with a foul ({rules}), in place {place} so far.",
    ),
    "fell": Text(
        "{who}は都落ちです。今のところ{place}位です。", "{who} fall{s} from the top, to place {place} so far."
    ),
    "fell.defeated": Text(
        "{who}は負けになりました（{rule}）。今のところ{place}位です。",
        "{who} {be} defeated ({rule}), in place {place} so far.",
    ),
    "place_moved": Text("{who}は今のところ{place}位になりました。", "{who} {be} in place {place} now."),
    "note": Text("{rule}: {values}。", "{rule}: {values}."),
    "note.gone": Text("{rule}: 終わり。", "{rule}: over."),
    "game_ended": Text("第{game}ゲームの結果:", "Result of game {game}:"),
    "game_ended.row": Text(
        "{place}位 {name}、{title}、{points}点、合計{total}点{remark}",
        "{place}. {name}, {title}, {points} points, total {total}{remark}",
    ),
    "match_ended": Text("試合の結果:", "Result of the match:"),
    "match_ended.row": Text("{rank}位 {name}、{total}点", "{rank}. {name}, {total} points"),
    "conduct.time_outs": Text("時間切れ{count}回", "time-outs: {count}"),
    "conduct.stood_in": Text("代打ちの手{count}回", "answers of a stand-in: {count}"),
    "conduct": Text("{row}（{faults}）", "{row} ({faults})"),
    "caused": Text("  → {line}", "  → {line}"),
    "caused.by": Text("  → {rule}: {line}", "  → {rule}: {line}"),
    "revealed": Text("{who}の{cards}が公開されました。", "{who} show{s} {cards}."),
    "revealed.zone": Text("公開されました: {cards}（{zone}）。", "Shown: {cards} ({zone})."),
}

DECISIONS: Final[dict[str, Text]] = {
    "ask.turn": Text("あなたの番です。", "Your turn."),
    "ask.turn.starter": Text("あなたの番です。親なので何でも出せます。", "Your turn. You lead: play what you like."),
    "ask.window": Text("割り込めます（{rules}）。見送るときは p。", "You may counter ({rules}); p lets it go by."),
    "ask.window.none": Text(
        "割り込みの機会です（{rules}）。出せるカードがありません。",
        "A chance to counter ({rules}), but you hold nothing for it.",
    ),
    "must.card": Text(
        "カードを{number}枚選んでください。パスはできません。", "Choose {number} card{plural}; you cannot pass."
    ),
    "must.rank": Text(
        "数字を{number}個選んでください。パスはできません。", "Name {number} rank{plural}; you cannot pass."
    ),
    "must.seat": Text(
        "相手を{number}人選んでください。パスはできません。", "Choose {number} player{plural}; you cannot pass."
    ),
    "must.number": Text(
        "数を{number}個選んでください。パスはできません。", "Choose {number} number{plural}; you cannot pass."
    ),
    "must.yes_no": Text("はい・いいえで答えてください。パスはできません。", "Answer yes or no; you cannot pass."),
    "ask.card": Text("{rule}: カードを{number}枚選んでください。", "{rule}: choose cards, {number}."),
    "ask.card.to": Text(
        "{rule}: {taker}に渡すカードを{number}枚選んでください。", "{rule}: choose cards for {taker}, {number}."
    ),
    "ask.rank": Text("{rule}: 数字を{number}個選んでください。", "{rule}: name ranks, {number}."),
    "ask.seat": Text("{rule}: 相手を{number}人選んでください。", "{rule}: choose players, {number}."),
    "ask.number": Text("{rule}: 数を{number}個選んでください。", "{rule}: choose numbers, {number}."),
    "ask.yes_no": Text("{rule}: はい・いいえで答えてください。", "{rule}: yes or no?"),
    "ask.from": Text("選べるもの: {options}", "From: {options}"),
    "ask.required": Text("必ず含めるもの: {options}", "Must be among them: {options}"),
    "ask.ordered": Text("順番どおりに書いてください。", "Their order counts."),
    "ask.time": Text("残り{seconds}秒です。", "You have {seconds} seconds."),
    "ask.time.bank": Text(
        "残り{seconds}秒です（うち予備時間{bank}秒）。", "You have {seconds} seconds, {bank} of them in your time bank."
    ),
    "banks": Text("予備時間: {banks}。", "Time banks: {banks}."),
    "bank": Text("{who} {seconds}秒", "{who} {seconds} s"),
    "number.exact": Text("{least}", "{least}"),
    "number.range": Text("{least}～{most}", "{least} to {most}"),
}

TABLE: Final[dict[str, Text]] = {
    "you": Text("あなた", "You"),
    "seat": Text("席{number}", "Seat {number}"),
    "field": Text("場: {who}の{cards}", "Field: {cards} by {who}"),
    "field.empty": Text("場: 空", "Field: empty"),
    "strength.is_from_ace": Text("強さ: AからKの順（Kが強い）", "Strength: from the A up, K is strong"),
    "strength.is_from_king": Text("強さ: AからKの逆順（Aが強い）", "Strength: from the K up, A is strong"),
    "strength.is_reversed": Text("強さ: 逆（3が強い）", "Strength: reversed, 3 is strong"),
    "others": Text("ほかの人: {names}", "Others: {names}"),
    "other.cards": Text("{who} {count}枚", "{who} {count}"),
    "other.passed": Text("{who} {count}枚（パス）", "{who} {count} (passed)"),
    "other.out": Text("{who} {place}位", "{who} out, place {place}"),
    "hand": Text("手札{count}枚: {cards}", "Hand, {count}: {cards}"),
    "hand.of": Text("{who}: {cards}", "{who}: {cards}"),
    "hand.empty": Text("手札: なし", "Hand: none"),
    "offers": Text("出せるもの: ", "You can: "),
    "offers.answers": Text("答え: ", "Answers: "),
    "offers.pass_only": Text("出せるものがありません。Enter か p で送ってください。", "You can only pass: Enter or p."),
    "offers.let_go_only": Text("Enter か p で見送ります。", "Enter or p lets it go by."),
    "offers.more": Text("m で続き", "m for more"),
    "waiting": Text("{who}を待っています。", "Waiting for {who}."),
    "action.pass": Text("p パス", "p pass"),
    "action.let_go": Text("p 見送り", "p let go"),
    "action.draw": Text("引く", "draw"),
    "action.add": Text("{cards}を重ねる", "add {cards}"),
    "action.dump": Text("{cards}を捨てる", "throw away {cards}"),
    "action.nothing": Text("なし", "nothing"),
    "yes": Text("はい", "yes"),
    "no": Text("いいえ", "no"),
    "remark.foul": Text("（反則上がり）", " (foul)"),
    "remark.fell": Text("（都落ち）", " (fell)"),
    "remark.defeated": Text("（負け）", " (defeated)"),
    "remark.drawn": Text("（くじ）", " (by lot)"),
    "title.1": Text("大富豪", "daifugo"),
    "title.2": Text("富豪", "fugo"),
    "title.3": Text("平民", "heimin"),
    "title.4": Text("貧民", "hinmin"),
    "title.5": Text("大貧民", "daihinmin"),
    "title.6": Text("王様", "king"),
    "title.7": Text("ど貧民", "dohinmin"),
    "title.0": Text("身分なし", "no title"),
    "shape.0": Text("", ""),
    "shape.3": Text("（階段）", " (sequence)"),
    "shape.4": Text("（エンペラー）", " (emperor)"),
    "shape.5": Text("（等差）", " (arithmetic)"),
    "lock.1": Text("{suits}", "{suits}"),
    "lock.2": Text("{suits}を含む", "{suits} among the suits"),
    "lock.3.red": Text("赤", "red"),
    "lock.3.black": Text("黒", "black"),
    "lock.4": Text("1つ強い数字", "one step up"),
    "lock.5": Text("{suits}で1つ弱い数字", "one step down in {suits}"),
    "zone.0": Text("ほかの場所", "elsewhere"),
    "zone.1": Text("手札", "a hand"),
    "zone.2": Text("場", "the field"),
    "zone.3": Text("捨て札", "the discard pile"),
    "zone.4": Text("山札", "the stock"),
    "zone.5": Text("伏せ札", "the blinds"),
    "zone.6": Text("除かれたカード", "the cards laid away"),
    "zone.7": Text("デッキ", "the deck"),
    "game_itself": Text("進行", "course of the game"),
}

DIALOGUE: Final[dict[str, Text]] = {
    "opening.1": Text("{preset}、{seats}人、全{games}ゲーム。", "{preset}. Players: {seats}. Games: {games}."),
    "opening.1.open": Text(
        "{preset}、{seats}人、ホストが終えるまで。", "{preset}. Players: {seats}. Games: until the host ends it."
    ),
    "opening.2": Text(
        "出し方: カード（S8 H8、8 8、JK など）か、一覧の番号を打ってください。",
        "To play, type cards: S8 H8, or 8 8, or JK; or a number from the list.",
    ),
    "opening.3": Text(
        "p パス、h 手札と場、r ルール、? ヘルプ、q 終了。",
        "p pass, h hand and field, r rules, ? help, q quit.",
    ),
    "help.cards": Text(
        "S8 H8: ♠8と♥8を出す（S♠ H♥ D♦ C♣、JK ジョーカー）。8 8: 8を2枚（スート任意）。",
        "S8 H8: eight of spades and eight of hearts (S H D C, JK joker). 8 8: any two.",
    ),
    "help.joker": Text(
        "JK=H9: ジョーカーをハートの9として。S3 S4 JK 階段: 階段として出す。",
        "JK=H9: the joker as nine of hearts. S3 S4 JK as sequence: says which shape.",
    ),
    "help.number": Text(
        "1: 一覧の1番。#8: カードとまぎらわしいときの一覧の8番。m: 一覧の続き。",
        "1: number 1 of the list. #8: number 8, where 8 could be a card. m: more of it.",
    ),
    "help.commands": Text(
        "p: パス・見送り。h: 手札と場。r: ルール（r 8切り で検索）。?: ヘルプ。q: 終了。",
        "p: pass. h: hand and field. r: rules; r cut: look one up. ?: help. q: quit.",
    ),
    "help.advice": Text(
        "t: ヒント。c S8: 出さずに、出したらどうなるかを聞く。",
        "t: a hint. c S8: what would come of it, without playing.",
    ),
    "help.choices": Text(
        "質問には、カード・数字・名前・はい・いいえ・なし・一覧の番号で答えます。",
        "Questions: answer with cards, ranks, names, yes, no, none, or a number.",
    ),
    "not_your_turn": Text("今は答えることがありません。? でヘルプ。", "Nothing is asked of you now. ? for help."),
    "not_understood": Text("「{typed}」が分かりません。? でヘルプ。", "I do not understand {typed}. ? for help."),
    "no_such_number": Text("一覧に{number}番はありません。", "The list has no number {number}."),
    "too_few_of_rank": Text("{rank}は{held}枚しかありません。", "You have only {held} of {rank}."),
    "none_of_rank": Text("{rank}はありません。", "You have no {rank}."),
    "number_or_card": Text(
        "一覧の{number}番（{offer}）なら #{number}、カードの{number}ならスートも付けてください。",
        "Type #{number} for number {number} of the list ({offer}), or the card with its suit.",
    ),
    "which": Text("どれですか: ", "Which one? "),
    "no_more": Text("一覧はこれで全部です。", "That was the whole list."),
    "hint": Text("ヒント: {action}。{reason}", "Hint: {action}. {reason}"),
    "hint.none": Text("ヒントはありません。", "There is no hint."),
    "would": Text("こうなります: {effects}", "This would come of it: {effects}"),
    "would.nothing": Text("出せます。ほかには何も起きません。", "Possible, and nothing else comes of it."),
    "may": Text("かもしれません: {effects}", "This may come of it: {effects}"),
    "illegal": Text("出せません: {reason}", "Not possible: {reason}"),
    "time_up": Text("時間切れです。自動で進みました。", "Your time was up: the default was taken."),
    "question_gone": Text("その質問はもう終わっています。", "That question is over."),
    "lost": Text("接続が切れました。つなぎ直しています。", "The connection is lost; trying to get it back."),
    "back": Text("接続が戻りました。", "The connection is back."),
    "missed": Text("途中のできごとは省略されました。", "Some events were left out."),
    "superseded": Text("同じ席が別の画面で開かれました。", "This seat is being watched from elsewhere."),
    "closed": Text("テーブルが閉じられました。", "The table is closed."),
    "goodbye": Text("終了します。", "Goodbye."),
    "rules.title": Text("このテーブルのルール（{count}件）:", "Rules of this table ({count}):"),
    "rules.row": Text("{name}: {summary}", "{name}: {summary}"),
    "rules.row.off": Text("{name}（なし）: {summary}", "{name} (off): {summary}"),
    "rules.value": Text("  {name}: {value}", "  {name}: {value}"),
    "rules.none": Text("「{word}」に当たるルールはありません。", "No rule matches {word}."),
    "rules.more": Text("残り{count}件。m で続き。", "{count} more; m goes on."),
}

TEXTS: Final[dict[str, Text]] = {**EVENTS, **DECISIONS, **TABLE, **DIALOGUE, **NOTICES}

BOT_NAMES: Final = Text(
    "アキ ハル ナオ ユキ レン ソラ ミオ カイ リン トモ ケイ",
    "Aki Haru Nao Yuki Ren Sora Mio Kai Rin Tomo Kei",
)


class Words:
    """The texts of one language."""

    def __init__(self, language: str, texts: Mapping[str, Text] = TEXTS) -> None:
        self.language = language
        self.texts = texts

    def __call__(self, key: str, **places: object) -> str:
        text: str = getattr(self.texts[key], self.language)
        return text.format(**places)

    def numbered(self, family: str, number: int) -> str:
        """Return the word for a number of an enum; that of 0 for one that this client does not know yet."""
        key = f"{family}.{number}"
        return self(key if key in self.texts else f"{family}.0")

    def listed(self, items: list[str]) -> str:
        return ("、" if self.language == "ja" else ", ").join(items)


def language_of(environment: dict[str, str]) -> str:
    """Take Japanese if the locale says so, English otherwise."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "ja" if environment[name].startswith("ja") else "en"
    return "en"
