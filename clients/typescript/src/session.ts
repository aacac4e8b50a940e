/**
 * A session with the service: one identity, one language, one connection that comes back by itself.
 *
 * It knows no transport: over HTTP/2 gRPC (`node.ts`) it is the same as over gRPC-Web in a browser or on a phone.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type CallOptions, type Client, type Transport } from "@connectrpc/connect";
import {
  GameService,
  type ActResponse,
  type CheckActionResponse,
  type CreateTableRequestSchema,
  type Cursor,
  type GetViewResponse,
  type Hint,
  type ListEventsResponse,
  type Table,
} from "../gen/daifugo/v1/game_pb.js";
import { RecordService, type StreamRecordRequestSchema } from "../gen/daifugo/v1/record_pb.js";
import { RetryAdvice, RulesService, type Reason } from "../gen/daifugo/v1/rules_pb.js";
import { TableState, type Action, type ActionSchema } from "../gen/daifugo/v1/view_pb.js";
import { Backoff } from "./backoff.ts";
import { verdict, witness, type Verdict, type Witness } from "./fairness.ts";
import { Refused, refused, type Advice } from "./refused.ts";
import { Watch, type Update } from "./watch.ts";

/** Has a token that holds for a while. */
export interface Renewing {
  token(): Promise<string>;
  /** Let there be another token next time. */
  forget(): void;
}

export interface SessionOptions {
  /** Says who calls: a text, or somebody whose tokens end, such as a Guest. Without accounts, any text of one's own. */
  token: string | Renewing;
  /** The language of refusals: "ja" or "en". */
  language?: string;
  /** The deadline of a call other than a stream. */
  callMs?: number;
  /** A stream without even a heartbeat for so long is taken for dead. */
  silenceMs?: number;
  /** How long to keep trying to reach the service before giving up. */
  patienceMs?: number;
  random?: () => number;
}

type Method<I, O> = (request: I, options?: CallOptions) => Promise<O>;

export class Session {
  readonly game: Client<typeof GameService>;
  readonly records: Client<typeof RecordService>;
  readonly rules: Client<typeof RulesService>;
  readonly #token: string | Renewing;
  readonly #language: string;
  readonly #options: Required<Omit<SessionOptions, "token" | "language">>;
  readonly #witnesses = new Map<string, Witness>();
  #advice: Advice = new Map();

  private constructor(transport: Transport, { token, language = "en", ...options }: SessionOptions) {
    this.game = createClient(GameService, transport);
    this.records = createClient(RecordService, transport);
    this.rules = createClient(RulesService, transport);
    this.#token = token;
    this.#language = language;
    this.#options = { callMs: 10_000, silenceMs: 120_000, patienceMs: 60_000, random: Math.random, ...options };
  }

  /** Begin a session, and learn what the service advises about each of its reasons. */
  static async open(transport: Transport, options: SessionOptions): Promise<Session> {
    const session = new Session(transport, options);
    const { reasons } = await session.call(session.rules.listReasons, {});
    session.#advice = new Map<Reason, RetryAdvice>(reasons.map((each) => [each.reason, each.advice]));
    return session;
  }

