/** A player at one seat of one table: watches, and answers whatever its seat is asked. */

import { RetryAdvice } from "../gen/daifugo/v1/rules_pb.js";
import { TableState, type Action, type View } from "../gen/daifugo/v1/view_pb.js";
import { Refused } from "./refused.ts";
import type { Session } from "./session.ts";
import type { Update } from "./watch.ts";

/** Chooses among the legal actions of a decision. */
export type Policy = (actions: readonly Action[]) => Action | undefined;

export const first: Policy = (actions) => actions[0];
export const byLot: Policy = (actions) => actions[Math.floor(Math.random() * actions.length)];

export class Player {
  readonly #session: Session;
  readonly #tableId: string;
  readonly #policy: Policy;
  #answered = 0n;
  #started = false;
  #hasPlayed = false;

  constructor(session: Session, tableId: string, policy: Policy = byLot) {
    this.#session = session;
    this.#tableId = tableId;
    this.#policy = policy;
  }

  /** Play until the match is over, telling every update on the way. The host starts the match once all have come. */
  async *play(signal?: AbortSignal): AsyncGenerator<Update, void> {
    for await (const update of this.#session.watch(this.#tableId, signal)) {
      yield update;
      const { view } = update;
      if (this.#isOver(view)) return;
      if (update.cause === "lost") continue;
      if (isFullAndMine(view)) await this.#start();
      if (view.decision && view.decision.id !== this.#answered) await this.#answer(view.decision.id);
    }
  }

  /** Tell the end of a match from a table that waits for its next one. */
  #isOver({ state }: View): boolean {
    this.#hasPlayed ||= state === TableState.RUNNING;
    return state === TableState.CLOSED || (this.#hasPlayed && state === TableState.ENDED);
  }

  async #start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    await unlessOutdated(this.#session.startMatch(this.#tableId));
  }

  /** Answer a decision, once. If it is gone meanwhile, the next update tells what is asked now. */
  async #answer(decisionId: bigint): Promise<void> {
    this.#answered = decisionId;
    await unlessOutdated(this.#choose(decisionId));
  }

  async #choose(decisionId: bigint): Promise<void> {
    for await (const actions of this.#session.legalActions(this.#tableId, decisionId)) {
      const action = this.#policy(actions);
      if (!action) continue;
      await this.#session.act(this.#tableId, decisionId, action);
      return;
    }
  }
}

function isFullAndMine({ state, seat, seats }: View): boolean {
  const mine = seat !== undefined && seats[seat]?.seat?.host;
  return state === TableState.OPEN && Boolean(mine) && seats.every((each) => each.seat?.occupied);
}

async function unlessOutdated(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (problem) {
    if (!(problem instanceof Refused) || problem.advice !== RetryAdvice.REFETCH) throw problem;
  }
}
