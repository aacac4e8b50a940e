import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { GameService } from "../gen/daifugo/v1/game_pb.js";
import { IdentityService } from "../gen/daifugo/v1/identity_pb.js";
import { RulesService } from "../gen/daifugo/v1/rules_pb.js";
import { Guest, newDeviceSecret } from "../src/guest.ts";
import { Refused } from "../src/refused.ts";
import { Session } from "../src/session.ts";
import { refusal } from "./service.ts";

function tokens(number: number, seconds: number) {
  return {
    tokens: { token: `token-${number}`, refreshToken: `refresh-${number}`, remaining: { seconds: BigInt(seconds) } },
    account: { id: "guest-1", displayName: "Mio" },
  };
}

/** An identity service whose tokens hold for so many seconds, and what it was asked. */
function service(seconds: number, own: Partial<ServiceImpl<typeof IdentityService>> = {}) {
  const asked: string[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(IdentityService, {
      signInGuest: ({ deviceSecret }) => tokens(asked.push(`sign in ${deviceSecret}`), seconds),
      refresh: ({ refreshToken }) => tokens(asked.push(`refresh ${refreshToken}`), seconds),
      ...own,
    });
  });
  return { asked, transport };
}

test("a guest signs in once, and all who ask meanwhile get the same token", async () => {
  const { asked, transport } = service(600);
  const guest = new Guest(transport, "secret", "Mio");
  assert.deepEqual(await Promise.all([guest.token(), guest.token(), guest.token()]), Array(3).fill("token-1"));
  assert.equal(await guest.token(), "token-1");
  assert.equal(guest.account?.displayName, "Mio");
  assert.deepEqual(asked, ["sign in secret"]);
});

test("a token is renewed by the refresh token that came last", async () => {
  const { asked, transport } = service(0);
  const guest = new Guest(transport, "secret");
  for (const number of [1, 2, 3]) assert.equal(await guest.token(), `token-${number}`);
  assert.deepEqual(asked, ["sign in secret", "refresh refresh-1", "refresh refresh-2"]);
});

test("a guest whose session has ended signs in again", async () => {
  const refresh = () => {
    throw refusal(Code.Unauthenticated, "SIGNED_OUT");
  };
  const { asked, transport } = service(0, { refresh });
  const guest = new Guest(transport, "secret");
  await guest.token();
  assert.equal(await guest.token(), "token-2");
  assert.deepEqual(asked, ["sign in secret", "sign in secret"]);
});

test("what the identity service refuses is told", async () => {
  const signInGuest = () => {
    throw refusal(Code.InvalidArgument, "NAME_NOT_ALLOWED", "That name cannot be used.");
  };
  const { transport } = service(0, { signInGuest });
  await assert.rejects(new Guest(transport, "secret", "admin").token(), (error: Refused) => {
    assert.equal(error.reasonName, "NAME_NOT_ALLOWED");
    return true;
  });
});

test("a call whose token has ended is made again with another one", async () => {
  const { transport } = service(600);
  const seen: (string | null)[] = [];
  const game = createRouterTransport(({ service }) => {
    service(GameService, {
      getView: (_request, { requestHeader }) => {
        seen.push(requestHeader.get("authorization"));
        if (seen.length === 1) throw refusal(Code.Unauthenticated, "TOKEN_EXPIRED");
        return {};
      },
    });
    service(RulesService, { listReasons: () => ({}) });
  });
  const session = await Session.open(game, { token: new Guest(transport, "secret"), random: () => 0 });
  await session.getView("t");
  assert.deepEqual(seen, ["Bearer token-1", "Bearer token-2"]);
});

test("secrets of devices are long enough, and no two are the same", () => {
  assert.equal(newDeviceSecret().length, 48);
  assert.notEqual(newDeviceSecret(), newDeviceSecret());
});
