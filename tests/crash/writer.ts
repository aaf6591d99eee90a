/**
 * Writers that record what was acknowledged while the product is killed. Each writes to one thing of its own, one write at a time, so the
 * stored state is the last acknowledged one or the one write after it.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "#db/client.ts";

export type Writer = {
  name: string;
  /** Makes one write; true if it was acknowledged. Throws on an answer that the product should never give. */
  write(): Promise<boolean>;
  /** Compares the store with the record: one sentence for each fault. */
  audit(db: Db): Promise<string[]>;
};

type Account = { acknowledged: number; unanswered: number; wrong: string[] };

// A refused write waits before the next one: the product is restarting.
const AFTER_REFUSAL_MS = 50;

/** Lets all writers write until stopped, then compares the store with their records. */
export function writeOn(writers: readonly Writer[], everyMs: number) {
  const account: Account = { acknowledged: 0, unanswered: 0, wrong: [] };
  let stopped = false;
  const lane = async (writer: Writer) => {
    while (!stopped) {
      try {
        const done = await writer.write();
        account[done ? "acknowledged" : "unanswered"] += 1;
        await pause(done ? everyMs : AFTER_REFUSAL_MS);
      } catch (error) {
        account.wrong.push(`${writer.name}: ${(error as Error).message}`);
        return;
      }
    }
  };
  const lanes = Promise.all(writers.map(lane));
  return {
    async finish(db: Db): Promise<Account> {
      stopped = true;
      await lanes;
      for (const writer of writers) account.wrong.push(...(await writer.audit(db)));
      return account;
    },
    account,
  };
}
