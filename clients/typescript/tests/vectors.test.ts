/** Computes shuffles a second time, sharing no code with the service, and compares with the golden vectors. */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface Vectors {
  rows: { root: string; links: number; commitment: string; seeds: Record<string, string> }[];
  keys: { seed: string; commitment: string; client_seeds: string[]; match_key: string; game_keys: string[] }[];
  deal_numbers: {
    seed: string;
    client_seeds: string[];
    deal_number: string;
    dealt_from: string;
    practice: { deal_number: string; dealt_from: string };
  }[];
  words: { key: string; block: number; words: number[] }[];
  draws: { key: string; below: number[]; numbers: number[]; words_used: number }[];
  shuffles: { key: string; size: number; shuffled: number[]; words_used: number }[];
  deals: {
    match_key: string;
    game: number;
    number_cards: number[];
    blinds: number;
    jokers: number[];
    order: number[];
    hands: number[][];
    blind: number[];
  }[];
}

const FILE = new URL("../../../tests/fairness/vectors.json", import.meta.url);
const VECTORS = JSON.parse(readFileSync(FILE, "utf8")) as Vectors;

const bytes = (hex: string) => Buffer.from(hex, "hex");
const sha256 = (data: Buffer) => createHash("sha256").update(data).digest();
const hmac = (key: Buffer, data: Buffer) => createHmac("sha256", key).update(data).digest();
const numbers = (cards: number[]) => [...cards].sort((a, b) => a - b);

function eight(number: number): Buffer {
  const written = Buffer.alloc(8);
  written.writeBigUInt64BE(BigInt(number));
  return written;
}

function matchKey(seed: Buffer, clientSeeds: Buffer[]): Buffer {
  if (clientSeeds.every((each) => !each.length)) return seed;
  const given = clientSeeds.flatMap((each) => [Buffer.of(each.length), each]);
  return hmac(seed, Buffer.concat([Buffer.from("daifugo match "), Buffer.of(clientSeeds.length), ...given]));
}

const gameKey = (key: Buffer, game: number) => hmac(key, Buffer.concat([Buffer.from("daifugo game "), eight(game)]));

function words(key: Buffer, block: number): number[] {
  const made = hmac(key, eight(block));
  return Array.from({ length: 8 }, (_, i) => made.readUInt32BE(4 * i));
}

class Stream {
  used = 0;
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  below(n: number): number {
    for (;;) {
      const word = words(this.#key, Math.floor(this.used / 8))[this.used++ % 8] as number;
      if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
    }
  }

  shuffled(cards: number[]): number[] {
    const mixed = [...cards];
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [mixed[i], mixed[j]] = [mixed[j] as number, mixed[i] as number];
    }
    return mixed;
  }
}

test("a row of seeds is hashed from its root to its commitment", () => {
  for (const { root, links, commitment, seeds } of VECTORS.rows) {
    let seed = bytes(root);
    for (let number = links; number >= 0; number--, seed = sha256(seed)) {
      const expected = number === 0 ? commitment : seeds[number];
      if (expected !== undefined) assert.equal(seed.toString("hex"), expected);
    }
  }
});

test("keys follow from the seed and what players gave", () => {
  assert.ok(VECTORS.keys.length > 4);
  for (const each of VECTORS.keys) {
    assert.equal(sha256(bytes(each.seed)).toString("hex"), each.commitment);
    const key = matchKey(bytes(each.seed), each.client_seeds.map(bytes));
    assert.equal(key.toString("hex"), each.match_key);
    assert.deepEqual([1, 2, 300].map((game) => gameKey(key, game).toString("hex")), each.game_keys);
  }
});

test("deal numbers follow from keys, and deals from deal numbers", () => {
  const dealtFrom = (number: string) => sha256(Buffer.from(`daifugo deal ${number}`)).toString("hex");
  for (const each of VECTORS.deal_numbers) {
    const key = matchKey(bytes(each.seed), each.client_seeds.map(bytes));
    assert.equal(`P${BigInt(`0x${key.toString("hex").slice(0, 32)}`)}`, each.deal_number);
    assert.equal(dealtFrom(each.deal_number), each.dealt_from);
    assert.equal(dealtFrom(each.practice.deal_number), each.practice.dealt_from);
  }
});

test("words, numbers and shuffles follow from the key of a game", () => {
  for (const each of VECTORS.words) assert.deepEqual(words(bytes(each.key), each.block), each.words);
  for (const each of VECTORS.draws) {
    const stream = new Stream(bytes(each.key));
    assert.deepEqual(each.below.map((n) => stream.below(n)), each.numbers);
    assert.equal(stream.used, each.words_used);
  }
  for (const each of VECTORS.shuffles) {
    const stream = new Stream(bytes(each.key));
    assert.deepEqual(stream.shuffled(Array.from({ length: each.size }, (_, i) => i)), each.shuffled);
    assert.equal(stream.used, each.words_used);
  }
});

test("hands follow from the key of a match", () => {
  assert.ok(VECTORS.deals.length > 4);
  for (const each of VECTORS.deals) {
    const stream = new Stream(gameKey(bytes(each.match_key), each.game));
    const mixed = stream.shuffled(each.number_cards);
    assert.deepEqual(numbers(mixed.slice(0, each.blinds)), each.blind);
    const pack = stream.shuffled([...mixed.slice(each.blinds), ...each.jokers]);
    const seats = each.order.length;
    each.order.forEach((seat, first) => {
      assert.deepEqual(numbers(pack.filter((_, place) => place % seats === first)), each.hands[seat]);
    });
  }
});
