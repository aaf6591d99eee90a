import { randomBytes, randomUUID } from "node:crypto";

/** A secret nobody can guess: 256 bits unless told otherwise, safe in a URL and in a cookie. */
export function newToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

/** 16 characters: short enough to read out, long enough that two requests of a year never share one. */
export function newRequestId(): string {
  return randomBytes(8).toString("hex");
}

export function newRunId(): string {
  return randomUUID();
}
