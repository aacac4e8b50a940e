import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../src/refused.ts";
import { batch, recording, snapshot } from "./service.ts";

test("a match is seen again version by version", async () => {
  const session = await recording(snapshot(0), batch(1), batch(2));
  const told: string[] = [];
  for await (const { cause, cursor } of session.again({ matchId: "m" })) told.push(`${cause} ${cursor.version}`);
  assert.deepEqual(told, ["snapshot 0", "events 1", "events 2"]);
});

test("a match of which there is no record is refused", async () => {
  const session = await recording();
  const again = session.again({ matchId: "another" });
  await assert.rejects(again.next(), (error: Refused) => error.reasonName === "RECORD_NOT_FOUND");
});
