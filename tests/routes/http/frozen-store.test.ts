import { expect, onTestFinished, vi } from "vitest";
import { itemAt } from "#domain/required.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { type OwnWeb, startOwnWeb } from "#tests/support/product/own-web.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";

needsEngine("its process is stopped");

const ANSWERED_WITHIN_MS = 15_000;
/** The additional time of a busy machine. */
const BUSY_MS = 15_000;

function listRequests({ token }: OwnWeb, cookie: string): [string, RequestInit][] {
  const session = { Cookie: cookie };
  const bearer = { Authorization: `Bearer ${token}` };
  const page = { ...session, Accept: "text/html" };
  const listTools = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const json = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return [
    ["/dashboard", { headers: page }],
    ["/files", { headers: page }],
    ["/admin", { headers: page }],
    ["/login", { headers: page }],
    ["/api/files", { headers: session }],
    ["/api/files/b.txt", { method: "PUT", headers: bearer, body: "b" }],
    ["/dav/", { method: "PROPFIND", headers: { ...bearer, Depth: "1" } }],
    ["/dav/c.txt", { method: "PUT", headers: bearer, body: "c" }],
    ["/mcp", { method: "POST", headers: { ...bearer, ...json }, body: listTools }],
    ["/healthz", {}],
    ["/readyz", {}],
    ["/metrics", {}],
  ];
}

itDrawn("a frozen store", 3)(
  "requests to a frozen store are answered in time, however many wait, and the product recovers afterwards",
  async () => {
    const web = await startOwnWeb();
    const { admin, engine, url } = web;
    await admin.saveFile("a.txt");
    const requests = listRequests(web, admin.cookieHeader);
    const askAll = async (count: number) => {
      const startedAt = performance.now();
      const answers = Array.from({ length: count }, async (_, i) => {
        const [path, init] = itemAt(requests, i % requests.length);
        const response = await fetch(url + path, { ...init, redirect: "manual" });
        await response.text();
        return { path, status: response.status, ms: Math.round(performance.now() - startedAt) };
      });
      return Promise.all(answers);
    };

    process.kill(engine.pid, "SIGSTOP");
    onTestFinished(() => void process.kill(engine.pid, "SIGCONT"));
    const answers = [...(await askAll(200)), ...(await askAll(requests.length))];

    expect(answers.filter(({ ms }) => ms > ANSWERED_WITHIN_MS + BUSY_MS)).toEqual([]);
    const withoutStore = new Set(["/healthz", "/metrics", "/login"]);
    const waiting = answers.filter(({ path }) => !withoutStore.has(path));
    expect(waiting.filter(({ status }) => status !== 503)).toEqual([]);

    process.kill(engine.pid, "SIGCONT");
    const isReady = async () => (await admin.send("PUT", "/api/files/d.txt", "d")).status;
    await vi.waitFor(async () => expect(await isReady()).toBe(201), { timeout: 20_000, interval: 100 });
    expect((await admin.page("/files")).status).toBe(200);
  },
  120_000,
);
