/**
 * 50,000 requests as nobody should send them (`--count=`; `--quick`: 2,000), over every address of the product's own web process on databases of its
 * own; `--seed=` gives the same ones again. Fails where one is answered by a fault, by a refusal that is no JSON, or not within 5 s.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itemAt } from "#domain/required.ts";
import { requests } from "#tests/fuzz/requests.ts";
import { shoot } from "#tests/fuzz/shoot.ts";
import { startDocuments } from "./documents.ts";
import type { Figure } from "./figures.ts";
import { option, quick } from "./options.ts";
import { startPostgres } from "./postgres.ts";
import { logIn, startWeb } from "./product.ts";

const PATIENCE_MS = 5_000;
const BATCH = 1_000;
const SHOWN = 20;

export async function run(): Promise<Figure[]> {
  const [count, seed] = [option("count", quick ? 2_000 : 50_000), option("seed", 1)];
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-"));
  const log = () => undefined;
  const documents = await startDocuments(directory);
  const postgres = await startPostgres({ directory: join(directory, "postgres"), log, durable: false });
  // Nobody runs what is queued here; who waits for it is told so soon.
  process.env.CODE_QUEUE_WAIT_SECONDS = "1";
  try {
    const web = await startWeb({ directory, mongodbUri: documents.uri, databaseUrl: postgres.url });
    try {
      const cookies = [await logIn(web.url, "4001"), await logIn(web.url, "4002"), ""];
      const names = await belongings(web.url, itemAt(cookies, 0));
      const startedAt = performance.now();
      const wrong: string[] = [];
      for (let sent = 0; sent < count; sent += BATCH) {
        const all = requests(seed + sent, Math.min(BATCH, count - sent), names);
        const found = await shoot(all, { url: web.url, cookies, patienceMs: PATIENCE_MS });
        wrong.push(...found.map((line) => `seed ${seed + sent}, ${line}`));
      }
      const seconds = (performance.now() - startedAt) / 1000;
      console.log(
        `fuzz: ${count} requests from seed ${seed} at ${Math.round(count / seconds)}/s, ${wrong.length} answered wrongly`,
      );
      for (const line of wrong.slice(0, SHOWN)) console.log(`  ${line}`);
      if (wrong.length > 0) process.exitCode = 1;
      return [
        { what: `answered wrongly of ${count}`, ours: wrong.length, unit: "requests", goal: { atMost: 0 } },
        { what: "sent and answered", ours: count / seconds, unit: "requests/s" },
      ];
    } finally {
      await web.stop();
    }
  } finally {
    await postgres.stop();
    await documents.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Something real to name in addresses. */
async function belongings(url: string, cookie: string): Promise<Record<string, string>> {
  const send = async (method: string, path: string, body: unknown) => {
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const headers = { Cookie: cookie, "Content-Type": "application/json" };
    return (await fetch(url + path, { method, body: sent, headers })).json();
  };
  const { file_id } = await send("PUT", "/api/files/one.py", "print(1)\n");
  const { id: note_id } = await send("POST", `/api/sticky-notes/${file_id}`, { content: "- [ ] one" });
  const { board } = await send("POST", "/api/note-boards", { name: "one" });
  const { share_id } = await send("POST", `/api/share/${file_id}`, {});
  return { file_id, id: file_id, note_id, board_id: board.id, share_id, file_name: "two.py", form: "raw" };
}
