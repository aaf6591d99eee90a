/** Every kind of caller, and the answer that each kind of door must give them. */

import { createToken } from "#db/accounts/tokens.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { ADMIN_ID, type TestWeb, type Visitor } from "#tests/support/web.ts";

export const OWNER_ID = "4001";
export const PREMIUM_ID = "4003";

/** The tokens are the owner's. */
export const CALLERS = [
  "anonymous",
  "stranger",
  "owner",
  "premium",
  "admin",
  "read token",
  "write token",
] as const;
export type Caller = (typeof CALLERS)[number];

/** `person`: any signed-in person, about their own things. `owner`: the owner of what the address names. */
export type Door = "anyone" | "person" | "owner" | "premium" | "admin";
export const ENTITLED = {
  anyone: "owner",
  person: "owner",
  owner: "owner",
  premium: "premium",
  admin: "admin",
} as const satisfies Record<Door, Caller>;

type Word = "pass" | 401 | 403 | 404;

const TO_PEOPLE: Record<Door, Record<Exclude<Caller, "read token" | "write token">, Word>> = {
  anyone: { anonymous: "pass", stranger: "pass", owner: "pass", premium: "pass", admin: "pass" },
  person: { anonymous: 401, stranger: "pass", owner: "pass", premium: "pass", admin: "pass" },
  owner: { anonymous: 401, stranger: 404, owner: "pass", premium: 404, admin: 404 },
  premium: { anonymous: 401, stranger: 403, owner: 403, premium: "pass", admin: "pass" },
  admin: { anonymous: 401, stranger: 403, owner: 403, premium: 403, admin: "pass" },
};

/** A token may do what its owner may, within its scope; pages accept no tokens. */
export function wordTo(caller: Caller, door: Door, method: string, isPage: boolean): Word {
  if (caller !== "read token" && caller !== "write token") return TO_PEOPLE[door][caller];
  if (isPage) return TO_PEOPLE[door].anonymous;
  if (door !== "anyone" && caller === "read token" && method !== "GET") return 403;
  return TO_PEOPLE[door].owner;
}

export type Asking = (path: string, init: RequestInit & { html?: boolean }) => Promise<Response>;

export async function assembleCallers(
  web: TestWeb,
  ownerId = OWNER_ID,
): Promise<{ owner: Visitor; ask: Record<Caller, Asking> }> {
  const person = async (id: string) => web.visitor().logIn(id);
  const owner = await person(ownerId);
  const byVisitor =
    (visitor: Visitor): Asking =>
    (path, init) =>
      visitor.ask(path, init);
  const byToken = async (scope: TokenScope): Promise<Asking> => {
    const wish = { name: `matrix ${scope}`, scope, lifetimeDays: 30 };
    const token = orThrow(await createToken(web.db, newOwner(ownerId), wish, web.clock()));
    return (path, init) => {
      const headers = new Headers(init.headers);
      headers.set("Authorization", `Bearer ${token.secret}`);
      return web.visitor().ask(path, { ...init, headers });
    };
  };
  return {
    owner,
    ask: {
      anonymous: (path, init) => web.visitor().ask(path, init),
      stranger: byVisitor(await person("4002")),
      owner: byVisitor(owner),
      premium: byVisitor(await person(PREMIUM_ID)),
      admin: byVisitor(await person(ADMIN_ID)),
      "read token": await byToken("read"),
      "write token": await byToken("write"),
    },
  };
}