  /** Make a call; send the same again for as long as that is what to do. Throws Refused. */
  async call<I, O>(method: Method<I, O>, request: I): Promise<O> {
    const { callMs, patienceMs, random } = this.#options;
    const backoff = new Backoff(random);
    const end = Date.now() + patienceMs;
    for (;;) {
      try {
        return await method(request, { headers: await this.#headers(), timeoutMs: callMs });
      } catch (thrown) {
        const problem = refused(thrown, this.#advice);
        const wait = backoff.next(problem.retryMs);
        if (!this.#again(problem) || Date.now() + wait > end) throw problem;
        await sleep(wait);
      }
    }
  }

  async #headers(): Promise<Record<string, string>> {
    const token = typeof this.#token === "string" ? this.#token : await this.#token.token();
    return { authorization: `Bearer ${token}`, "accept-language": this.#language };
  }

  /** Whether the same may well succeed later; where only the token has ended, with another one. */
  #again(problem: Refused): boolean {
    if (problem.reasonName !== "TOKEN_EXPIRED" || typeof this.#token === "string") {
      return problem.advice === RetryAdvice.SAME;
    }
    this.#token.forget();
    return true;
  }

  /** Create a table; the caller is its host, and sits down with `join` as everybody does. */
  async createTable(wanted: Omit<MessageInitShape<typeof CreateTableRequestSchema>, "requestId">): Promise<Table> {
    const request = { ...wanted, requestId: crypto.randomUUID() } as MessageInitShape<typeof CreateTableRequestSchema>;
    return given((await this.call(this.game.createTable, request)).table);
  }

  /** Return the table that an invite code leads to. */
  async invited(inviteCode: string): Promise<Table> {
    return given((await this.call(this.game.getTable, { inviteCode })).table);
  }

  /**
   * Take a seat; left out, the first that is free. Returns its number. A private table wants its invite code.
   *
   * What the player gives to the shuffles goes out when the service has committed itself; `fairness` checks it later.
   */
  async join(tableId: string, as: { name: string; seat?: number; bot?: boolean; inviteCode?: string }): Promise<number> {
    const { name: displayName, ...wanted } = as;
    const { inviteCode = "" } = as;
    const { table } = await this.call(this.game.getTable, { tableId, inviteCode });
    const own = witness(table?.shuffle, table?.state === TableState.RUNNING);
    const { clientSeed } = own;
    const request = { requestId: crypto.randomUUID(), tableId, displayName, clientSeed, ...wanted };
    const { seat } = await this.call(this.game.joinTable, request);
    this.#witnesses.set(tableId, own);
    return seat;
  }

  /** Say of the match that was played last whether its shuffles were fair, as far as this player can tell. */
  async fairness(tableId: string): Promise<Verdict> {
    const own = this.#witnesses.get(tableId);
    const { table } = await this.call(this.game.getTable, { tableId });
    if (!own || table?.yourSeat === undefined) return "unchecked";
    return verdict(own, table.shuffle, table.yourSeat);
  }

  /** Start a match. For the host, when every seat is occupied. */
  async startMatch(tableId: string): Promise<void> {
    await this.call(this.game.startMatch, { requestId: crypto.randomUUID(), tableId });
  }

  /** Answer a decision. Its id is the guard: the same answer sent again has no further effect. */
  act(tableId: string, decisionId: bigint, action: MessageInitShape<typeof ActionSchema>): Promise<ActResponse> {
    return this.call(this.game.act, { tableId, decisionId, action });
  }

  /** Where streams are not to be had: wait for what happens after a cursor. Call again with the cursor of the answer. */
  listEvents(tableId: string, after?: Cursor, waitMs = 5000): Promise<ListEventsResponse> {
    const wait = { seconds: BigInt(Math.floor(waitMs / 1000)), nanos: (waitMs % 1000) * 1e6 };
    return this.call(this.game.listEvents, { tableId, wait, ...(after && { after }) });
  }

  /** Let a stand-in play the seat from now on, or take it back. */
  async setStandIn(tableId: string, standIn: boolean): Promise<void> {
    await this.call(this.game.setSeatOptions, { tableId, standIn });
  }

  /** Let the own seat pass by itself when it can do nothing else, or not, at a table whose ruleset has that. */
  async setAutoPass(tableId: string, autoPass: boolean): Promise<void> {
    await this.call(this.game.setSeatOptions, { tableId, autoPass });
  }

  getView(tableId: string): Promise<GetViewResponse> {
    return this.call(this.game.getView, { tableId });
  }

  /** Fetch what may be done now, by page: there can be thousands of actions, and most clients need the first page. */
  async *legalActions(tableId: string, decisionId: bigint, pageSize = 200): AsyncGenerator<Action[]> {
    let pageToken = "";
    do {
      const page = await this.call(this.game.getLegalActions, { tableId, decisionId, pageSize, pageToken });
      yield page.actions.map((legal) => given(legal.action));
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /** Say what would come of an action, or what speaks against it, without doing it. */
  checkAction(
    tableId: string,
    decisionId: bigint,
    action: MessageInitShape<typeof ActionSchema>,
  ): Promise<CheckActionResponse> {
    return this.call(this.game.checkAction, { tableId, decisionId, action });
  }

  /** Say what might well be done now, the best first; refused with HINTS_OFF where the table has no hints. */
  async hints(tableId: string, decisionId: bigint, most = 3): Promise<Hint[]> {
    return (await this.call(this.game.getHint, { tableId, decisionId, most })).hints;
  }

  /**
   * Follow a table. Lost connections are made again from the cursor reached, so that each version is seen once.
   *
   * Throws WatchEnded when there is nothing more to see, and Refused when the service says no for good or cannot be
   * reached for `patienceMs`. Leaving the loop, or aborting the signal, ends the stream.
   */
  async *watch(tableId: string, signal?: AbortSignal): AsyncGenerator<Update, void> {
    const watch = new Watch();
    const backoff = new Backoff(this.#options.random);
    let reached = Date.now();
    while (!signal?.aborted) {
      let asked = 0;
      try {
        for await (const update of this.#stream(watch, tableId, signal)) {
          reached = Date.now();
          backoff.reset();
          yield update;
        }
      } catch (thrown) {
        if (signal?.aborted) return;
        const problem = refused(thrown, this.#advice);
        watch.goingAway = undefined;
        if (!this.#again(problem) || Date.now() - reached > this.#options.patienceMs) throw problem;
        asked = problem.retryMs;
      }
      asked = Math.max(asked, watch.farewell());
      if (!watch.isRenewed) yield* watch.lost();
      await sleep(backoff.next(asked), signal);
    }
  }

  /** See a match again, from its record: a snapshot, and then version by version. Throws Refused. */
  async *again(match: MessageInitShape<typeof StreamRecordRequestSchema>, signal?: AbortSignal): AsyncGenerator<Update> {
    const seen = new Watch();
    try {
      const headers = await this.#headers();
      for await (const { message } of this.records.streamRecord(match, { headers, ...(signal && { signal }) })) {
        if (message) yield* seen.take(message);
      }
    } catch (thrown) {
      throw refused(thrown, this.#advice);
    }
  }

  /** Read one stream until it ends, falls silent, or cannot be followed any more. */
  async *#stream(watch: Watch, tableId: string, signal?: AbortSignal): AsyncGenerator<Update, void> {
    const stop = new AbortController();
    const end = () => stop.abort();
    signal?.addEventListener("abort", end, { once: true });
    let silence: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(end, this.#options.silenceMs);
    };
    try {
      const request = { tableId, ...(watch.cursor && { after: watch.cursor }) };
      listen();
      const headers = await this.#headers();
      for await (const message of this.game.watch(request, { headers, signal: stop.signal })) {
        listen();
        if (!(yield* watch.take(message))) return;
      }
    } catch (thrown) {
      // a stream that fell silent is like one that ended
      if (!stop.signal.aborted || signal?.aborted) throw thrown;
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener("abort", end);
      end();
    }
  }
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the service left out what it always sends");
  return value;
}

/** Wait; an aborted signal ends it early. */
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
