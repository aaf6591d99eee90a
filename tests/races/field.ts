/** The set-up of races: callers of one person, one for each web process, and their store. */

import type { Db } from "#db/client.ts";
import { itemAt } from "#domain/required.ts";
import type { Answer, Caller } from "#tests/crash/caller.ts";

export type Field = { callers: readonly Caller[]; db: Db };
/** The number of concurrent writers, and of all their tries together. */
export type Size = { writers: number; tries: number };
export type Outcome = { name: string; tries: number; acknowledged: number; wrong: string[] };

/** All writers try concurrently until the tries are used up. Each has its own caller, in turn over the web processes. */
export async function compete(
  { callers }: Field,
  { writers, tries }: Size,
  attempt: (caller: Caller, writer: number, number: number) => Promise<void>,
): Promise<void> {
  let open = tries;
  const lane = async (writer: number) => {
    while (open > 0) {
      open -= 1;
      await attempt(itemAt(callers, writer % callers.length), writer, tries - open);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => lane(writer)));
}

/** Returns an answer with one of these statuses, and throws for any other: no process is killed here. */
export function expected(answer: Answer | null, what: string, ...statuses: number[]): Answer {
  if (answer && statuses.includes(answer.status)) return answer;
  throw new Error(
    `${what} was answered with ${answer?.status} ${JSON.stringify(answer?.body)?.slice(0, 300)}`,
  );
}

/** A write's state before and after it, from its answer. */
export type Step = { from: string; to: string };

/** Orders writes from the first state to the last, or reports a fork, a gap or a repetition. */
export function orderSteps<T extends Step>(steps: readonly T[], first: string, last: string): T[] | string {
  const byFrom = new Map(steps.map((step) => [step.from, step]));
  if (byFrom.size < steps.length)
    return `${steps.length - byFrom.size} acknowledged writes followed the same state`;
  const chain: T[] = [];
  for (
    let from = first, step = byFrom.get(from);
    step && chain.length <= steps.length;
    step = byFrom.get(from)
  ) {
    chain.push(step);
    from = step.to;
  }
  if (chain.length !== steps.length)
    return `${steps.length - chain.length} of ${steps.length} acknowledged writes are not in the history`;
  return (chain.at(-1)?.to ?? first) === last ? chain : "what is stored is not what the last write became";
}
