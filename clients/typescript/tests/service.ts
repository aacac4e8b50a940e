/** A service in this process that does as a test tells it, behind the transport that clients use. */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { GameService, WatchResponseSchema, type Cursor, type WatchResponse } from "../gen/daifugo/v1/game_pb.js";
import { GoingAwayReason } from "../gen/daifugo/v1/game_pb.js";
import { ErrorInfoSchema, LocalizedMessageSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { RecordService } from "../gen/daifugo/v1/record_pb.js";
import { Reason, RetryAdvice, RulesService } from "../gen/daifugo/v1/rules_pb.js";
import type { Event } from "../gen/daifugo/v1/view_pb.js";
import { Session } from "../src/session.ts";

export const EPOCH = 7n;

export type Stream = AsyncIterable<WatchResponse>;

/** Streams one after the other, and what was asked for when each began. */
export class Script {
  readonly asked: (bigint | undefined)[] = [];
  readonly #streams: ((signal: AbortSignal) => Stream)[];

  constructor(...streams: ((signal: AbortSignal) => Stream)[]) {
    this.#streams = streams;
  }

  next(after: Cursor | undefined, signal: AbortSignal): Stream {
    this.asked.push(after?.version);
    const stream = this.#streams[this.asked.length - 1];
    if (!stream) throw new ConnectError("the script is over", Code.NotFound);
    return stream(signal);
  }
}

export function session(game: Partial<ServiceImpl<typeof GameService>>, silenceMs = 60_000): Promise<Session> {
  const transport = createRouterTransport(({ service }) => {
    service(GameService, { getTable: () => ({ table: { id: "t" } }), ...game });
    service(RulesService, {
      listReasons: () => ({
        reasons: [
          { reason: Reason.TOO_SLOW, name: "TOO_SLOW", advice: RetryAdvice.SAME },
          { reason: Reason.TABLE_FULL, name: "TABLE_FULL", advice: RetryAdvice.REFETCH },
        ],
      }),
    });
  });
  return Session.open(transport, { token: "mio", silenceMs, random: () => 0 });
}

/** A session with a service that has the record of one match, told in these messages. */
export function recording(...messages: Message[]): Promise<Session> {
  const transport = createRouterTransport(({ service }) => {
    service(RulesService, { listReasons: () => ({ reasons: [] }) });
    service(RecordService, {
      streamRecord: async function* ({ matchId }) {
        if (matchId !== "m") throw refusal(Code.NotFound, "RECORD_NOT_FOUND", "There is no record of that match.");
        for (const message of messages) yield { message };
      },
    });
  });
  return Session.open(transport, { token: "mio" });
}

export function watching(script: Script, silenceMs?: number): Promise<Session> {
  return session({ watch: (request, context) => script.next(request.after, context.signal) }, silenceMs);
}

export function refusal(code: Code, reason: string, text = "", retryMs?: number): ConnectError {
  const details = [
    { desc: ErrorInfoSchema, value: { domain: "daifugo.v1", reason } },
    { desc: LocalizedMessageSchema, value: { locale: "en", message: text } },
  ];
  const retryDelay = { seconds: 0n, nanos: (retryMs ?? 0) * 1e6 };
  const retry = retryMs === undefined ? [] : [{ desc: RetryInfoSchema, value: { retryDelay } }];
  return new ConnectError(text, code, undefined, [...details, ...retry]);
}

type Message = Exclude<Parameters<typeof create<typeof WatchResponseSchema>>[1], undefined>;

/** A stream that sends messages and then ends, or fails. */
export function sends(...items: (Message | ConnectError)[]): () => Stream {
  return async function* () {
    for (const item of items) {
      if (item instanceof ConnectError) throw item;
      yield create(WatchResponseSchema, item);
    }
  };
}

/** A stream that sends messages and then nothing more. */
export function fallsSilent(...items: Message[]): (signal: AbortSignal) => Stream {
  return async function* (signal) {
    yield* sends(...items)();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
}

const cursor = (version: number) => ({ epoch: EPOCH, version: BigInt(version) });

export function snapshot(version: number): Message {
  const seats = [{ seat: { index: 0, occupied: true } }, { seat: { index: 1 } }];
  return { message: { case: "snapshot", value: { cursor: cursor(version), view: { seats, clockwise: true } } } };
}

export function resumed(version: number): Message {
  return { message: { case: "resumed", value: { cursor: cursor(version) } } };
}

type Happened = Partial<Pick<Event, "event">>;

/** A version in which the given events happened, and nothing if none are. */
export function batch(version: number, ...events: Happened[]): Message {
  return { message: { case: "batches", value: { batches: [{ cursor: cursor(version), events: events as Event[] }] } } };
}

export function goingAway(reason: GoingAwayReason): Message {
  return { message: { case: "notice", value: { notice: { case: "goingAway", value: { reason } } } } };
}
