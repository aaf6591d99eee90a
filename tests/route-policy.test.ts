import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Request, Response } from "express";
import { describe, expect, it } from "vitest";
import type { PageHandle, RouteHandle } from "#app/page-handle.ts";
import {
  type RoutePolicy,
  readArrivingLimit,
  readBodyLimit,
  STRICT_POLICY,
} from "#app/web/door/route-policy.ts";
import { setRouteHeaders } from "#app/web/door/security-headers.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import {
  findPagePaths,
  hasUntypedHandle,
  listPageWords,
  listRouteFiles,
} from "#tests/support/sources/page-paths.ts";

const WORDS = listPageWords();
const readSource = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");

/** Addresses of redirects and cookie paths, and the development server's path, which is no page. */
const ADDRESSES = [
  "app/web/answers/open-pages.ts: req.path !== CHANGES",
  'app/web/session/login-widget.ts: "/login"',
  "app/web/session/share-key.ts: `/share/${",
  "app/web/session/share-key.ts: `/shared/${",
];

describe("the code before the routes knows no page", () => {
  it("by its path", () => {
    const sources = ["app/main", "app/web"].flatMap((folder) =>
      readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.startsWith("ui/"))
        .map((name) => `${folder}/${name}`),
    );
    expect(sources).toContain("app/main/app.ts");
    expect([...WORDS]).toEqual(expect.arrayContaining(["files", "share", "mcp"]));

    const wrong = [...sources, "app/entry.server.tsx"].flatMap((path) =>
      findPagePaths(path, readSource(path), WORDS),
    );

    expect(wrong.sort()).toEqual(ADDRESSES);
  });

  it.each([
    "const LARGER = { '/settings/export': 5 };",
    "const FOREIGN = /^\\/(html|raw_svg)\\//i;",
    "const twin = req.path === LOGIN_PATH;",
    "if (url.pathname !== HERE) return;",
    "const to = `/files`;",
  ])("and a path in it would be found: %s", (source) => {
    expect(findPagePaths("app/main/app.ts", source, WORDS)).toHaveLength(1);
  });
});

describe("the handle of a route", () => {
  it("says of which type it is", () => {
    const sources = listRouteFiles().map((path) => [path, readSource(path)] as const);
    expect(sources.filter(([, source]) => source.includes("export const handle")).length).toBeGreaterThan(40);

    expect(sources.filter(([, source]) => hasUntypedHandle(source)).map(([path]) => path)).toEqual([]);
    expect(hasUntypedHandle("export const handle = { robot: 'index' };")).toBe(true);
  });

  it("does not compile with a key that nobody reads", () => {
    // @ts-expect-error: it is `robots`.
    const handle: RouteHandle = { robot: "index" };
    // @ts-expect-error: and so it is in a page's.
    const pageHandle: PageHandle = { title: (text) => text.product, robot: "index" };

    expect(Object.keys({ ...handle, ...pageHandle })).toEqual(["robot", "title"]);
  });
});

it("only the route that shows refusals has a component without content", () => {
  const isEmpty = (path: string) =>
    /export default function \w+\(\) \{\s*return null;\s*\}/.test(readSource(path));

  expect(listRouteFiles().filter(isEmpty)).toEqual(["app/routes/$.tsx"]);
});

describe("a route that says nothing", () => {
  const readHeaders = (policy: RoutePolicy) => {
    const headers = new Map<string, unknown>();
    const res = {
      locals: { page: { policy } },
      setHeader: headers.set.bind(headers),
      removeHeader: headers.delete.bind(headers),
    };
    setRouteHeaders(true)({} as Request, res as unknown as Response, () => {});
    return Object.fromEntries(headers);
  };

  it("is listed by no search engine and framed by nobody", () => {
    expect(readHeaders({ robots: "index", framing: "own-pages" })).toEqual({
      "X-Frame-Options": "SAMEORIGIN",
    });

    expect(readHeaders(STRICT_POLICY)).toEqual({ "X-Robots-Tag": "noindex, nofollow, noarchive" });
  });

  it("takes the smallest body", () => {
    expect(readBodyLimit(STRICT_POLICY)).toBe(256 * 1024);
    expect(readBodyLimit({ bodyMaxBytes: 1 })).toBe(1);
    expect(readArrivingLimit({ streamMaxBytes: 1 })).toBe(1);
  });
});
