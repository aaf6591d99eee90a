import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import { describe, expect, it } from "vitest";
import { DAV_METHODS } from "#app/dav/dav.server.ts";
import { endpoints } from "#app/main/api-table.server.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { API_ENTRIES, compareEntries, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import type { Entry } from "#tests/entries/entry.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { clearBelongings, MAKERS, makeOneOfEach, type Names, readBelongings } from "./belongings.ts";
import { callRow } from "./call-row.ts";
import { type Asking, assembleCallers, CALLERS, type Caller, PREMIUM_ID, wordTo } from "./callers.ts";

const web = await openTestWeb({ PREMIUM_USER_IDS: PREMIUM_ID });
const KEEPER_ID = "4004";
/** Owns what refused and reading calls are about; it stays unchanged. */
const keeper = await assembleCallers(web, KEEPER_ID);
const things = await makeOneOfEach(keeper.owner, web);
/** Gets new things for each call that changes one. */
const spender = await assembleCallers(web);
const ask = { ...spender.ask };
for (const caller of ["owner", "read token", "write token"] as const) ask[caller] = keeper.ask[caller];

/** Other tests cover the API, agents and unknown pages; the root answers nothing by itself. */
const NOT_PAGES = ["root", "routes/api.$", "routes/mcp", "routes/$"];

type Route = NonNullable<ServerBuild["routes"][string]>;

function listCalls({ id, path, module }: Route): string[] {
  if (NOT_PAGES.includes(id)) return [];
  const read = module.loader || module.default ? [`GET /${path ?? ""}`] : [];
  return [...(id === "routes/preferences" ? [] : read), ...(module.action ? [`POST /${path ?? ""}`] : [])];
}

/** Each refusal has the shape that docs/api.md describes: programs get a code, and people get words. */
function expectRefusalShape(row: Entry, { status, headers }: Response, body: Record<string, string>): void {
  const { onFailure } = required(endpoints.find(({ method, path }) => row.call === `${method} ${path}`));
  expect(headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(headers.get("X-Request-Id")).toMatch(/^.{8,}$/);
  expect(body).toMatchObject({ ...onFailure, error: expect.any(String) });
  expect(body.code).toMatch(/^[a-z][a-z0-9_]*$/);
  if (body.error === body.code) expect(body.message).toMatch(/\S \S.*[.!?]$/);
  else expect(body.error).toMatch(/^[A-Z]/);
  if (status === 401) expect(body).toMatchObject({ code: "auth_required", redirect: "/login" });
}

async function readStatus(asking: Asking, row: Entry, names: Names, isPage: boolean): Promise<number> {
  const response = await callRow(asking, row, names, isPage);
  const answer = await response.text();
  if (!isPage && [401, 403, 404].includes(response.status))
    expectRefusalShape(row, response, JSON.parse(answer));
  // Our pages state their language; a person's own HTML is shown unchanged.
  if (answer.startsWith("<!DOCTYPE html><html lang="))
    expect(answer, "its title").toMatch(/<title>[^<]*\S[^<]* · Codeshelf<\/title>/);
  const toLogin = row.door !== "anyone" && response.headers.get("Location")?.startsWith("/login?next=");
  return toLogin ? 401 : response.status;
}

const belongings = () => readBelongings(web, KEEPER_ID);
/** The keeper's belongings after the last call. Reading calls are not compared: a share counts its readers. */
let lastBelongings: string | null = null;

async function meet(row: Entry, isPage: boolean): Promise<void> {
  const [method] = row.call.split(" ") as [string];
  const onlyReads = method === "GET";
  const words = CALLERS.map((caller) => ({ caller, word: wordTo(caller, row.door, method, isPage) }));
  const refused = words.filter(({ word }) => word !== "pass");
  const passing = words.filter(({ word }) => word === "pass");
  const needs = row.needs ?? "nothing";
  const expectPass = async (asking: Asking, caller: Caller, names: Names) =>
    expect(await readStatus(asking, row, names, isPage), caller).toBeOneOf([row.ok ?? 200].flat());
  const expectRefused = async (caller: Caller, status: number) =>
    expect(await readStatus(ask[caller], row, things[needs], isPage), caller).toBe(status);

  const before = onlyReads ? null : (lastBelongings ?? (await belongings()));
  await Promise.all(
    refused.map(({ caller, word }) =>
      expectRefused(caller, Number(word === 404 ? (row.refused ?? word) : word)),
    ),
  );
  lastBelongings = onlyReads ? null : await belongings();
  expect(lastBelongings, "what the owner has").toBe(before);

  if (onlyReads)
    await Promise.all(passing.map(({ caller }) => expectPass(ask[caller], caller, things[needs])));
  else {
    for (const { caller } of passing)
      await expectPass(spender.ask[caller], caller, await MAKERS[needs](spender.owner, web));
    await clearBelongings(web);
  }
}

const withNames = (rows: readonly Entry[]) => rows.map((row) => [row.call, row] as const);

describe("the JSON API", () => {
  it("has a row for each of its endpoints, and none besides", () => {
    const offered = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(compareEntries(offered, API_ENTRIES)).toEqual([]);
  });

  it.each(withNames(API_ENTRIES))("answers each caller of %s as its door says", (_, row) => meet(row, false));
});

describe("the pages", () => {
  it("have a row for each of their loaders and actions, and none besides", async () => {
    const { routes }: ServerBuild = await import(
      pathToFileURL(join(PROJECT_ROOT, "build/server/index.js")).href
    );
    const offered = Object.values(routes).flatMap((route) => listCalls(required(route)));
    expect(compareEntries(offered, PAGE_ENTRIES)).toEqual([]);
  });

  it.each(withNames(PAGE_ENTRIES))("answer each caller of %s as its door says", (_, row) => meet(row, true));

  it.each(["/files", "/file/1", "/admin/users"])("give nobody the data alone of %s", async (path) => {
    for (const caller of CALLERS) {
      const response = await ask[caller](`${path}?_data=routes%2Ffiles`, {});
      expect(response.status, caller).toBe(404);
    }
  });
});

describe("WebDAV", () => {
  it.each(DAV_METHODS)(
    "%s accepts only tokens, and changes only with those that may write",
    async (method) => {
      const { file_name }: Names = things.file;
      const before = await belongings();
      for (const caller of CALLERS) {
        if (caller === "write token") continue;
        const mayRead = caller === "read token" && ["OPTIONS", "GET", "HEAD", "PROPFIND"].includes(method);
        const { status } = await ask[caller](`/dav/${file_name}`, { method, headers: { Depth: "0" } });
        if (mayRead) expect([401, 403], caller).not.toContain(status);
        else expect(status, caller).toBe(caller === "read token" ? 403 : 401);
      }
      expect(await belongings()).toBe(before);
      const { status } = await ask["write token"](`/dav/${file_name}`, { method, headers: { Depth: "0" } });
      expect([401, 403]).not.toContain(status);
    },
  );
});
