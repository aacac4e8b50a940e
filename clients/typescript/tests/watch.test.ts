import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { GoingAwayReason } from "../gen/daifugo/v1/game_pb.js";
import { Refused } from "../src/refused.ts";
import { WatchEnded, type Update } from "../src/watch.ts";
import { Script, batch, fallsSilent, goingAway, refusal, resumed, sends, snapshot, watching } from "./service.ts";

/** Follow a table to the end of the script; tell what was seen as "cause version". */
async function seen(script: Script, silenceMs?: number): Promise<string[]> {
  const told: string[] = [];
  const session = await watching(script, silenceMs);
  try {
    for await (const { cause, cursor } of session.watch("t")) told.push(`${cause} ${cursor.version}`);
  } catch (problem) {
    if (!(problem instanceof Refused) || problem.code !== Code.NotFound) throw problem;
  }
  return told;
}

test("a stream that breaks is gone on with after the version reached", async () => {
  const broken = new ConnectError("connection reset", Code.Unavailable);
  const script = new Script(sends(snapshot(3), batch(4), broken), sends(resumed(4), batch(5)));
  assert.deepEqual(await seen(script), [
    "snapshot 3", "events 4", "lost 4", "resumed 4", "events 5", "lost 5",
  ]);
  assert.deepEqual(script.asked, [undefined, 4n, 5n]);
});

test("a version that was seen already is not told again", async () => {
  assert.deepEqual(await seen(new Script(sends(snapshot(3), batch(3), batch(4)))), ["snapshot 3", "events 4", "lost 4"]);
});

test("after a gap the watch begins with a snapshot", async () => {
  const script = new Script(sends(snapshot(3), batch(5)), sends(snapshot(6)));
  assert.deepEqual(await seen(script), ["snapshot 3", "snapshot 6", "lost 6"]);
  assert.deepEqual(script.asked, [undefined, undefined, 6n]);
});

test("after an event that this client does not know the watch begins with a snapshot", async () => {
  const script = new Script(sends(snapshot(3), batch(4, {})), sends(snapshot(6)));
  assert.deepEqual(await seen(script), ["snapshot 3", "snapshot 6", "lost 6"]);
  assert.deepEqual(script.asked, [undefined, undefined, 6n]);
});

test("a message that this client does not know is ignored", async () => {
  assert.deepEqual(await seen(new Script(sends(snapshot(3), {}, batch(4)))), ["snapshot 3", "events 4", "lost 4"]);
});

test("a stream that falls silent is gone on with", async () => {
  const script = new Script(fallsSilent(snapshot(3)), sends(resumed(3)));
  assert.deepEqual(await seen(script, 20), ["snapshot 3", "lost 3", "resumed 3", "lost 3"]);
  assert.deepEqual(script.asked, [undefined, 3n, 3n]);
});

for (const reason of [GoingAwayReason.SUPERSEDED, GoingAwayReason.TABLE_CLOSED]) {
  test(`${GoingAwayReason[reason]} ends the watch for good`, async () => {
    const script = new Script(sends(snapshot(3), goingAway(reason)), sends(snapshot(4)));
    await assert.rejects(seen(script), (error: WatchEnded) => error.reason === reason);
    assert.deepEqual(script.asked, [undefined]);
  });
}

test("a server that is about to stop, or has a reason of its own, is come back to", async () => {
  const unknown = 99 as GoingAwayReason;
  const script = new Script(
    sends(snapshot(3), goingAway(GoingAwayReason.DRAINING)),
    sends(resumed(3), goingAway(unknown)),
  );
  await seen(script);
  assert.deepEqual(script.asked, [undefined, 3n, 3n]);
});

test("a stream that ends because it is old is gone on with, and nothing seems lost", async () => {
  const script = new Script(sends(snapshot(3), goingAway(GoingAwayReason.MAX_AGE)), sends(resumed(3), batch(4)));
  assert.deepEqual(await seen(script), ["snapshot 3", "resumed 3", "events 4", "lost 4"]);
  assert.deepEqual(script.asked, [undefined, 3n, 4n]);
});

test("whoever has lost the seat begins anew, as a spectator", async () => {
  const script = new Script(sends(snapshot(3), goingAway(GoingAwayReason.SEAT_LOST)), sends(snapshot(3)));
  await seen(script);
  assert.deepEqual(script.asked, [undefined, undefined, 3n]);
});

test("a stream that was closed because it did not read is gone on with", async () => {
  const slow = refusal(Code.ResourceExhausted, "TOO_SLOW", "Too slow.", 1);
  const script = new Script(sends(snapshot(3), slow), sends(resumed(3)));
  await seen(script);
  assert.deepEqual(script.asked, [undefined, 3n, 3n]);
});

test("leaving the loop ends the stream", async () => {
  let ended: AbortSignal | undefined;
  const script = new Script((signal) => {
    ended = signal;
    return fallsSilent(snapshot(3))(signal);
  });
  for await (const update of (await watching(script)).watch("t")) {
    assert.equal(update.cause, "snapshot");
    break;
  }
  assert.equal(ended?.aborted, true);
});

test("a signal ends the watch", async () => {
  const stop = new AbortController();
  const told: Update[] = [];
  for await (const update of (await watching(new Script(fallsSilent(snapshot(3))))).watch("t", stop.signal)) {
    told.push(update);
    stop.abort();
  }
  assert.equal(told.length, 1);
});

test("who comes and goes is seen, and the views told before stay as they were", async () => {
  const gone = { message: { case: "notice", value: { notice: { case: "presence", value: { seat: 0, connected: true } } } } } as const;
  const views: boolean[] = [];
  const updates: Update[] = [];
  const session = await watching(new Script(sends(snapshot(3), gone)));
  await assert.rejects(async () => {
    for await (const update of session.watch("t")) updates.push(update);
  });
  for (const { view } of updates) views.push(view.seats[0]?.seat?.connected ?? false);
  assert.deepEqual(views, [false, true, true]);
});
