import { createHash } from "node:crypto";

/** What passkeys know an account by. It tells nobody the messenger's id, and stays the same for all passkeys of the account. */
export const toUserHandle = (userId: string): string =>
  createHash("sha256").update(`passkey user\n${userId}`).digest("base64url");
