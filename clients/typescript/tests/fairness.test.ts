import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ShuffleSchema } from "../gen/daifugo/v1/view_pb.js";
import { verdict, witness } from "../src/fairness.ts";

function hashed(bytes: Uint8Array, times = 1): Uint8Array {
  for (let n = 0; n < times; n++) bytes = new Uint8Array(createHash("sha256").update(bytes).digest());
  return bytes;
}

const SEED = new Uint8Array(32).fill(7);
const known = (bytes: Uint8Array) => create(ShuffleSchema, { nextCommitment: bytes });

test("a seed that was committed to before the own one was given is fair, also some matches later", async () => {
  for (const before of [1, 2, 256]) {
    const own = witness(known(hashed(SEED, before)), false);
    const over = create(ShuffleSchema, { commitment: hashed(SEED), clientSeeds: [own.clientSeed], seed: SEED });
    assert.equal(await verdict(own, over, 0), "fair");
    assert.equal(await verdict(own, over, 1), "left out");
    assert.equal(await verdict(own, { ...over, clientSeeds: [hashed(SEED)] }, 0), "left out");
  }
});

test("another seed, and a commitment that was made later, are found", async () => {
  const own = witness(known(hashed(SEED)), false);
  const other = create(ShuffleSchema, { commitment: hashed(SEED), seed: hashed(SEED) });
  assert.equal(await verdict(own, other, 0), "other seed");
  const later = create(ShuffleSchema, { commitment: hashed(SEED, 2), seed: hashed(SEED) });
  assert.equal(await verdict(witness(known(hashed(SEED)), false), later, 0), "not bound");
});

test("nothing is said of a match that is not over, that had begun before, or of which nothing was known", async () => {
  const running = create(ShuffleSchema, { commitment: hashed(SEED) });
  assert.equal(await verdict(witness(running, false), running, 0), "unchecked");
  const over = create(ShuffleSchema, { commitment: hashed(SEED), seed: SEED });
  assert.equal(await verdict(witness(running, true), over, 0), "unchecked");
  assert.equal(await verdict(witness(undefined, false), over, 0), "unchecked");
});
