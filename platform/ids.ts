import { randomBytes, randomUUID } from "node:crypto";

/** A secret of 256 bits by default, safe in URLs and cookies. */
export function generateToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

/** 16 characters: short enough to read out, long enough that no two requests within a year share an id. */
export function generateRequestId(): string {
  return randomBytes(8).toString("hex");
}

export function generateRunId(): string {
  return randomUUID();
}
