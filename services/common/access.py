"""Who may call what. A method that is not here is served to nobody: nothing is open by oversight."""

from __future__ import annotations

from typing import Final

from services.common.auth import Identity
from services.common.errors import Refused

OPEN: Final = "open"
"""Needs no token: it is how one comes by it."""
ANYBODY: Final = "anybody"
"""Needs an identity, and nothing else."""
PERSON: Final = "person"
"""Is not for bots."""
PLAY: Final = "play"
HOST: Final = "host"
QUEUE: Final = "queue"
"""What a bot may have been given leave for: numbers 1, 2 and 3 of the published BotScope, in this order."""
SCOPES: Final = (PLAY, HOST, QUEUE)

ACCESS: Final[dict[str, dict[str, str]]] = {
    "daifugo.v1.GameService": {
        "CreateTable": HOST,
        "GetTable": ANYBODY,
        "ListTables": ANYBODY,
        "JoinTable": PLAY,
        "LeaveTable": PLAY,
        "SetSeat": HOST,
        "KickSeat": HOST,
        "MoveSeat": PLAY,
        "TransferHost": HOST,
        "UpdateTable": HOST,
        "SetSeatOptions": PLAY,
        "RenewInviteCode": HOST,
        "StartMatch": HOST,
        "EndMatch": HOST,
        "Act": PLAY,
        "Watch": ANYBODY,
        "ListEvents": ANYBODY,
        "GetView": ANYBODY,
        "GetLegalActions": PLAY,
        "CheckAction": PLAY,
        "GetHint": PLAY,
    },
    "daifugo.v1.DriveService": {"Drive": PLAY},
    "daifugo.v1.RecordService": {
        "GetRecord": ANYBODY,
        "ListRecords": ANYBODY,
        "StreamRecord": ANYBODY,
        "ExportRecords": ANYBODY,
        "ImportRecords": ANYBODY,
        "ForgetMe": ANYBODY,
    },
    "daifugo.v1.RulesService": {
        "ListRules": ANYBODY,
        "ListPresets": ANYBODY,
        "CheckRuleset": ANYBODY,
        "DescribeDeck": ANYBODY,
        "ListReasons": ANYBODY,
    },
    "daifugo.v1.MatchmakerService": {
        "CreateTicket": QUEUE,
        "WatchTicket": QUEUE,
        "GetTicket": QUEUE,
        "DeleteTicket": QUEUE,
        "ListQueues": ANYBODY,
    },
    "daifugo.v1.IdentityService": {
        "SignInGuest": OPEN,
        "SignInBot": OPEN,
        "Refresh": OPEN,
        "SignOut": OPEN,
        "GetAccount": ANYBODY,
        "SetDisplayName": PERSON,
        "DeleteAccount": PERSON,
        "CreateBotKey": PERSON,
        "ListBotKeys": PERSON,
        "RevokeBotKey": PERSON,
    },
}


def access_to(path: str) -> str:
    """Return who may call a method, by its path. A KeyError is a method that nobody has decided about."""
    service, _, method = path.strip("/").partition("/")
    return ACCESS[service][method]


def check_access(access: str, who: Identity) -> None:
    """Refuse somebody whose identity does not include this."""
    if access == PERSON:
        if who.bot:
            raise Refused("SCOPE_MISSING", metadata={"scope": PERSON})
    elif access in SCOPES and who.scopes is not None and access not in who.scopes:
        raise Refused("SCOPE_MISSING", metadata={"scope": access})
