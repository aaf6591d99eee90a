/** How long a run goes on after its owner stops it: from the request to stop until its result is there. */
import { required } from "#domain/required.ts";
import type { Figure } from "./figures.ts";
import { toTiming } from "./measure.ts";
import { quick } from "./options.ts";
import { both, say } from "./sandbox-soak.ts";

const GOAL_STOP_MS = 200;
const ENDLESS = "print('begun', flush=True)\nwhile True: pass";

async function stopOnce({ url, cookie }: { url: string; cookie: string }): Promise<number> {
  const response = await fetch(`${url}/api/code/run`, {
    method: "POST",
    headers: { Cookie: cookie, Accept: "text/event-stream" },
    body: JSON.stringify({ code: ENDLESS, timeout: 20 }),
  });
  let text = "";
  let askedAt: number | null = null;
  for await (const part of required(response.body) as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(part);
    const [, runId] = /"run_id":"([^"]+)"/.exec(text) ?? [];
    if (askedAt !== null || !runId || !text.includes("begun")) continue;
    askedAt = performance.now();
    await fetch(`${url}/api/code/run/${runId}/stop`, { method: "POST", headers: { Cookie: cookie } });
  }
  if (askedAt === null || !text.includes('"exit_code":130')) throw new Error("A run was not stopped");
  return performance.now() - askedAt;
}

export async function measureStop(product: { url: string; cookie: string }): Promise<Figure> {
  const took: number[] = [];
  for (let i = 0; i < (quick ? 5 : 15); i++) took.push(await stopOnce(product));
  say("from Stop until the result", both(toTiming(took)));
  return {
    what: "from Stop until the result, p95",
    ours: toTiming(took).p95,
    unit: "ms",
    goal: { atMost: GOAL_STOP_MS },
  };
}
