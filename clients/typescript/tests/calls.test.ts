import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { Reason, RetryAdvice } from "../gen/daifugo/v1/rules_pb.js";
import { Backoff, FIRST_WAIT_MS, LONGEST_WAIT_MS } from "../src/backoff.ts";
import { Refused, refused } from "../src/refused.ts";
import { refusal, session } from "./service.ts";

test("waits grow to the longest, and begin anew when an attempt went well", () => {
  const backoff = new Backoff(() => 1);
  const waits = Array.from({ length: 8 }, () => backoff.next());
  assert.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  assert.equal(waits.at(-1), LONGEST_WAIT_MS);
  backoff.reset();
  assert.equal(backoff.next(), FIRST_WAIT_MS);
});

test("a wait is drawn from its upper half, and is no shorter than what the service asked for", () => {
  assert.equal(new Backoff(() => 0).next(), FIRST_WAIT_MS / 2);
  assert.equal(new Backoff(() => 0).next(700), 700);
});

test("what may be sent again is sent again, the same, until it is answered", async () => {
  const ids: string[] = [];
  const { joinTable } = {
    joinTable: (request: { requestId: string }) => {
      ids.push(request.requestId);
      if (ids.length === 1) throw new ConnectError("nobody there", Code.Unavailable);
      if (ids.length === 2) throw refusal(Code.Unavailable, "DRAINING", "", 1);
      return { seat: 2 };
    },
  };
  assert.equal(await (await session({ joinTable })).join("t", { name: "Mio" }), 2);
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
});

test("what cannot succeed is not sent again, and says why", async () => {
  let calls = 0;
  const joinTable = () => {
    calls += 1;
    throw refusal(Code.FailedPrecondition, "TABLE_FULL", "No seat is free.");
  };
  await assert.rejects((await session({ joinTable })).join("t", { name: "Mio" }), (error: Refused) => {
    assert.equal(error.reason, Reason.TABLE_FULL);
    assert.equal(error.advice, RetryAdvice.REFETCH);
    assert.equal(error.message, "No seat is free.");
    return true;
  });
  assert.equal(calls, 1);
});

test("a reason that this client does not know is gone by with its status code", () => {
  const of = (code: Code) => refused(refusal(code, "SOMETHING_NEW"), new Map());
  assert.equal(of(Code.Unavailable).advice, RetryAdvice.SAME);
  assert.equal(of(Code.Aborted).advice, RetryAdvice.REFETCH);
  assert.equal(of(Code.InvalidArgument).advice, RetryAdvice.GIVE_UP);
  assert.equal(of(Code.Internal).advice, RetryAdvice.GIVE_UP);
  assert.equal(of(Code.Aborted).reason, Reason.UNSPECIFIED);
  assert.equal(of(Code.Aborted).reasonName, "SOMETHING_NEW");
});

test("a connection that breaks is no refusal of the service", () => {
  for (const code of [Code.Unavailable, Code.Aborted, Code.Internal, Code.Unknown]) {
    assert.equal(refused(new ConnectError("reset", code), new Map()).advice, RetryAdvice.SAME);
  }
  assert.equal(refused(new ConnectError("who are you", Code.Unauthenticated), new Map()).advice, RetryAdvice.GIVE_UP);
});

test("legal actions are fetched page by page", async () => {
  const pages = ["", "a", "b"];
  const getLegalActions = ({ pageToken }: { pageToken: string }) => ({
    actions: [{ action: { action: { case: "play" as const, value: { cards: [pages.indexOf(pageToken)] } } } }],
    nextPageToken: pages[pages.indexOf(pageToken) + 1] ?? "",
  });
  const cards: number[] = [];
  for await (const actions of (await session({ getLegalActions })).legalActions("t", 1n)) {
    for (const { action } of actions) if (action.case === "play") cards.push(...action.value.cards);
  }
  assert.deepEqual(cards, [0, 1, 2]);
});
