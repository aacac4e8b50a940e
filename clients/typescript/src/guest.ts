/** A guest at an identity service: signed in by the secret of a device, with tokens that are renewed before they end. */

import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { IdentityService, type Account, type Tokens } from "../gen/daifugo/v1/identity_pb.js";
import { refused } from "./refused.ts";

/** After which part of its life a token is renewed. */
const USED_PART = 0.7;

export class Guest {
  /** Who it is, once it has signed in. */
  account: Account | undefined;
  readonly identity: Client<typeof IdentityService>;
  readonly #deviceSecret: string;
  readonly #name: string;
  #tokens: Tokens | undefined;
  #renewAt = 0;
  #renewing: Promise<string> | undefined;

  /**
   * `deviceSecret` is 32 random characters or more (`newDeviceSecret`), made when the app first starts and kept where the
   * device keeps secrets. `name` counts if the account is made now.
   */
  constructor(transport: Transport, deviceSecret: string, name = "") {
    this.identity = createClient(IdentityService, transport);
    this.#deviceSecret = deviceSecret;
    this.#name = name;
  }

  /** The token of now; whoever asks while it is being renewed waits for the same one. Throws Refused. */
  readonly token = (): Promise<string> => {
    if (this.#tokens && performance.now() < this.#renewAt) return Promise.resolve(this.#tokens.token);
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  };

  /** Let there be another token next time: this one has ended while the device slept. */
  forget(): void {
    this.#renewAt = 0;
  }

  async #renew(): Promise<string> {
    const asked = performance.now();
    const { tokens, account } = (await this.#refreshed()) ?? (await this.#signedIn());
    if (!tokens) throw new Error("the service left out what it always sends");
    const { seconds, nanos } = tokens.remaining ?? { seconds: 0n, nanos: 0 };
    this.#renewAt = asked + USED_PART * (Number(seconds) * 1000 + nanos / 1e6);
    this.#tokens = tokens;
    this.account = account;
    return tokens.token;
  }

  async #refreshed() {
    if (!this.#tokens?.refreshToken) return undefined;
    try {
      return await this.identity.refresh({ refreshToken: this.#tokens.refreshToken });
    } catch (thrown) {
      const problem = refused(thrown, new Map());
      if (problem.reasonName !== "SIGNED_OUT") throw problem;
      return undefined;
    }
  }

  async #signedIn() {
    try {
      return await this.identity.signInGuest({ deviceSecret: this.#deviceSecret, displayName: this.#name });
    } catch (thrown) {
      throw refused(thrown, new Map());
    }
  }
}

/** Draw a secret for a device that has none yet. */
export function newDeviceSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
