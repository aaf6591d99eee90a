/**
 * Writers that keep their own account of what was acknowledged, while the product is killed under them. Each writes to one thing
 * of its own and one write at a time, so that whatever it finds there is the last acknowledged state or the one write after it.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "#db/client.ts";

export type Writer = {
  name: string;
  /** One write; true where it was acknowledged. Throws where the product answered what it never should. */
  write(): Promise<boolean>;
  /** What the store holds against the account: one sentence for each thing that is wrong. */
  audit(db: Db): Promise<string[]>;
};

type Account = { acknowledged: number; unanswered: number; wrong: string[] };

// What was refused is not asked for again at once: the product is on its way back.
const AFTER_REFUSAL_MS = 50;

/** Lets all write until told to stop, then holds what is stored against what was acknowledged. */
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
