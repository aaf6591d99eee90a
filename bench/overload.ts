/** Five times as many requests as the web process can answer, and how soon after that it is as quick as before. */

import { setTimeout as pause } from "node:timers/promises";
import autocannon from "autocannon";
import type { Figure } from "./figures.ts";
import { percentile } from "./measure.ts";
import { quick } from "./options.ts";

const TIMES = 5;
const CONNECTIONS = 400;
const SECONDS = quick ? 5 : 15;
const ALLOWED = new Set(["200", "429", "503"]);
const RECOVERY_S = { atMost: 5 };
const IN_A_ROW = 10;
const QUIET_CALLS = 100;

export type Address = { url: string; headers: Record<string, string> };

async function timeRequest({ url, headers }: Address): Promise<{ ms: number; status: number }> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers }).catch(() => null);
  await answer?.text();
  return { ms: performance.now() - startedAt, status: answer?.status ?? 0 };
}

export async function measureP95(address: Address, calls: number): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < calls; i += 1) samples.push((await timeRequest(address)).ms);
  return percentile(
    samples.toSorted((a, b) => a - b),
    0.95,
  );
}

/** Seconds until so many answers in a row come as quickly as they did before. */
async function recovery(address: Address, quietMs: number): Promise<number> {
  const startedAt = performance.now();
  let good = 0;
  let goodSince = startedAt;
  while (good < IN_A_ROW && performance.now() - startedAt < 60_000) {
    const askedAt = performance.now();
    const { ms, status } = await timeRequest(address);
    if (good === 0) goodSince = askedAt;
    good = status === 200 && ms <= 2 * quietMs ? good + 1 : 0;
  }
  return good === IN_A_ROW ? (goodSince - startedAt) / 1_000 : Number.POSITIVE_INFINITY;
}

export async function overload(page: Address, health: string, most: number): Promise<Figure[]> {
  const quietMs = Math.max(await measureP95(page, QUIET_CALLS), 20);
  let bare503 = 0;
  let over = false;
  let sick = 0;
  const watching = (async () => {
    while (!over) {
      if ((await timeRequest({ url: health, headers: {} })).status !== 200) sick += 1;
      await pause(200);
    }
  })();
  const result = await autocannon({
    ...page,
    connections: CONNECTIONS,
    duration: SECONDS,
    overallRate: Math.max(CONNECTIONS, Math.ceil(TIMES * most)),
    timeout: 30,
    setupClient: (client) =>
      client.on("headers", ({ statusCode, headers }) => {
        const names = headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
        if (statusCode === 503 && !names.includes("retry-after")) bare503 += 1;
      }),
  });
  const recoveredAfter = await recovery(page, quietMs);
  over = true;
  await watching;
  const statuses = Object.entries(result.statusCodeStats).map(([status, { count }]) => `${status}: ${count}`);
  console.log(
    `overload, ${Math.ceil(TIMES * most)} a second over ${CONNECTIONS} connections: ${statuses.join(", ")}; errors ${result.errors}; ` +
      `503 without Retry-After ${bare503}; /healthz not well ${sick}; as before after ${recoveredAfter.toFixed(1)} s`,
  );
  const strange = Object.keys(result.statusCodeStats).filter((status) => !ALLOWED.has(status));
  if (strange.length + result.errors + bare503 + sick > 0)
    throw new Error(
      `Under overload: ${strange} answered, ${result.errors} errors, ${bare503} bare 503, ${sick} sick`,
    );
  return [
    {
      what: "overload: answered with 200",
      ours: (result.statusCodeStats["200"]?.count ?? 0) / SECONDS,
      unit: "/s",
    },
    { what: "overload: as quick as before after", ours: recoveredAfter, unit: "s", goal: RECOVERY_S },
  ];
}
