import { createHash } from "node:crypto";

/** A person in events: an id of our own that follows from the account's, which is the messenger's and stays out of events and logs. */
export const toEventPerson = (userId: string): string =>
  createHash("sha256").update(`event person ${userId}`).digest("hex").slice(0, 24);
