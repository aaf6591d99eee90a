import { createHash } from "node:crypto";

/** Returns a person's id in events. It is derived from the account's id, which may be the messenger's and stays out of events and logs. */
export const toEventPerson = (userId: string): string =>
  createHash("sha256").update(`event person ${userId}`).digest("hex").slice(0, 24);
