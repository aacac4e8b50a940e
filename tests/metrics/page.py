"""docs/metrics.md, made from the metrics themselves: what each is, its labels, and what to ask of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import grpc
from prometheus_client.metrics import MetricWrapperBase

from daifugo.v1 import game_pb2, rules_pb2
from services.common.metrics import Metrics
from services.common.often import Counts, Spans
from services.common.texts import TEXTS
from services.game.metrics import WHO, GameMetrics
from services.identity.metrics import IdentityMetrics
from services.matchmaker.metrics import MatchmakerMetrics

PAGE: Final = Path(__file__).parents[2] / "docs" / "metrics.md"
SERVICES: Final[dict[str, type[Metrics]]] = {
    "game": GameMetrics,
    "matchmaker": MatchmakerMetrics,
    "identity": IdentityMetrics,
}
"""Every service that keeps numbers."""

VALUES: Final[dict[str, tuple[str, ...]]] = {
    "method": tuple(
        sorted(
            method.name
            for file in (game_pb2, rules_pb2)
            for service in file.DESCRIPTOR.services_by_name.values()
            for method in service.methods
        )
    ),
    "code": tuple(code.name for code in grpc.StatusCode),
    "reason": tuple(sorted(TEXTS)),
    "by": (*WHO, "seat", "clock", "auto_pass", "stand_in", "system"),
    "why": ("away", "idle", "asked"),
    "seat": WHO,
    "part": ("rules", "journal", "telling"),
}
"""All values that a label can have."""

LABELS: Final = {
    "method": "the name of an RPC (`Act`, `Watch` …)",
    "code": "a gRPC status code (`OK`, `FAILED_PRECONDITION` …)",
    "reason": "a reason that `ListReasons` names",
    "seat": "`person` `bot`",
    "why": "`away` (no stream for too long), `idle` (too many time-outs), `asked` (by the player)",
    "part": "`rules` (decide and apply), `journal` (until durable), `telling` (clocks, streams)",
    "daifugo_actions.by": "`seat` (a player), `clock` (a default), `auto_pass`, `stand_in`, `system` (a game begins)",
    "queue": "the id of a queue in the operator's file",
    "who": "`people` `bots`",
    "how": "`guest` `new_guest` `refresh` `bot`",
    "daifugo_tickets.end": "`assigned` `deleted` `expired` `failed`",
    "daifugo_pairings.end": "`seated` `failed` `too_late`",
    "daifugo_seats.by": " ".join([f"`{who}`" for who in WHO]),
}
"""What a label can be, in words; `metric.label` where the same label is not the same everywhere."""

JAPANESE: Final = {
    "daifugo_calls": "終了した呼び出しの数",
    "daifugo_call_seconds": "ストリーム以外の呼び出しにかかった時間",
    "daifugo_refused": "拒否した呼び出しの数（理由別）",
    "daifugo_bugs": "サーバーの不具合の数。0 でなければログの `bug` を見る",
    "daifugo_tables": "閉じていない卓の数",
    "daifugo_matches_running": "進行中の試合の数",
    "daifugo_seats": "閉じていない卓の席の数（座っている者の種類別）",
    "daifugo_watchers": "開いているストリームの数",
    "daifugo_actions": "卓での行動の数（席・時計・オートパス・代打ち・卓自身の別）",
    "daifugo_take_overs": "代打ちが席を引き継いだ数（理由別）",
    "daifugo_time_outs": "時間切れで既定の行動を取った数（席の種類別）",
    "daifugo_action_seconds": "行動一つにかかった時間（ルール・記録・通知の別）",
    "daifugo_bot_processes": "サービスのボットを打っているプロセスの数",
    "daifugo_bot_seats": "サービスのボットが今打っている席の数",
    "daifugo_bot_restarts": "終わってしまい、代わりを始めたボットのプロセスの数",
    "daifugo_bot_fallbacks": "サービスのボットの代わりに、サービスが時間内に答えた決定の数",
    "daifugo_games": "終わったゲームの数",
    "daifugo_matches": "終わった試合の数",
    "daifugo_watchers_fell_behind": "遅れてスナップショットにまとめられたストリームの数",
    "daifugo_watchers_too_slow": "読まれないため閉じたストリームの数",
    "daifugo_journal_append_seconds": "記録を永続化する時間（まとめ書き一回ごと）",
    "daifugo_journal_failures": "失敗した記録の数",
    "daifugo_tickets_waiting": "待っているチケットの数",
    "daifugo_ticket_wait_seconds": "チケットを取ってから席が決まるまでの時間",
    "daifugo_tickets": "終わったチケットの数（終わり方別）",
    "daifugo_pairings": "組み合わせの数（結果別）",
    "daifugo_pairings_seating": "席がまだ片づいていない組み合わせの数",
    "daifugo_store_save_seconds": "チケットと組み合わせを保存する時間",
    "daifugo_store_failures": "失敗した保存の数",
    "daifugo_sign_ins": "発行したトークンの数（ゲスト・新しいゲスト・更新・ボットの別）",
    "daifugo_refresh_reused": "リフレッシュトークンが二度使われたため終了したセッションの数",
    "daifugo_accounts_deleted": "本人が削除したアカウントの数",
}

QUESTIONS: Final = (
    ("Calls a second, by method", "毎秒の呼び出し数", "sum by (method) (rate(daifugo_calls_total[5m]))"),
    (
        "Share of calls that failed by the server's fault",
        "サーバー側の失敗の割合",
        'sum(rate(daifugo_calls_total{code=~"INTERNAL|UNAVAILABLE"}[5m])) / sum(rate(daifugo_calls_total[5m]))',
    ),
    (
        "How long 99 of 100 actions take to be answered",
        "行動の応答時間（99%）",
        'histogram_quantile(0.99, sum by (le) (rate(daifugo_call_seconds_bucket{method="Act"}[5m])))',
    ),
    (
        "Which part of an action takes the time",
        "行動のどの部分が遅いか",
        "sum by (part) (rate(daifugo_action_seconds_sum[5m])) / sum by (part) (rate(daifugo_action_seconds_count[5m]))",
    ),
    ("How full the server is", "混み具合", "sum(daifugo_tables)"),
    ("People who are playing", "座っている人の数", 'sum(daifugo_seats{by="person"})'),
    (
        "Share of actions taken because somebody slept",
        "時間切れになった行動の割合（人の席）",
        'sum(rate(daifugo_time_outs_total{seat="person"}[15m])) / sum(rate(daifugo_actions_total[15m]))',
    ),
    ("Streams that cannot keep up", "遅れたストリーム", "sum(rate(daifugo_watchers_fell_behind_total[5m]))"),
    ("Anything that must wake somebody", "すぐに見るべきもの", "increase(daifugo_bugs_total[10m]) > 0"),
    ("The journal fails", "記録の失敗", "increase(daifugo_journal_failures_total[10m]) > 0"),
)
"""What operators ask, in both languages, and how to ask it."""

HEAD: Final = """\
# Metrics

