import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import { afterEach, describe, expect, it } from "vitest";
import { DAV_METHODS } from "#app/dav/dav.server.ts";
import { endpoints } from "#app/http/api/table.server.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";
import { API_ENTRIES, compareEntries, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import type { Entry } from "#tests/entries/entry.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { type Belonging, clearBelongings, MAKERS, type Names, readBelongings } from "./belongings.ts";
import { callRow } from "./call-row.ts";
import { assembleCallers, CALLERS, type Caller, PREMIUM_ID, wordTo } from "./callers.ts";

const web = await openTestWeb({ PREMIUM_USER_IDS: PREMIUM_ID });
const { owner, ask } = await assembleCallers(web);
const made = (needs: Belonging = "nothing") => MAKERS[needs](owner, web);

/** The API, agents and what has no page are met elsewhere; the frame around the pages answers nothing by itself. */
const NOT_PAGES = ["root", "routes/api.$", "routes/mcp", "routes/$"];

type Route = NonNullable<ServerBuild["routes"][string]>;

function callsOf({ id, path, module }: Route): string[] {
  if (NOT_PAGES.includes(id)) return [];
  const read = module.loader || module.default ? [`GET /${path ?? ""}`] : [];
  return [...(id === "routes/preferences" ? [] : read), ...(module.action ? [`POST /${path ?? ""}`] : [])];
}

async function statusOf(caller: Caller, row: Entry, names: Names, isPage: boolean): Promise<number> {
  const response = await callRow(ask[caller], row, names, isPage);
  const answer = await response.text();
  // A page of ours says its language; a person's own HTML is shown as it is.
  if (answer.startsWith("<!DOCTYPE html><html lang="))
    expect(answer, "its title").toMatch(/<title>[^<]*\S[^<]* · Codeshelf<\/title>/);
  const toLogin = row.door !== "anyone" && response.headers.get("Location")?.startsWith("/login?next=");
  return toLogin ? 401 : response.status;
}

const belongings = () => readBelongings(web);
afterEach(() => clearBelongings(web));

/** First those who must not pass, all at the same thing, which stays as it is; then the others, who each change one of their own. */
async function meet(row: Entry, isPage: boolean): Promise<void> {
  const [method] = row.call.split(" ") as [string];
  const words = CALLERS.map((caller) => ({ caller, word: wordTo(caller, row.door, method, isPage) }));
  const refused = words.filter(({ word }) => word !== "pass");
  const target = await made(row.needs);
  // What only reads has no way to change them.
  const mayWrite = refused.length > 0 && method !== "GET";
  const before = mayWrite ? await belongings() : null;
  for (const { caller, word } of refused) {
    const expected = word === 404 ? (row.refused ?? word) : word;
    expect(await statusOf(caller, row, target, isPage), caller).toBe(expected);
  }
  if (mayWrite) expect(await belongings(), "what the owner has").toBe(before);
  const passing = words.filter(({ word }) => word === "pass");
  for (const [n, { caller }] of passing.entries()) {
    const names = n === 0 || method === "GET" ? target : await made(row.needs);
    expect(await statusOf(caller, row, names, isPage), caller).toBeOneOf([row.ok ?? 200].flat());
  }
}

const named = (rows: readonly Entry[]) => rows.map((row) => [row.call, row] as const);

describe("the JSON API", () => {
  it("has a row for each of its endpoints, and none besides", () => {
    const offered = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(compareEntries(offered, API_ENTRIES)).toEqual([]);
  });

  it.each(named(API_ENTRIES))("answers each caller of %s as its door says", (_, row) => meet(row, false));
});

describe("the pages", () => {
  it("have a row for each of their loaders and actions, and none besides", async () => {
    const { routes }: ServerBuild = await import(
      pathToFileURL(join(PROJECT_ROOT, "build/server/index.js")).href
    );
    const offered = Object.values(routes).flatMap((route) => callsOf(required(route)));
    expect(compareEntries(offered, PAGE_ENTRIES)).toEqual([]);
  });

  it.each(named(PAGE_ENTRIES))("answer each caller of %s as its door says", (_, row) => meet(row, true));

  it.each(["/files", "/file/1", "/admin/users"])("give nobody the data alone of %s", async (path) => {
    for (const caller of CALLERS) {
      const response = await ask[caller](`${path}?_data=routes%2Ffiles`, {});
      expect(response.status, caller).toBe(404);
    }
  });
});

describe("WebDAV", () => {
  const READING = ["OPTIONS", "GET", "HEAD", "PROPFIND"];

  it.each(DAV_METHODS)("%s is for tokens alone, and changing anything for those that may", async (method) => {
    const { file_name }: Names = await made("file");
    const before = await belongings();
    for (const caller of CALLERS) {
      if (caller === "write token") continue;
      const mayRead = caller === "read token" && READING.includes(method);
      const { status } = await ask[caller](`/dav/${file_name}`, { method, headers: { Depth: "0" } });
      if (mayRead) expect([401, 403], caller).not.toContain(status);
      else expect(status, caller).toBe(caller === "read token" ? 403 : 401);
    }
    expect(await belongings()).toBe(before);
    const { status } = await ask["write token"](`/dav/${file_name}`, { method, headers: { Depth: "0" } });
    expect([401, 403]).not.toContain(status);
  });
});
