import { createHash } from "node:crypto";
import { required } from "#domain/required.ts";

/** The token a script sends, or null where the request comes with none. */
export function bearerIn(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? null;
}

/** The same, or the password of `Basic`, whatever name it is sent with: clients of file systems know no other way. */
export function tokenIn(authorization: string | null | undefined): string | null {
  const encoded = /^Basic +([\w+/=-]{1,1000})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return bearerIn(authorization);
  const pair = Buffer.from(encoded, "base64").toString();
  return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : null;
}

/**
 * Whose the tokens seen lately are, so that requests are counted per person before the store is asked. It lets nobody in,
 * and keeps digests only.
 */
export type BearerMemory = {
  ownerOf(token: string): string | null;
  learn(token: string, userId: string): void;
};

const MAX_TOKENS = 10_000;

export function createBearerMemory(): BearerMemory {
  const owners = new Map<string, string>();
  const digestToken = (token: string) => createHash("sha256").update(token).digest("base64url");
  return {
    ownerOf: (token) => owners.get(digestToken(token)) ?? null,
    learn(token, userId) {
      owners.set(digestToken(token), userId);
      if (owners.size > MAX_TOKENS) owners.delete(required(owners.keys().next().value, "oldest token"));
    },
  };
}