<!-- Written by `.venv/bin/python -m tests.metrics`; a test fails while it is stale. -->

A service started with `--admin-port` (or `DAIFUGO_ADMIN_PORT`) answers there over HTTP in the format of Prometheus.
No label names a table, a player, a ticket or a token, so the number of series does not grow with use.
Health is `grpc.health.v1` on the port of the service, per service; it is NOT_SERVING from the signal to stop on, and
for the matchmaker until the game service has answered whether its queues can be played.

`--admin-port` を付けて起動すると、その番号の HTTP ポートで Prometheus 形式の数値を返す。
卓・人・トークンを表すラベルはない。
"""

Kept = MetricWrapperBase | Counts | Spans


def collectors(service: str) -> list[Kept]:
    """List what a service keeps, in the order of the code."""
    return [each for each in vars(SERVICES[service]()).values() if isinstance(each, MetricWrapperBase | Counts | Spans)]


def page() -> str:
    """Write the page."""
    return "\n".join(lines()) + "\n"


def lines() -> Iterator[str]:
    """Iterate over the lines of the page."""
    yield HEAD
    for service in SERVICES:
        yield f"## The {service} service\n"
        yield "| name | type | unit | labels | what | 日本語 |"
        yield "|---|---|---|---|---|---|"
        for each in collectors(service):
            yield row(each)
        yield ""
    yield "## Questions\n"
    yield "| question | 日本語 | PromQL |"
    yield "|---|---|---|"
    for english, japanese, query in QUESTIONS:
        yield f"| {english} | {japanese} | `{query.replace('|', chr(92) + '|')}` |"


def row(collector: Kept) -> str:
    """Write what there is to say of a metric."""
    (family,) = collector.describe()
    name = family.name + ("_total" if family.type == "counter" else "")
    unit = "seconds" if family.name.endswith("_seconds") else "count"
    labels = "; ".join([f"`{label}`: {said(family.name, label)}" for label in labels_of(collector)])
    return f"| `{name}` | {family.type} | {unit} | {labels} | {family.documentation} | {JAPANESE[family.name]} |"


def said(metric: str, label: str) -> str:
    """Say what a label can be."""
    return LABELS.get(f"{metric}.{label}") or LABELS[label]


def labels_of(collector: Kept) -> tuple[str, ...]:
    """Return the names of a metric's labels; the library tells them nowhere else before there are series."""
    return collector.labels if isinstance(collector, Counts | Spans) else tuple(collector._labelnames)
