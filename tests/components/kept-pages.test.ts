import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const ORIGIN = "http://shelf.test";
const SOURCE = readFileSync(join(PROJECT_ROOT, "public/sw/pages.js"), "utf8");

/** The service worker's code for pages, with one stored page of a person and this answer of the server. */
function openWorker(answer: Response) {
  const storedPages = new Map([[`${ORIGIN}/file/1`, new Response("as it was kept")]]);
  const caches = {
    keys: async () => ["pages:dana"],
    match: async () => undefined,
    open: async () => ({ match: async (url: string) => storedPages.get(url)?.clone(), put: async () => {} }),
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

it("a 503 of the server shows a stored page as it was, and the server's answer for any other", async () => {
  const unavailable = () => new Response("come back soon", { status: 503 });
  const storedPage = await ask(openWorker(unavailable()), "/file/1?L=3");
  expect([storedPage.status, await storedPage.text()]).toEqual([200, "as it was kept"]);
  const other = await ask(openWorker(unavailable()), "/file/2");
  expect([other.status, await other.text()]).toEqual([503, "come back soon"]);
});

it("any other answer of the server wins over a stored page", async () => {
  for (const status of [200, 404, 500]) {
    const answer = await ask(openWorker(new Response("of the server", { status })), "/file/1");
    expect([answer.status, await answer.text()]).toEqual([status, "of the server"]);
  }
});

/** The worker's code for pages over caches that remember the order of their entries. */
function openLearningWorker(fetchable: (url: string) => Response | Promise<Response>) {
  const stores = new Map<string, Map<string, Response>>();
  const filled: string[] = [];
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    const put = async (url: string, answer: Response) => {
      filled.push(url.replace(ORIGIN, ""));
      store.set(url, answer);
    };
    return {
      match: async (url: string) => store.get(url)?.clone(),
      put,
      add: async (url: string) => put(url, await fetchable(url)),
      delete: async (url: string) => store.delete(url),
      keys: async () => [...store.keys()].map((url) => ({ url: new URL(url, ORIGIN).href })),
    };
  };
  const caches = {
    keys: async () => [...stores.keys()],
    open,
    delete: async (name: string) => stores.delete(name),
  };
  const self = { location: { origin: ORIGIN }, offline: {} };
  const fetch = async (url: string) => fetchable(url);
  const scope = { URL, Response, Headers, Promise, self, caches, fetch };
  const learn = runInNewContext(`${SOURCE}; learn`, scope) as (
    url: string,
    answer: Response,
    begun: number,
  ) => Promise<void>;
  return { filled, learn: (path: string, answer: Response) => learn(ORIGIN + path, answer, 0) };
}

const htmlWith = (asset: string, bodyAttributes = "") =>
  new Response(
    `<html lang="en"><body${bodyAttributes}><script src="/assets/${asset}"></script></body></html>`,
    { headers: { "X-Reader": "dana" } },
  );

it("a page is stored after the scripts and styles it needs", async () => {
  const worker = openLearningWorker((url) =>
    url.includes("/assets/") ? new Response("") : htmlWith("offline.js"),
  );
  await worker.learn("/file/1", htmlWith("file.js"));
  const places = ["/assets/file.js", "/file/1", "/assets/offline.js", "/offline"].map((path) =>
    worker.filled.indexOf(path),
  );
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(places[0]).toBeLessThan(places[1] ?? 0);
  expect(places[2]).toBeLessThan(places[3] ?? 0);
});

it("a page that was fetched in advance is not stored", async () => {
  const worker = openLearningWorker((url) =>
    url.includes("/assets/") ? new Response("") : htmlWith("offline.js"),
  );
  await worker.learn("/file/1", htmlWith("file.js", ' data-reader="dana" data-early="prerendered"'));
  await worker.learn("/file/2", htmlWith("file.js", ' data-reader="dana"'));
  expect(worker.filled).toContain("/file/2");
  expect(worker.filled).not.toContain("/file/1");
});

it("the page that lists stored pages is requested again with the next page if it could not be fetched", async () => {
  let isCut = true;
  const worker = openLearningWorker((url) => {
    if (isCut && url.includes("/offline")) return Promise.reject(new TypeError("Failed to fetch"));
    return url.includes("/assets/") ? new Response("") : htmlWith("offline.js");
  });
  await worker.learn("/file/1", htmlWith("file.js"));
  expect(worker.filled).not.toContain("/offline");
  isCut = false;
  await worker.learn("/file/2", htmlWith("file.js"));
  expect(worker.filled).toContain("/offline");
});
