/** Where races are run: callers of one person, one for each web process, and the store behind them. */

import type { Db } from "#db/client.ts";
import { itemAt } from "#domain/required.ts";
import type { Answer, Caller } from "#tests/crash/caller.ts";

export type Field = { callers: readonly Caller[]; db: Db };
/** How many write at once, and how many tries they make in all. */
export type Size = { writers: number; tries: number };
/** What happened, and one sentence for each thing that must never happen. */
export type Outcome = { name: string; tries: number; acknowledged: number; wrong: string[] };

/** Lets all writers try at once until the tries are used up. Each has a caller of its own, in turn over the web processes. */
export async function compete(
  { callers }: Field,
  { writers, tries }: Size,
  attempt: (caller: Caller, writer: number, number: number) => Promise<void>,
): Promise<void> {
  let left = tries;
  const lane = async (writer: number) => {
    while (left > 0) {
      left -= 1;
      await attempt(itemAt(callers, writer % callers.length), writer, tries - left);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => lane(writer)));
}

/** The answer, where it has one of these statuses; nothing else may happen while nobody kills anything. */
export function expected(answer: Answer | null, what: string, ...statuses: number[]): Answer {
  if (answer && statuses.includes(answer.status)) return answer;
  throw new Error(
    `${what} was answered with ${answer?.status} ${JSON.stringify(answer?.body)?.slice(0, 300)}`,
  );
}

/** A write that says what it followed and what it became, as an answer told it. */
export type Step = { from: string; to: string };

/** Writes that follow one another without a fork, a gap or a repetition, from the first state to the last, or what is wrong. */
export function chainOf<T extends Step>(steps: readonly T[], first: string, last: string): T[] | string {
  const byFrom = new Map(steps.map((step) => [step.from, step]));
  if (byFrom.size < steps.length)
    return `${steps.length - byFrom.size} acknowledged writes followed the same state`;
  const chain: T[] = [];
  for (let at = first, step = byFrom.get(at); step && chain.length <= steps.length; step = byFrom.get(at)) {
    chain.push(step);
    at = step.to;
  }
  if (chain.length !== steps.length)
    return `${steps.length - chain.length} of ${steps.length} acknowledged writes are not in the history`;
  return (chain.at(-1)?.to ?? first) === last ? chain : "what is stored is not what the last write became";
}
