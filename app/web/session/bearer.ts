import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { authenticateToken } from "#db/accounts/tokens.server.ts";
import type { Db } from "#db/client.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Clock } from "#platform/clock.ts";
import { coalesceCalls } from "#platform/coalesce-calls.ts";

export function parseBearer(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? null;
}

/** Reads the token of `Bearer`, or the password of `Basic` with any name, because WebDAV clients know no other way. */
export function parseToken(authorization: string | null | undefined): string | null {
  const encoded = /^Basic +([\w+/=-]{1,1000})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return parseBearer(authorization);
  const pair = Buffer.from(encoded, "base64").toString();
  return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : null;
}

/** Finds the holders of tokens. It remembers only digests and owners, and admits nobody: the store decides about every request. */
export type Bearers = {
  /** The owner of a recently seen token, so that requests are counted per person before the store is read. */
  findOwner(token: string): string | null;
  /** The token's holder and scope while it is valid. Simultaneous requests share one query. */
  findHolder(token: string): ReturnType<typeof authenticateToken>;
};

const MAX_TOKENS = 10_000;

export function createBearerLookup(db: Db, clock: Clock): Bearers {
  const owners = new LRUCache<string, string>({ max: MAX_TOKENS });
  const digestToken = (token: string) => createHash("sha256").update(token).digest("base64url");
  const findOwner = (token: string) => owners.get(digestToken(token)) ?? null;

  const findHolder = coalesceCalls(async (token) => {
    const holder = await authenticateToken(db, token, clock(), findOwner(token));
    if (holder && !isRefusal(holder)) owners.set(digestToken(token), holder.user.id);
    return holder;
  });
  return { findOwner, findHolder };
}
