/** Checks the shuffles of a match by what a player knew before it. docs/fairness.md says how anybody can do more. */

import type { Shuffle } from "../gen/daifugo/v1/view_pb.js";

/** So many matches can follow from one commitment. */
const MOST_LINKS = 256;

/**
 * What can be said of the shuffles of a match.
 *
 * "unchecked": the match is not over, is practice, or had begun before the player came. "other seed": the seed is not the
 * one that the service had committed itself to. "not bound": that commitment was made only after the player's seed was
 * known. "left out": the player's seed was not used.
 */
export type Verdict = "unchecked" | "fair" | "other seed" | "not bound" | "left out";

/** What a player has to check matches with. */
export interface Witness {
  /** What the player gave. */
  readonly clientSeed: Uint8Array;
  /** What the service had committed itself to before that. */
  readonly known: Uint8Array;
  /** The commitment of a match that was running then, for which it came too late; otherwise empty. */
  readonly running: Uint8Array;
}

/** Draw what a player gives to the shuffles, and keep what the service has committed itself to by now. */
export function witness(before: Shuffle | undefined, isRunning: boolean): Witness {
  const commitment = before?.commitment ?? new Uint8Array();
  const next = before?.nextCommitment ?? new Uint8Array();
  return {
    clientSeed: crypto.getRandomValues(new Uint8Array(32)),
    known: next.length ? next : commitment,
    running: isRunning ? commitment : new Uint8Array(),
  };
}

/** Judge the match that was played last, in which the player had this seat. */
export async function verdict(own: Witness, shuffle: Shuffle | undefined, seat: number): Promise<Verdict> {
  if (!shuffle?.seed.length || !own.known.length || same(shuffle.commitment, own.running)) return "unchecked";
  if (!same(await sha256(shuffle.seed), shuffle.commitment)) return "other seed";
  if (!(await leadsTo(shuffle.commitment, own.known))) return "not bound";
  const used = shuffle.clientSeeds[seat];
  return used && same(used, own.clientSeed) ? "fair" : "left out";
}

/** Whether a commitment was fixed once another was known: hashing it again and again comes to that. */
async function leadsTo(commitment: Uint8Array, known: Uint8Array): Promise<boolean> {
  for (let link = 0, hashed = commitment; link < MOST_LINKS; link++, hashed = await sha256(hashed)) {
    if (same(hashed, known)) return true;
  }
  return false;
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
