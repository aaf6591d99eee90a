/** One row for each verb of the store that writes: its set-up, the call, and what finishes it after a failure. */
import type { Db } from "#db/client.ts";

export type VerbRow<Given = unknown> = {
  /** Prepares the store over an undisturbed connection. */
  arrange(db: Db): Promise<Given>;
  act(db: Db, given: Given): Promise<unknown>;
  /** Finishes the verb after a failure, if repeating the call does not. */
  finish?(db: Db, given: Given): Promise<unknown>;
  /** Its failures reach no caller: it does the remaining work the next time. */
  isSilent?: true;
  /** Fields and collections that another try may leave different, each with the reason. */
  mayDiffer?: Record<string, string>;
};

export const row = <Given>(
  arrange: VerbRow<Given>["arrange"],
  act: VerbRow<Given>["act"],
  more: Omit<VerbRow<Given>, "arrange" | "act"> = {},
  // biome-ignore lint/suspicious/noExplicitAny: each row has a kind of its own
): VerbRow<any> => ({ arrange, act, ...more });

export const nothing = async () => {};

export const OWNER = "4711";
