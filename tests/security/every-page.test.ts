import { describe, expect, it } from "vitest";
import { MAKERS } from "#tests/authorisation/belongings.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { assembleCallers, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { PAGE_ROWS, type Row } from "#tests/authorisation/rows.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({
  PREMIUM_USER_IDS: PREMIUM_ID,
  RATE_LIMIT_WRITES_PER_MINUTE: "100000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "100000",
});
const { owner, ask } = await assembleCallers(web);
const PAGES = PAGE_ROWS.filter(({ call }) => call.startsWith("GET") && call !== "GET /logout");

const open = async (row: Row) => {
  const target = await MAKERS[row.needs ?? "nothing"](owner, web);
  return callRow(row.door === "admin" ? ask.admin : ask.owner, row, target, true);
};

/** As a scanner reads a policy: what a directive allows, falling back to the default. */
function policyOf(header: string): (directive: string) => string[] {
  const directives = new Map(
    header.split(";").map((part) => {
      const [name = "", ...sources] = part.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );
  return (name) => directives.get(name) ?? directives.get("default-src") ?? ["*"];
}

const WEAK = /^('unsafe-inline'|'unsafe-eval'|'unsafe-hashes'|\*|https?:|data:|blob:|http:\/\/.*)$/;

/** What a scanner of policies would call a finding of medium weight or more. */
function findings(header: string | null): string[] {
  if (!header) return ["there is no policy"];
  const of = policyOf(header);
  const sandboxed = header.startsWith("sandbox;");
  return [
    ...of("script-src")
      .filter((source) => WEAK.test(source))
      .map((source) => `script-src lets in ${source}`),
    ...(sandboxed ? [] : of("style-src"))
      .filter((source) => source === "'unsafe-inline'" || source === "*")
      .map((source) => `style-src lets in ${source}`),
    ...["object-src", "base-uri", "form-action", "frame-ancestors", "connect-src"]
      .filter((name) => of(name).some((source) => !["'none'", "'self'"].includes(source)))
      .filter((name) => !(sandboxed && ["base-uri", "form-action"].includes(name)))
      .map((name) => `${name} is open`),
  ];
}

/** Scripts without the page's nonce, handlers in attributes and addresses that run. */
function inlineCode(html: string, nonce: string): string[] {
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  return [
    ...scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`) && !tag.includes("application/json")),
    ...[...html.matchAll(/<[a-z][^<>]*\s(on[a-z]+)=/g)].map(([, name]) => name!),
    ...[...html.matchAll(/(?:href|src|action)="\s*javascript:/gi)].map(([found]) => found),
  ];
}

describe.each(PAGES.map((row) => [row.call, row] as const))("%s", (_, row) => {
  it("comes with headers that no scanner finds fault with, and runs nothing that is not ours", async () => {
    const response = await open(row);
    const html = await response.text();
    const { headers } = response;

    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Frame-Options")).toBeOneOf(["DENY", "SAMEORIGIN"]);
    expect(headers.get("Referrer-Policy")).toBeOneOf([
      "same-origin",
      "no-referrer",
      "strict-origin-when-cross-origin",
    ]);
    expect(headers.get("Cross-Origin-Opener-Policy")).toMatch(/^same-origin/);
    expect(headers.get("X-Powered-By")).toBeNull();
    for (const cookie of headers.getSetCookie()) {
      expect(cookie).toMatch(/; Path=\//);
      expect(cookie).toMatch(/; SameSite=(Lax|Strict)/);
    }
    if (!headers.get("Content-Type")?.startsWith("text/html")) return;
    const policy = headers.get("Content-Security-Policy");
    expect(findings(policy)).toEqual([]);
    const nonce = /'nonce-([^']+)'/.exec(policy ?? "")?.[1] ?? "none";
    expect(inlineCode(html, nonce)).toEqual([]);
  });
});

describe("an address to come back to", () => {
  const ELSEWHERE = [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/%09/evil.example",
    "javascript:alert(1)",
    "/a\r\nSet-Cookie: x=y",
    "http:evil.example",
    "///evil.example",
    "/.//evil.example",
  ];
  const FORMS: [string, Record<string, string>][] = [
    ["/preferences", { theme: "dark" }],
    ["/reminders", { intent: "done", note_id: "0".repeat(24) }],
    ["/care", { intent: `trash:${"0".repeat(24)}` }],
  ];

  it.each(FORMS)("of a form to %s never leads to another site", async (path, fields) => {
    for (const next of ELSEWHERE) {
      const body = new URLSearchParams({ ...fields, next });
      const headers = { "Sec-Fetch-Site": "same-origin" };
      const response = await ask.owner(path, { method: "POST", body, html: true, headers });
      await response.arrayBuffer();
      const location = new URL(response.headers.get("Location") ?? "/", web.url);
      expect(location.origin, next).toBe(web.url);
      expect(response.headers.getSetCookie().join("; "), next).not.toContain("x=y");
    }
  });

  it("of the login page never leads to another site", async () => {
    for (const next of ELSEWHERE) {
      const response = await ask.owner(`/login?next=${encodeURIComponent(next)}`, { html: true });
      await response.arrayBuffer();
      expect(new URL(response.headers.get("Location") ?? "/", web.url).origin, next).toBe(web.url);
    }
  });
});
