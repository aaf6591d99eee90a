/**
 * The web process under more than it can do. How many requests a second it answers with a p99 of at most 100 ms, beside Express
 * sending the same bytes; then five times what it can do, which may be answered with 200, 429 or 503 with Retry-After alone and must be over
 * within five seconds of its end; then 600 clients that send or read without end; then one that sends the worst inputs it knows. `--only=rates,overload,slow,hostile`
 * takes some of these; `--soak=30` instead weighs its memory for so many minutes.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measureCapacity, measureMost } from "./capacity.ts";
import { withDatabases } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { hostileVisitor } from "./hostile-visitor.ts";
import { option, words } from "./options.ts";
import { type Address, overload } from "./overload.ts";
import { type Site, saveFile, settleIn, startBaseline, startWeb } from "./product.ts";
import { measureSlowClients } from "./slow-clients.ts";
import { soak } from "./soak.ts";

const LARGE = "a line of a large file\n".repeat(90_000);

/** The same bytes from a process that does nothing else. */
async function bare(directory: string, html: string): Promise<Site> {
  const page = join(directory, "page.html");
  await writeFile(page, html);
  return startBaseline(page);
}

async function measure(path: string, web: Site, cookie: string, directory: string): Promise<Figure> {
  const headers = { Cookie: cookie, Accept: path.startsWith("/api/") ? "application/json" : "text/html" };
  const ours = await measureCapacity({ url: web.url + path, headers });
  const baseline = await bare(directory, await (await fetch(web.url + path, { headers })).text());
  const theirs = await measureCapacity({ url: `${baseline.url}/bare`, headers });
  await baseline.stop();
  const shown = path.replace(/[0-9a-f]{24}/, ":id");
  console.log(
    `${shown}: ${ours.perSecond.toFixed(0)} a second at p99 ${ours.p99} ms over ${ours.connections} connections (${ours.most.toFixed(0)} at most); bare ${theirs.perSecond.toFixed(0)}`,
  );
  const figure = {
    what: `${shown} at p99 ≤ 100 ms`,
    ours: ours.perSecond,
    baseline: theirs.perSecond,
    unit: "/s",
  };
  return { ...figure, goal: { atLeast: 1 } };
}

type Stage = { web: Site; directory: string; cookie: string; file: string; page: Address; largeFile: string };

/** What is done one after the other. */
const KINDS: Record<string, (stage: Stage) => Promise<Figure[]>> = {
  async rates({ web, directory, cookie, file }) {
    const figures: Figure[] = [];
    for (const path of ["/files", `/file/${file}`, "/api/sticky-notes/reminders/summary", "/api/stats"])
      figures.push(await measure(path, web, cookie, directory));
    return figures;
  },
  overload: async ({ web, page }) => overload(page, `${web.url}/healthz`, await measureMost(page)),
  slow: ({ page, largeFile, web }) => measureSlowClients(page, largeFile, web.pid),
  hostile: ({ page, web }) => hostileVisitor(page, web.url),
};

export async function run(): Promise<Figure[]> {
  const minutes = option("soak", 0);
  if (minutes > 0) return soak(minutes);
  const wanted = words("only") ?? Object.keys(KINDS);
  const unknown = wanted.filter((name) => !Object.hasOwn(KINDS, name));
  if (unknown.length > 0)
    throw new Error(`No such kind of load: ${unknown}. There are: ${Object.keys(KINDS)}`);
  return withDatabases(async ({ directory, ...databases }) => {
    const web = await startWeb({ directory, ...databases });
    try {
      const { cookie, file } = await settleIn(web.url);
      const large = await saveFile(web.url, cookie, "large.txt", LARGE);
      const page = { url: `${web.url}/files`, headers: { Cookie: cookie, Accept: "text/html" } };
      const stage: Stage = { web, directory, cookie, file, page, largeFile: `/download/${large}` };
      const figures: Figure[] = [];
      for (const [name, kind] of Object.entries(KINDS))
        if (wanted.includes(name)) figures.push(...(await kind(stage)));
      return figures;
    } finally {
      await web.stop();
    }
  });
}
