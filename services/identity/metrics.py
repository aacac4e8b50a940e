"""Numbers of the identity service, for operators."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

from services.common.metrics import Metrics


class IdentityMetrics(Metrics):
    """Every number that the identity service keeps."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        super().__init__(registry)
        r = self.registry
        self._sign_ins = Counter("daifugo_sign_ins", "Tokens given, by how", ["how"], registry=r)
        self.stolen = Counter("daifugo_refresh_reused", "Sessions ended because a refresh token came twice", registry=r)
        self.deleted = Counter("daifugo_accounts_deleted", "Accounts deleted by their owners", registry=r)

    def signed_in(self, how: str) -> None:
        """Count somebody who has got a token."""
        self._sign_ins.labels(how).inc()
