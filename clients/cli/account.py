"""`daifugo account` and `daifugo bot-key`: the guest of this device at an identity service, and keys of its bots."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from clients.cli.console import Console
from clients.cli.device import forget_secret, guest_of
from clients.cli.running import run
from clients.cli.text import Text
from clients.cli.texts import Words, language_of
from clients.common.errors import answered
from clients.common.identity import Credentials
from clients.common.session import Session
from daifugo.v1 import game_pb2, identity_pb2, record_pb2

SCOPES: Final = {
    "play": identity_pb2.BOT_SCOPE_PLAY,
    "host": identity_pb2.BOT_SCOPE_HOST,
    "queue": identity_pb2.BOT_SCOPE_QUEUE,
}
TEXTS: Final = {
    "who": Text("{name}（{id}）", "{name} ({id})"),
    "made": Text("アカウントを作りました: {name}（{id}）", "Your account has been made: {name} ({id})"),
    "renamed": Text("これからの名前: {name}", "From now on your name is {name}"),
    "deleted": Text("アカウントを削除しました。", "The account has been deleted."),
    "not_deleted": Text(
        "アカウントと名前、ボットのキーがすべて消えます。よければ --yes を付けてください。"
        "ゲームサーバーの卓と棋譜からも消すには --address も付けます。",
        "This deletes the account, its name and the keys of its bots. Say --yes if that is meant, and with --address "
        "which game service is to forget you too: its tables and records.",
    ),
    "key": Text(
        "このキーは二度と表示されません。持っている人がこのボットになります。",
        "This key is not shown again. Whoever has it is the bot.",
    ),
    "revoked": Text("失効させました: {id}", "Revoked: {id}"),
    "no_keys": Text("ボットのキーはありません。", "There are no keys of bots."),
    "unused": Text("未使用", "never used"),
    "used": Text("最後の使用 {time}", "last used {time}"),
}


def _common() -> argparse.ArgumentParser:
    """Return what every command takes, after it as people write it."""
    p = argparse.ArgumentParser(add_help=False)
    p.add_argument("--lang", choices=("ja", "en"), default=language_of(dict(os.environ)), help="language")
    p.add_argument(
        "--identity",
        metavar="ADDRESS",
        default=os.environ.get("DAIFUGO_IDENTITY", "localhost:50053"),
        help="where the identity service listens (default: $DAIFUGO_IDENTITY, or localhost:50053)",
    )
    return p


def account_parser() -> argparse.ArgumentParser:
    description = "Be the guest of this device at an identity service."
    p, common = argparse.ArgumentParser(prog="daifugo account", description=description), [_common()]
    do = p.add_subparsers(dest="do", required=True)
    sign_in = do.add_parser("sign-in", parents=common, help="sign in; the first time that makes the account")
    sign_in.add_argument("--name", default="", help="your name, if the account is made now (default: one is given)")
    do.add_parser("show", parents=common, help="show who you are")
    do.add_parser("rename", parents=common, help="change the name that others see").add_argument("name")
    delete = do.add_parser("delete", parents=common, help="delete the account, for good")
    delete.add_argument("--yes", action="store_true", help="yes, delete it")
    delete.add_argument("--address", help="a game service that is to forget you first: its tables and its records")
    return p


def bot_key_parser() -> argparse.ArgumentParser:
    description = "Keys by which bots sign in at an identity service."
    p, common = argparse.ArgumentParser(prog="daifugo bot-key", description=description), [_common()]
    do = p.add_subparsers(dest="do", required=True)
    create = do.add_parser("create", parents=common, help="make a key for a bot, and print it")
    create.add_argument("name", help="what others see the bot called")
    create.add_argument(
        "--scope",
        action="append",
        choices=sorted(SCOPES),
        default=[],
        help="what it may do besides watching; may be given several times (default: play and queue)",
    )
    do.add_parser("list", parents=common, help="list the keys")
    do.add_parser("revoke", parents=common, help="revoke a key").add_argument("id")
    return p


class Desk:
    """Does what the command line says."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console

    def say(self, key: str, **places: object) -> None:
        text: str = getattr(TEXTS[key], self.options.lang)
        self.console.say([text.format(**places)])

    async def account(self) -> None:
        """Sign in, show, rename or delete."""
        options = self.options
        if options.do == "delete" and not options.yes:
            self.say("not_deleted")
            return
        async with guest_of(options.identity, options.lang, getattr(options, "name", "")) as guest:
            if options.do == "rename":
                self.say("renamed", name=(await guest.rename(options.name)).display_name)
            elif options.do == "delete":
                if options.address:
                    await forget_at(guest, options.address)
                await guest.delete()
                forget_secret(options.identity)
                self.say("deleted")
            else:
                who = guest.account
                self.say("made" if guest.created else "who", name=who.display_name, id=who.id)

    async def bot_key(self) -> None:
        """Create, list or revoke keys."""
        options = self.options
        async with guest_of(options.identity, options.lang) as guest:
            if options.do == "create":
                scopes = [SCOPES[scope] for scope in options.scope or ("play", "queue")]
                create = identity_pb2.CreateBotKeyRequest(display_name=options.name, scopes=scopes)
                made = await guest.call(guest.service.CreateBotKey, create)
                self.console.say([made.key])
                # not on standard output, which may well go to a file of keys
                print(getattr(TEXTS["key"], options.lang), file=sys.stderr)
            elif options.do == "revoke":
                revoke = identity_pb2.RevokeBotKeyRequest(bot_key_id=options.id)
                await guest.call(guest.service.RevokeBotKey, revoke)
                self.say("revoked", id=options.id)
            else:
                listed = await guest.call(guest.service.ListBotKeys, identity_pb2.ListBotKeysRequest())
                if not listed.bot_keys:
                    self.say("no_keys")
                self.console.say([self.row(key) for key in listed.bot_keys])

    def row(self, key: identity_pb2.BotKey) -> str:
        """Write one key, without its secret."""
        names = {number: name for name, number in SCOPES.items()}
        scopes = ",".join([names.get(scope, str(scope)) for scope in key.scopes])
        used = TEXTS["used" if key.HasField("use_time") else "unused"]
        said: str = getattr(used, self.options.lang)
        when = key.use_time.ToDatetime().isoformat(sep=" ", timespec="minutes")
        return f"{key.id}  {key.account.display_name}  {scopes}  {said.format(time=when)}"


async def forget_at(who: Credentials, address: str) -> None:
    """Leave every table at a game service, and its records, so that the name goes from there too."""
    async with Session(address, who) as session:
        mine = game_pb2.ListTablesRequest(mine=True, page_size=200)
        for table in (await answered(session.game.ListTables(mine))).tables:
            if table.HasField("your_seat"):
                await answered(session.game.LeaveTable(game_pb2.LeaveTableRequest(table_id=table.id)))
        await answered(session.records.ForgetMe(record_pb2.ForgetMeRequest()))


def account(argv: list[str] | None = None) -> int:
    options = account_parser().parse_args(argv)
    return run(Desk(options, Console()).account(), Words(options.lang), options.identity)


def bot_key(argv: list[str] | None = None) -> int:
    options = bot_key_parser().parse_args(argv)
    return run(Desk(options, Console()).bot_key(), Words(options.lang), options.identity)
