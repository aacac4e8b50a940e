"""RulesService: which rules exist and whether they go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from daifugo.v1 import rules_pb2, rules_pb2_grpc
from services.common.context import Context
from services.common.pages import position_in, size_of, token_for
from services.game.codec import catalogue, rulesets

Row = TypeVar("Row")


class RulesServicer(rules_pb2_grpc.RulesServiceServicer):
    """Answers from the catalogue alone."""

    async def ListRules(  # noqa: N802
        self, request: rules_pb2.ListRulesRequest, context: Context
    ) -> rules_pb2.ListRulesResponse:
        """List the rules."""
        rules, token = _page("rules", catalogue.all_rules(), request.page_size, request.page_token)
        return rules_pb2.ListRulesResponse(rules=rules, next_page_token=token)

    async def ListPresets(  # noqa: N802
        self, request: rules_pb2.ListPresetsRequest, context: Context
    ) -> rules_pb2.ListPresetsResponse:
        """List the presets."""
        presets, token = _page("presets", catalogue.all_presets(), request.page_size, request.page_token)
        return rules_pb2.ListPresetsResponse(presets=presets, next_page_token=token)

    async def CheckRuleset(  # noqa: N802
        self, request: rules_pb2.CheckRulesetRequest, context: Context
    ) -> rules_pb2.CheckRulesetResponse:
        """Check a ruleset."""
        return rulesets.check_to(request.ruleset)

    async def DescribeDeck(  # noqa: N802
        self, request: rules_pb2.DescribeDeckRequest, context: Context
    ) -> rules_pb2.DescribeDeckResponse:
        """List the cards of a ruleset."""
        return rulesets.deck_to(request.ruleset)

    async def ListReasons(  # noqa: N802
        self, request: rules_pb2.ListReasonsRequest, context: Context
    ) -> rules_pb2.ListReasonsResponse:
        """List the reasons."""
        return rules_pb2.ListReasonsResponse(reasons=catalogue.all_reasons())


def _page(name: str, rows: Sequence[Row], page_size: int, page_token: str) -> tuple[Sequence[Row], str]:
    start = position_in([name], page_token) or 0
    end = start + size_of(page_size)
    return rows[start:end], token_for([name], end) if end < len(rows) else ""
