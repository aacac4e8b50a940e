/** The command: takes a seat at a table, or creates one, and plays a match. */

import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { toJson } from "@bufbuild/protobuf";
import { CursorSchema } from "../gen/daifugo/v1/game_pb.js";
import { ViewSchema, type View } from "../gen/daifugo/v1/view_pb.js";
import { cardText } from "./cards.ts";
import { Guest, newDeviceSecret } from "./guest.ts";
import { connect } from "./node.ts";
import { Player, byLot, first } from "./player.ts";
import { Refused } from "./refused.ts";
import { Session } from "./session.ts";
import { WatchEnded, type Update } from "./watch.ts";

const USAGE = `node src/main.ts [--address HOST:PORT] [--table ID | --preset jdf4 --games 4] ...

  --address   the service; localhost:50051 if left out
  --token     who is playing; $DAIFUGO_TOKEN, or a new identity
  --identity  an identity service at which to be a guest instead, by $DAIFUGO_DEVICE_SECRET or a new secret
  --table     the table to sit down at; without it a new one is created, and its id printed
  --code      the invite code of the table to sit down at, instead of its id
  --preset    for a new table: what it is played by; jdf4 if left out
  --rule      for a new table: a rule to switch on, such as seven_pass; as often as wanted
  --games     for a new table: how long the match is; what the preset says if left out
  --name      what others call this player
  --policy    "random" or "first": which of the legal actions to take
  --bot       say that it is a bot: seats for bots, and no pause between games at a table of bots only
  --language  of refusals: en or ja
  --views     a file to which every view is written, as one line of JSON`;

const { values } = parseArgs({
  options: {
    address: { type: "string", default: "localhost:50051" },
    token: { type: "string", default: process.env["DAIFUGO_TOKEN"] ?? crypto.randomUUID() },
    identity: { type: "string" },
    table: { type: "string" },
    code: { type: "string" },
    preset: { type: "string", default: "jdf4" },
    rule: { type: "string", multiple: true, default: [] },
    games: { type: "string" },
    name: { type: "string", default: "TypeScript" },
    policy: { type: "string", default: "random" },
    bot: { type: "boolean", default: false },
    language: { type: "string", default: "en" },
    views: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function main(): Promise<void> {
  const connection = connect(values.address);
  const identity = values.identity === undefined ? undefined : connect(values.identity);
  try {
    const secret = process.env["DAIFUGO_DEVICE_SECRET"] ?? newDeviceSecret();
    const token = identity ? new Guest(identity.transport, secret, values.name) : values.token;
    const session = await Session.open(connection.transport, { token, language: values.language });
    const { code } = values;
    const tableId = code ? (await session.invited(code)).id : (values.table ?? (await create(session)));
    console.log(`table ${tableId}`);
    await session.join(tableId, { name: values.name, bot: values.bot, ...(code && { inviteCode: code }) });
    let last: View | undefined;
    for await (const update of new Player(session, tableId, values.policy === "first" ? first : byLot).play()) {
      if (values.views) write(values.views, update);
      if (update.cause === "events") tell(update);
      last = update.view;
    }
    console.log(`shuffles: ${await session.fairness(tableId)}`);
    for (const { seat, total } of last?.seats ?? []) console.log(`total ${seat?.displayName}: ${total}`);
  } finally {
    connection.close();
    identity?.close();
  }
}

async function create(session: Session): Promise<string> {
  const format = values.games === undefined ? {} : { format: { games: Number(values.games) } };
  const settings = values.rule.map((id) => ({ id, value: { case: "flag" as const, value: true } }));
  return (await session.createTable({ ruleset: { preset: values.preset, settings }, ...format })).id;
}

function tell({ view, events }: Update): void {
  const name = (seat: number | undefined) => view.seats[seat ?? -1]?.seat?.displayName ?? "?";
  for (const { event } of events) {
    if (event.case === "gameStarted") console.log(`game ${event.value.game} of ${view.games}`);
    else if (event.case === "cardsMoved" && event.value.play) {
      console.log(`${name(event.value.fromSeat)}: ${event.value.cards.map(cardText).join(" ")}`);
    } else if (event.case === "finished") console.log(`${name(event.value.seat)}: place ${event.value.place}`);
  }
}

function write(file: string, { cause, cursor, view }: Update): void {
  const line = { cause, cursor: toJson(CursorSchema, cursor), view: toJson(ViewSchema, view) };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

if (values.help) {
  console.log(USAGE);
} else {
  try {
    await main();
  } catch (problem) {
    if (!(problem instanceof Refused || problem instanceof WatchEnded)) throw problem;
    console.error(problem instanceof Refused ? `${problem.reasonName || "no answer"}: ${problem.message}` : problem.message);
    process.exitCode = 1;
  }
}
