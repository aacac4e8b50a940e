/** One table as a watch sees it: the view so far, the cursor reached, and how the next message changes them. */

import { type Batch, type Cursor, type GoingAway, type Notice, type WatchResponse } from "../gen/daifugo/v1/game_pb.js";
import { GoingAwayReason, SnapshotReason } from "../gen/daifugo/v1/game_pb.js";
import type { Event, View } from "../gen/daifugo/v1/view_pb.js";
import { UnknownEvent, folded } from "./fold.ts";

/** What a watch has learned. Views are values: the next update has another one. */
export interface Update {
  readonly view: View;
  readonly cursor: Cursor;
  /**
   * Why it comes: a snapshot replaced everything, a version brought events, the stream goes on after the cursor, a
   * notice changed something without a version, or the connection was lost and is being made again.
   */
  readonly cause: "snapshot" | "events" | "resumed" | "notice" | "lost";
  /** For "events": what happened, in order. */
  readonly events: readonly Event[];
  /** For "snapshot": why it came. */
  readonly snapshot?: SnapshotReason;
}

/** The watch is over for good: another device took its place, or the table is closed. */
export class WatchEnded extends Error {
  override readonly name = "WatchEnded";
  readonly reason: GoingAwayReason;

  constructor(reason: GoingAwayReason) {
    super(`the watch is over: ${GoingAwayReason[reason]}`);
    this.reason = reason;
  }
}

const OTHER_EYES: readonly GoingAwayReason[] = [GoingAwayReason.SEAT_LOST, GoingAwayReason.EYES_CHANGED];
const FOR_GOOD: readonly GoingAwayReason[] = [GoingAwayReason.SUPERSEDED, GoingAwayReason.TABLE_CLOSED];

/** Follows one table through as many streams as it takes. It does no input and output of its own. */
export class Watch {
  view: View | undefined;
  cursor: Cursor | undefined;
  /** What the server said before it ended the stream. */
  goingAway: GoingAway | undefined;
  /** Whether the stream ended only because it was old: nothing is lost. */
  isRenewed = false;

  /** Begin with a snapshot next time. */
  forget(): void {
    this.view = undefined;
    this.cursor = undefined;
  }

  /** Tell what was seen last, because the connection is lost. Nothing if nothing was seen yet. */
  *lost(): Generator<Update> {
    yield* this.#update("lost");
  }

  /** Take the server's goodbye: throw WatchEnded, or return how long it asked to wait before watching again. */
  farewell(): number {
    const notice = this.goingAway;
    this.goingAway = undefined;
    this.isRenewed = notice?.reason === GoingAwayReason.MAX_AGE;
    if (!notice) return 0;
    if (FOR_GOOD.includes(notice.reason)) throw new WatchEnded(notice.reason);
    if (OTHER_EYES.includes(notice.reason)) this.forget();
    const after = notice.reconnectAfter;
    return after ? Number(after.seconds) * 1000 + after.nanos / 1e6 : 0;
  }

  /** Let a message change view and cursor, one update at a time. Returns false if only a snapshot can help now. */
  *take({ message }: WatchResponse): Generator<Update, boolean> {
    switch (message.case) {
      case "snapshot":
        this.view = message.value.view;
        this.cursor = message.value.cursor;
        yield* this.#update("snapshot", [], message.value.reason);
        return true;
      case "resumed":
        yield* this.#update("resumed");
        return true;
      case "batches":
        for (const batch of message.value.batches) {
          if (!(yield* this.#takeBatch(batch))) return false;
        }
        return true;
      case "notice":
        yield* this.#takeNotice(message.value);
        return true;
      default: // newer than this client, and of no consequence for the view
        return true;
    }
  }

  *#takeBatch(batch: Batch): Generator<Update, boolean> {
    if (!this.view || !this.cursor || !batch.cursor) return true;
    if (batch.cursor.version <= this.cursor.version && batch.cursor.epoch === this.cursor.epoch) return true;
    if (batch.cursor.version !== this.cursor.version + 1n) {
      this.forget();
      return false;
    }
    try {
      this.view = folded(this.view, batch.events);
    } catch (error) {
      if (!(error instanceof UnknownEvent)) throw error;
      this.forget();
      return false;
    }
    this.cursor = batch.cursor;
    yield* this.#update("events", batch.events);
    return true;
  }

  *#takeNotice({ notice }: Notice): Generator<Update> {
    if (notice.case === "goingAway") {
      this.goingAway = notice.value;
    } else if (notice.case === "presence" && this.view) {
      const { seat, connected } = notice.value;
      const change = (each: View["seats"][number], index: number) =>
        index === seat && each.seat ? { ...each, seat: { ...each.seat, connected } } : each;
      this.view = { ...this.view, seats: this.view.seats.map(change) };
      yield* this.#update("notice");
    } else if (notice.case === "deadlineChanged" && this.view) {
      const { decisionId, deadline, remaining } = notice.value;
      const asked = this.view.asked.map((each) =>
        each.decisionId === decisionId && deadline ? { ...each, deadline } : each,
      );
      this.view = { ...this.view, asked };
      if (this.view.decision?.id === decisionId) {
        const now = { ...(deadline && { deadline }), ...(remaining && { remaining }) };
        this.view.decision = { ...this.view.decision, ...now };
      }
      yield* this.#update("notice");
    } else if (notice.case === "heartbeat") {
      yield* this.#update("notice");
    }
  }

  *#update(cause: Update["cause"], events: readonly Event[] = [], snapshot?: SnapshotReason): Generator<Update> {
    if (!this.view || !this.cursor) return;
    yield { view: this.view, cursor: this.cursor, cause, events, ...(snapshot !== undefined && { snapshot }) };
  }
}
