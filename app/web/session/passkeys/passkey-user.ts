import { createHash } from "node:crypto";

/** Identifies an account to passkeys: it does not reveal the messenger's id, and is the same for all passkeys of the account. */
export const toUserHandle = (userId: string): string =>
  createHash("sha256").update(`passkey user\n${userId}`).digest("base64url");
