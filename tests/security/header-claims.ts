import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { API_ENTRIES, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { OBSERVATORY, policyFindings } from "./observatory.ts";
import type { Scene } from "./scene.ts";

/** The one page that runs a person's own scripts. */
const RUNNING = "GET /html/:id/run";
const PAGES = PAGE_ENTRIES.filter(
  ({ call }) => call.startsWith("GET") && call !== "GET /logout" && call !== RUNNING,
);

/** The pages that any site may frame. */
const EMBEDS: readonly string[] = ["GET /share/:id/embed", "GET /shared/:token/:place/embed"];
/** Every run scans pages with a policy of their own; one function answers all other pages, and one all endpoints. */
const OWN_POLICY: readonly string[] = [...EMBEDS, "GET /html/:id", "GET /svg/:id", "GET /raw_svg/:id"];
const alike = PAGES.filter(({ call }) => !OWN_POLICY.includes(call));
const SCANNED = [
  ...PAGES.filter(({ call }) => OWN_POLICY.includes(call)),
  ...drawCases("scanned pages", alike, alike.length / 5),
];
const SCANNED_API = drawCases("scanned endpoints", API_ENTRIES, API_ENTRIES.length / 6);

/** Scripts without the page's nonce, event handler attributes and `javascript:` addresses. */
function inlineCode(html: string, nonce: string): string[] {
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  return [
    ...scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`) && !tag.includes("application/json")),
    ...[...html.matchAll(/<[a-z][^<>]*\s(on[a-z]+)=/g)].map(([, name]) => required(name)),
    ...[...html.matchAll(/(?:href|src|action)="\s*javascript:/gi)].map(([found]) => found),
  ];
}

const policies = new Set<string>();

async function scan(response: Response, call = ""): Promise<void> {
  const html = await response.text();
  const { headers } = response;
  const broken = Object.entries(OBSERVATORY)
    .filter(([, rule]) => !rule({ headers, html }))
    .map(([name]) => name);
  expect(broken).toEqual(EMBEDS.includes(call) ? ["x-frame-options, and frame-ancestors beside it"] : []);
  const policy = headers.get("Content-Security-Policy");
  if (policy !== null) expect(policyFindings(policy)).toEqual([]);
  if (policy !== null) policies.add(policy.replace(/'nonce-[^']+'/g, "a nonce"));
  if (!headers.get("Content-Type")?.startsWith("text/html")) return;
  const nonce = /'nonce-([^']+)'/.exec(required(policy))?.[1] ?? "none";
  expect(inlineCode(html, nonce)).toEqual([]);
}

export function headerClaims({ ask, open }: Scene): void {
  describe("scanners accept the headers of", () => {
    it.each(SCANNED.map((row) => [row.call, row] as const))(
      "%s, which runs only our own scripts",
      async (call, row) => scan(await open(row), call),
    );

    it(`${RUNNING}, which runs what a person wrote, in an origin of nobody and without requests`, async () => {
      const { headers } = await open(required(PAGE_ENTRIES.find(({ call }) => call === RUNNING)));
      const policy = required(headers.get("Content-Security-Policy")).split("; ");
      expect(policy).toContain("sandbox allow-scripts");
      for (const rule of ["default-src 'none'", "connect-src 'none'", "form-action 'none'"])
        expect(policy).toContain(rule);
    });

    it.each(SCANNED_API.map((row) => [row.call, row] as const))("%s", async (_, row) =>
      scan(await open(row)),
    );

    it.each([
      ...["/no-such-page", "/file/000000000000000000000000", "/admin", "/sw.js", "/healthz"],
      ...["/icons/icon.svg", "/%E0%A4%A", "/api/nothing"],
    ])("%s, which may be absent", async (path) =>
      scan(await ask.owner(path, { html: true, headers: { "Sec-Fetch-Site": "same-origin" } })),
    );

    it("what was refused at the door", async () => {
      const headers = { "Sec-Fetch-Site": "cross-site" };
      for (const html of [true, false])
        await scan(await ask.owner("/preferences", { method: "POST", html, headers }));
    });
  });

  it("the scan has read a policy of each kind", () => {
    expect(policies.size).toBeGreaterThan(3);
  });
}
