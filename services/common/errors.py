"""What can be refused, and how a refusal travels: one dictionary from reasons to statuses, and its details."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from services.common.texts import TEXTS

DOMAIN: Final = "daifugo.v1"
DETAILS_KEY: Final = "grpc-status-details-bin"

MOST_TEXT: Final = 720
MOST_FIELD_TEXT: Final = 200
MOST_FIELDS: Final = 8
"""Bytes of a message, bytes of what is said of a field, and fields. Clients drop trailers of more than 8 kB, where
each letter of a Japanese message takes nine bytes, and twelve more in the details."""


@dataclass(frozen=True)
class FieldProblem:
    """What is wrong with one field of a request, in both languages."""

    field: str
    ja: str
    en: str

    def said(self, locale: str) -> str:
        """Return what is wrong in a language."""
        return self.ja if locale == "ja" else self.en


class Refused(Exception):
    """A call that is refused for a published reason. Nothing has changed.

    `details` makes what else belongs to the refusal, in the caller's language. `retry_seconds` says when the same
    request is worth sending again.
    """

    def __init__(
        self,
        reason: str,
        *,
        fields: Sequence[FieldProblem] = (),
        retry_seconds: float | None = None,
        metadata: Mapping[str, str] | None = None,
        details: Callable[[str], Message] | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fields = tuple(fields)
        self.retry_seconds = retry_seconds
        self.metadata = dict(metadata or {})
        self.details = details

    @property
    def code(self) -> StatusCode:
        """The status code that the reason comes with."""
        return TEXTS[self.reason].code


def malformed(field: str, ja: str, en: str, reason: str = "MALFORMED") -> Refused:
    """Refuse a request because of one of its fields."""
    return Refused(reason, fields=[FieldProblem(field, ja, en)])


def message_of(refused: Refused, locale: str) -> str:
    """Say why a call was refused, in one sentence or two."""
    sentence = TEXTS[refused.reason].said(locale)
    said = " ".join(
        [f"{each.field}: {each.said(locale)}" if each.field else each.said(locale) for each in refused.fields]
    )
    return shortened(f"{sentence} {said}".strip(), MOST_TEXT)


def shortened(text: str, most_bytes: int) -> str:
    """Return a text of no more than so many bytes; where something was cut off it ends with an ellipsis."""
    data = text.encode()
    if len(data) <= most_bytes:
        return text
    return data[: most_bytes - 3].decode(errors="ignore") + "…"


def status_of(refused: Refused, locale: str) -> Status:
    """Write a refusal as a google.rpc.Status with its details."""
    text = message_of(refused, locale)
    details: list[Message] = [
        ErrorInfo(reason=refused.reason, domain=DOMAIN, metadata=refused.metadata),
        LocalizedMessage(locale=locale, message=text),
    ]
    if any(each.field for each in refused.fields):
        violations = [
            BadRequest.FieldViolation(
                field=each.field, description=shortened(each.said(locale), MOST_FIELD_TEXT), reason=refused.reason
            )
            for each in refused.fields[:MOST_FIELDS]
        ]
        details.append(BadRequest(field_violations=violations))
    if refused.retry_seconds is not None:
        delay = Duration()
        delay.FromMilliseconds(int(refused.retry_seconds * 1000))
        details.append(RetryInfo(retry_delay=delay))
    if refused.details is not None:
        details.append(refused.details(locale))
    status = Status(code=refused.code.value[0], message=text)
    for detail in details:
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    return status
