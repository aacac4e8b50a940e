"""Names for types of grpc.aio that only type checkers can subscript."""

from __future__ import annotations

from typing import Any, TypeAlias

import grpc

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
"""One call, as its servicer sees it."""
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
"""How a method is served."""
