/**
 * A web process under a steady small load for many minutes: pages that are read, never the same, and files and notes that are saved.
 * What it holds after a collection of garbage is weighed once a minute; what counts is how it grows over the second half.
 */

import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { itemAt, required } from "#domain/required.ts";
import { type BenchDatabases, withDatabases } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { logIn, type Site, startWeb } from "./product.ts";

// Pages are remembered until their minute is over: weighed right after it, there is little of them.
const EVERY_MS = 60_000;
const AFTER_MS = 1_000;
const ASK_EVERY_MS = 100;
const MB = 1_000_000;
const HOUR_MINUTES = 60;
// Less than a process of 200 MB would notice in a week between two deployments.
const HEAP_GROWTH = { atMost: 5 };

type Weight = { minute: number; rss: number; heapUsed: number };

async function weigh({ child }: Site, minute: number): Promise<Weight> {
  const told = once(required(child), "message");
  required(child).send("weigh");
  const [{ rss, heapUsed }] = (await told) as [{ rss: number; heapUsed: number }];
  return { minute, rss: rss / MB, heapUsed: heapUsed / MB };
}

/** MB an hour, by least squares. */
function slope(weights: readonly Weight[], field: "rss" | "heapUsed"): number {
  const mean = (of: (weight: Weight) => number) =>
    weights.reduce((sum, weight) => sum + of(weight), 0) / weights.length;
  const [x, y] = [mean(({ minute }) => minute), mean((weight) => weight[field])];
  const together = mean((weight) => (weight.minute - x) * (weight[field] - y));
  return (together / mean(({ minute }) => (minute - x) ** 2)) * HOUR_MINUTES;
}

// Together more than is kept of coloured texts.
const LONG_TEXTS = 10;
const LONG_LINES = 8_000;

/** What is kept has a bound, which the load would reach only at its end: it is reached before anything is weighed. */
async function fillMemory(url: string, headers: Record<string, string>): Promise<void> {
  for (let i = 0; i < LONG_TEXTS; i += 1) {
    const body = `print(${i})\n`.repeat(LONG_LINES);
    const saved = await fetch(`${url}/api/files/long-${i}.py`, { method: "PUT", headers, body });
    const { file_id } = (await saved.json()) as { file_id: string };
    await (await fetch(`${url}/file/${file_id}`, { headers })).text();
  }
}

async function load(url: string, headers: Record<string, string>, until: () => boolean): Promise<number> {
  let asked = 0;
  let file = "";
  for (; !until(); asked += 1) {
    const path = itemAt(
      [`/files?q=w${asked}`, `/file/${file}`, "/dashboard", "/api/stats", "/notes"],
      asked % 5,
    );
    const saves = asked % 10 === 0;
    const answer = saves
      ? await fetch(`${url}/api/files/soak-${(asked / 10) % 50}.py`, {
          method: "PUT",
          headers,
          body: `print(${asked})\n`.repeat(50),
        })
      : await fetch(url + path, { headers });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    if (saves) file = (JSON.parse(body) as { file_id: string }).file_id;
    await pause(ASK_EVERY_MS);
  }
  return asked;
}

export async function soak(minutes: number): Promise<Figure[]> {
  return withDatabases(async ({ directory, mongodbUri, databaseUrl }: BenchDatabases) => {
    const program = { path: join(import.meta.dirname, "weighed-web.ts"), flags: ["--expose-gc"] };
    const web = await startWeb({ directory, mongodbUri, databaseUrl, program });
    const weights: Weight[] = [];
    let over = false;
    try {
      const headers = { Cookie: await logIn(web.url, "7"), Accept: "text/html" };
      await fillMemory(web.url, headers);
      const loading = load(web.url, headers, () => over);
      loading.catch(() => {});
      const startedAt = performance.now();
      const minute = () => (performance.now() - startedAt) / 60_000;
      while (minute() < minutes) {
        await pause(EVERY_MS - (Date.now() % EVERY_MS) + AFTER_MS);
        weights.push(await weigh(web, minute()));
        const { rss, heapUsed } = required(weights.at(-1));
        console.log(`${minute().toFixed(1)} min: ${rss.toFixed(1)} MB, heap ${heapUsed.toFixed(1)} MB`);
      }
      over = true;
      const asked = await loading;
      const second = weights.filter((weight) => weight.minute > minutes / 2);
      return [
        { what: `soak of ${minutes} min: requests`, ours: asked, unit: "" },
        { what: "soak: heap after a collection", ours: required(weights.at(-1)).heapUsed, unit: "MB" },
        {
          what: "soak: its growth, second half",
          ours: slope(second, "heapUsed"),
          unit: "MB/h",
          goal: HEAP_GROWTH,
        },
        { what: "soak: growth of the process, second half", ours: slope(second, "rss"), unit: "MB/h" },
      ];
    } finally {
      over = true;
      await web.stop();
    }
  });
}
