/** How long to wait before the next attempt: twice as long each time, and by lot, so that clients do not come in step. */

export const FIRST_WAIT_MS = 100;
export const LONGEST_WAIT_MS = 5000;

export class Backoff {
  readonly #random: () => number;
  #wait = FIRST_WAIT_MS;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The next wait in milliseconds; never shorter than what the service asked for. */
  next(askedMs = 0): number {
    const wait = this.#wait;
    this.#wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    return Math.max(askedMs, wait / 2 + (this.#random() * wait) / 2);
  }

  /** Begin anew, because an attempt went well. */
  reset(): void {
    this.#wait = FIRST_WAIT_MS;
  }
}
