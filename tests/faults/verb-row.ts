/** One row for each verb of the store that writes: what it needs, the call, and what finishes it after it failed. */
import type { Db } from "#db/client.ts";

export type VerbRow<Given = unknown> = {
  /** Makes what the verb needs, by an undisturbed connection. */
  arrange(db: Db): Promise<Given>;
  act(db: Db, given: Given): Promise<unknown>;
  /** What finishes it after it failed, where that is not the same call once more. */
  finish?(db: Db, given: Given): Promise<unknown>;
  /** It tells nobody that it failed: it keeps what it could not do and does it the next time. */
  isSilent?: true;
  /** Fields, and collections, that another try may leave otherwise, each with the reason. */
  mayDiffer?: Record<string, string>;
};

/** What a verb needs, the verb itself, and what else is to be known of it. */
export const row = <Given>(
  arrange: VerbRow<Given>["arrange"],
  act: VerbRow<Given>["act"],
  more: Omit<VerbRow<Given>, "arrange" | "act"> = {},
  // biome-ignore lint/suspicious/noExplicitAny: each row has a kind of its own
): VerbRow<any> => ({ arrange, act, ...more });

export const nothing = async () => {};

export const OWNER = "4711";
