"""Which methods a server has: generated code adds them here, and each call is looked up once."""

from __future__ import annotations

from collections.abc import Mapping

import grpc

from services.common.context import Handler
from services.common.edge import Edge


class Methods(grpc.GenericRpcHandler):
    """The methods of a server, by their paths, each with the edge around it.

    For generated code it is the server. The server itself is told of no single method, because grpc.aio then waits for
    each of them anew whenever any is called, which takes longer the more methods there are.
    """

    def __init__(self, edge: Edge) -> None:
        self._edge = edge
        self._unknown = edge.unknown()
        self._handlers: dict[str, Handler] = {}

    def add_generic_rpc_handlers(self, _handlers: object) -> None:
        """Take no note of methods that come again below."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        """Add the methods of a service."""
        for name, handler in handlers.items():
            path = f"/{service}/{name}"
            self._handlers[path] = self._edge.around(path, handler)

    def service(self, details: grpc.HandlerCallDetails) -> Handler:
        """Return how a call is served."""
        return self._handlers.get(details.method, self._unknown)
