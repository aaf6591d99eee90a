/** Runs programs that print their number. Runs are not stored, so each answer must belong to its own program. */
import { acknowledged, type Caller } from "./caller.ts";
import type { Writer } from "./writer.ts";

// Longer than a run may wait for a worker to restart.
const TIMEOUT_SECONDS = 5;

export function runWriter(caller: Caller, name: string): Writer {
  let number = 0;
  return {
    name,
    async write() {
      number += 1;
      const code = `print(${number} * 7)`;
      const answer = await caller.call("POST", "/api/code/run", { code, timeout: TIMEOUT_SECONDS });
      if (!acknowledged(answer, name)) return false;
      const { success, stdout } = answer.body;
      if (success !== true || stdout !== `${number * 7}\n`)
        throw new Error(`${code} was answered with ${JSON.stringify(answer.body).slice(0, 300)}`);
      return true;
    },
    audit: async () => [],
  };
}
