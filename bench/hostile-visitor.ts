/**
 * One client sends the worst inputs it knows without pause: forms with thousands of fields, shares of texts that are slow to show,
 * texts to explain, and notes. Meanwhile somebody else reads the list, which may take twice as long at p95.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Figure } from "./figures.ts";
import { quick } from "./options.ts";
import { type Address, measureP95 } from "./overload.ts";

const CALLS = quick ? 100 : 300;

export async function hostileVisitor(page: Address, url: string): Promise<Figure[]> {
  const client = fork(join(import.meta.dirname, "hostile-client.ts"), [url]);
  await once(client, "message");
  // A process that has just begun is slow by itself.
  await measureP95(page, CALLS);
  const quiet = await measureP95(page, CALLS);
  client.send("go");
  const beside = await measureP95(page, CALLS);
  client.send("stop");
  const [{ visits }] = (await once(client, "message")) as [{ visits: number }];
  // What else the machine does may have changed meanwhile: quiet is what it was before and after, at the mean.
  const quietAfter = await measureP95(page, CALLS);
  const baseline = (quiet + quietAfter) / 2;
  console.log(
    `the list at p95: ${beside.toFixed(0)} ms beside a hostile visitor (${visits} visits), ${quiet.toFixed(0)} ms before and ${quietAfter.toFixed(0)} ms after: ${(beside / baseline).toFixed(1)} times`,
  );
  const goal = { atMost: 2, of: "ratio" } as const;
  return [{ what: "p95 of the list beside a hostile visitor", ours: beside, baseline, unit: "ms", goal }];
}
