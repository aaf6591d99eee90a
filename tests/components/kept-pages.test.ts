import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";

const ORIGIN = "http://shelf.test";
const SOURCE = readFileSync(join(PROJECT_ROOT, "public/sw/pages.js"), "utf8");

/** The service worker's part for pages, with one page of a person kept, and a server that answers as told. */
function openWorker(answer: Response) {
  const kept = new Map([[`${ORIGIN}/file/1`, new Response("as it was kept")]]);
  const caches = {
    keys: async () => ["pages:dana"],
    open: async () => ({ match: async (url: string) => kept.get(url)?.clone(), put: async () => {} }),
  };
  const scope = {
    URL,
    Response,
    Promise,
    self: { location: { origin: ORIGIN }, offline: {} },
    caches,
    fetch: async () => answer,
  };
  return runInNewContext(`${SOURCE}; answerPage`, scope) as (event: object) => Promise<Response>;
}

const ask = (answerPage: (event: object) => Promise<Response>, path: string) =>
  answerPage({ request: { url: ORIGIN + path }, preloadResponse: undefined, waitUntil: () => {} });

it("where the server says 503, a page that is kept is shown as it was, and any other as the server says", async () => {
  const unavailable = () => new Response("come back soon", { status: 503 });
  const kept = await ask(openWorker(unavailable()), "/file/1?L=3");
  expect([kept.status, await kept.text()]).toEqual([200, "as it was kept"]);
  const other = await ask(openWorker(unavailable()), "/file/2");
  expect([other.status, await other.text()]).toEqual([503, "come back soon"]);
});

it("any other answer of the server goes before what is kept", async () => {
  for (const status of [200, 404, 500]) {
    const answer = await ask(openWorker(new Response("of the server", { status })), "/file/1");
    expect([answer.status, await answer.text()]).toEqual([status, "of the server"]);
  }
});
