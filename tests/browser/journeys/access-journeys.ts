/** Axe finds no violation on any page. A new page needs a row in `seeded-pages.ts`; without it a test fails. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright";
import { expect, it } from "vitest";
import { findRoute, pageRoutes } from "#tests/browser/page-routes.ts";
import { PAGES, type SeededIds, STRANGERS_PAGES, seedPages } from "#tests/browser/seeded-pages.ts";
import { addCookies, journey, productUrl, signIn } from "#tests/browser/stage.ts";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";

/** Forms that are sent before a page is read: some pages show the most in answer to a form. */
const ANSWERS: Record<string, (page: Page) => Promise<void>> = {
  tokens: async (page) => {
    await page.locator("input[name=name]").fill("access");
    await page.locator("button[value=create]").click();
    await page.locator('input[value^="cs_"]').waitFor();
  },
  "an explanation": async (page) => {
    await page.locator("details.explain > summary").click();
    await page.locator("button[value=explain]").click();
    await page.locator(".explain .card").waitFor();
  },
  sessions: async (page) => {
    await page.request.post("/settings/feeds", { form: { intent: "make" } });
    await page.reload();
    await page.locator("details.confirm > summary").click();
    await page.locator("button[value=end_all]").waitFor();
  },
  people: async (page) => {
    await page.locator(".person-row details > summary").first().click();
    await page.locator(".person-row .button-wrong").first().waitFor();
  },
  "deleting the account": async (page) => {
    await page.locator("input[name=confirmation]").fill("no");
    await page.locator(".button-wrong").click();
    await page.getByRole("alert").waitFor();
  },
};

const READ_ELSEWHERE = ["logout"];

const LIGHT = { theme: "light", locale: "en" };
const SCRIPTED = ["a file", "the editor", "saving files", "the code tools", "a board"];

const READINGS = [
  { name: "light, English", cookies: LIGHT, pages: PAGES, isStranger: false },
  {
    name: "dark, Hebrew",
    cookies: { theme: "dark", locale: "he" },
    pages: PAGES.filter(([name]) => SCRIPTED.includes(name)),
    isStranger: false,
  },
  { name: "light, English, to a stranger", cookies: LIGHT, pages: STRANGERS_PAGES, isStranger: true },
];
const AT_ONCE = 13;
const AXE_MS = 90_000;

const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export function accessJourneys(remote: GitRemote): void {
  it("axe reads every page there is", () => {
    const ids = new Proxy({} as SeededIds, { get: () => "x" });
    const read = [...PAGES, ...STRANGERS_PAGES].map(([, toPath]) => findRoute(toPath(ids)));
    expect(pageRoutes().filter((route) => ![...read, ...READ_ELSEWHERE].includes(route))).toEqual([]);
  });

  for (const { name, cookies, pages, isStranger } of READINGS) {
    const drawn = drawCases(name, pages, Math.ceil(pages.length / 3));
    for (let from = 0; from < drawn.length; from += AT_ONCE) {
      const read = drawn.slice(from, from + AT_ONCE);
      journey(
        `axe finds nothing wrong in ${name}: ${read.map(([page]) => page).join(", ")}`,
        async ({ page, expectError }) => {
          expectError(/status of 40[04]|ERR_FAILED/);
          // The bell of the previous page asks once more.
          if (isStranger) expectError(/status of 401/);
          await signIn(page, "Local administrator");
          const ids = await seedPages(page.request, remote);
          await addCookies(page, cookies);
          if (isStranger) await page.context().clearCookies({ name: "session" });
          const hosts = new Set<string>();
          page.on("request", (request) => hosts.add(new URL(request.url()).origin));
          for (const [name, pathOf] of read) {
            await page.goto(pathOf(ids));
            if ((await page.locator("[data-code-field]").count()) > 0)
              await page.locator(".cm-content").waitFor();
            await ANSWERS[name]?.(page);
            expect(await violations(page), name).toEqual([]);
          }
          expect([...hosts], "asked for anything").toEqual([productUrl()]);
        },
        { timeoutMs: AXE_MS },
      );
    }
  }
}

/** Lists axe's violations on the page. Contrast takes axe the longest; by default the test of the style sheets' colours covers it. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource);
  return page.evaluate(async (isFullRun) => {
    type Result = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] };
    const { axe } = window as unknown as {
      axe: { run(context: Document, options: object): Promise<{ violations: Result[] }> };
    };
    // The preview's frame runs no scripts, so axe cannot look inside it. No enabled rule reads style sheets.
    const preload = { assets: ["media"] };
    const rules = { "color-contrast": { enabled: isFullRun } };
    const result = await axe.run(document, { resultTypes: ["violations"], iframes: false, preload, rules });
    return result.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ""}`),
    );
  }, isFullRun);
}
