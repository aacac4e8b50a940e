"""Why an action is refused, as numbers with names; every client can translate each of them."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """One kind of illegality. The value is the word that rulings, protos and clients use."""

    NOT_YOUR_TURN = "not_your_turn"
    NO_GAME = "no_game"
    EXCHANGE_PENDING = "exchange_pending"
    CHOICE_PENDING = "choice_pending"
    WRONG_ACTION = "wrong_action"
    NOT_OFFERED = "not_offered"
    NOT_IN_HAND = "not_in_hand"
    NO_CARDS = "no_cards"
    PASSED_OUT = "passed_out"
    EMPTY_FIELD_PASS = "empty_field_pass"
    MUST_CONTAIN_CARD = "must_contain_card"
    COMPOSURE = "composure"
    NOT_A_SHAPE = "not_a_shape"
    JOKER_CANNOT_BE_NAMED = "joker_cannot_be_named"
    WRONG_MEANING = "wrong_meaning"
    DECLARATION_NEEDED = "declaration_needed"
    NOT_A_COUNTER = "not_a_counter"
    REAL_CARDS_ONLY = "real_cards_only"
    WRONG_COUNT = "wrong_count"
    WRONG_SHAPE = "wrong_shape"
    JOKER_ON_JOKER = "joker_on_joker"
    NOT_STRONGER = "not_stronger"
    PARITY = "parity"
    SEQUENCE_SUIT = "sequence_suit"
    LOCK_SUIT = "lock_suit"
    LOCK_COLOR = "lock_color"
    LOCK_NUMBER = "lock_number"
    MUST_GO_DOWN = "must_go_down"
    TOO_FEW_CARDS = "too_few_cards"
    TOO_MANY_CARDS = "too_many_cards"
    NOT_AN_OPTION = "not_an_option"
    MUST_GIVE_STRONGEST = "must_give_strongest"
    MUST_GIVE_WEAKEST = "must_give_weakest"
    MUST_RETURN_JOKER = "must_return_joker"
    ONE_DRAW_ONLY = "one_draw_only"
    STOCK_EMPTY = "stock_empty"
    NAMED_TWICE = "named_twice"
    NOT_A_NEIGHBOUR = "not_a_neighbour"
    TOO_SMALL = "too_small"
    OTHER_RANK = "other_rank"


class IllegalAction(Exception):
    """The rules say no. Nothing has changed; `reason` is the first in pipeline order, `reasons` are all of them.

    `rules` are the ids of the rules that refuse, one for each reason; "" where it is the course of the game.
    """

    def __init__(
        self, reason: Reason, detail: str = "", reasons: tuple[Reason, ...] = (), rules: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason
        self.detail = detail
        self.reasons = reasons or (reason,)
        self.rules = rules or ("",) * len(self.reasons)
