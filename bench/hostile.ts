/**
 * One client sends the worst inputs it knows without pause: forms with thousands of fields, shares of texts that are slow to show,
 * texts to explain, and notes. Meanwhile another person reads the list, which may take twice as long at p95.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { withDatabases } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { time } from "./measure.ts";
import { quick } from "./options.ts";
import { type Site, settleIn, startWeb } from "./product.ts";

const CALLS = quick ? 100 : 300;

async function measure({ url }: Site): Promise<Figure[]> {
  const { cookie } = await settleIn(url);
  const headers = { Cookie: cookie, Accept: "text/html" };
  const readList = async () => void (await (await fetch(`${url}/files`, { headers })).text());
  const measureP95 = async () => (await time(CALLS, readList)).p95;
  const client = fork(join(import.meta.dirname, "hostile-client.ts"), [url]);
  await once(client, "message");
  // A process that has just begun is slow by itself.
  await measureP95();
  const before = await measureP95();
  client.send("go");
  const ours = await measureP95();
  client.send("stop");
  const [{ visits }] = (await once(client, "message")) as [{ visits: number }];
  // The rest of the machine's work may have changed, so the baseline is the mean of before and after.
  const after = await measureP95();
  console.log(
    `the list at p95: ${ours.toFixed(0)} ms beside a hostile visitor (${visits} visits), ${before.toFixed(0)} ms before and ${after.toFixed(0)} ms after`,
  );
  const goal = { atMost: 2, of: "ratio" } as const;
  const baseline = (before + after) / 2;
  return [{ what: "p95 of the list beside a hostile visitor", ours, baseline, unit: "ms", goal }];
}

export const run = (): Promise<Figure[]> =>
  withDatabases(async (databases) => {
    const web = await startWeb(databases);
    return measure(web).finally(web.stop);
  });
