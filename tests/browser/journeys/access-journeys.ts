/** What axe finds on every page: nothing. A page is added by one row of the table, and one that is missing fails. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright";
import { expect, it } from "vitest";
import { makeNotedRepo } from "#tests/browser/noted-repo.ts";
import { pageRoutes, routeOf } from "#tests/browser/page-routes.ts";
import { journey, productUrl, signIn, type Visit } from "#tests/browser/stage.ts";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";

const FILES = {
  "access.py": "def one():\n    return 1  # word\n",
  // Long enough for an outline and a way to its lines.
  "access.js": "function one() {\n}\n".repeat(16),
  "access.md": "# Title\n\n## Part\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`code`\n",
  "access.html": "<h1>Page</h1>\n",
  "access.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>\n',
  "access.json": '{"a":[1,2]}\n',
  "access.csv": "a,b\n1,2\n",
};

/** Ids by name; each file has two versions. */
type SeededIds = Record<keyof typeof FILES | "board" | "note" | "folder" | "run", string>;
type Place = [name: string, path: (services: SeededIds) => string];

const REPO_NAME = "dana/access";
const REPO = `/repos/${encodeURIComponent(REPO_NAME)}`;

const PLACES: readonly Place[] = [
  ["the dashboard", () => "/dashboard"],
  ["the list of files", () => "/files"],
  ["a search without a hit", () => "/files?q=nothing-has-this"],
  ["a folder", (services) => `/files?folder=${services.folder}`],
  ["a file", (services) => `/file/${services["access.js"]}?L=1-2`],
  ["an explanation", (services) => `/file/${services["access.py"]}`],
  ["an old version", (services) => `/file/${services["access.md"]}?v=1`],
  ["Markdown", (services) => `/md/${services["access.md"]}`],
  ["a page in a frame", (services) => `/file/${services["access.html"]}?view=preview`],
  ["a page whose scripts run", (services) => `/file/${services["access.html"]}?view=preview&scripts=on`],
  ["a drawing", (services) => `/svg/${services["access.svg"]}`],
  ["JSON", (services) => `/file/${services["access.json"]}?view=preview`],
  ["CSV", (services) => `/file/${services["access.csv"]}?view=preview`],
  ["the editor", (services) => `/edit/${services["access.py"]}`],
  ["the history", (services) => `/file/${services["access.py"]}/history`],
  ["two versions", (services) => `/file/${services["access.py"]}/compare?from=1&to=2`],
  ["saving files", () => "/upload"],
  ["importing gists", () => "/upload/gist"],
  ["the trash", () => "/trash"],
  ["the code tools", (services) => `/tools/code?file=${services["access.py"]}`],
  ["a file with its runs", (services) => `/file/${services["access.py"]}?run=last`],
  ["people", () => "/admin/users"],
  ["announcements", () => "/admin/announcements"],
  ["settings", () => "/settings"],
  ["tokens", () => "/settings/tokens"],
  ["what the API offers", () => "/api-docs"],
  ["the overview of operators", () => "/admin"],
  ["jobs", () => "/admin/jobs"],
  ["a run of a job", (services) => `/admin/jobs/runs/${services.run}`],
  ["indexes", () => "/admin/verify-indexes"],
  ["observability", () => "/admin/observability?replay=on"],
  ["devices", () => "/settings/devices"],
  ["feeds", () => "/settings/feeds"],
  ["sessions", () => "/settings/sessions"],
  ["login and security", () => "/settings/sign-in"],
  ["export and import", () => "/settings/export"],
  ["deleting the account", () => "/settings/delete"],
  ["reminders", () => "/reminders"],
  ["notes", () => "/notes"],
  ["boards", () => "/boards"],
  ["a board", (services) => `/boards/${services.board}`],
  ["repositories", () => "/repos"],
  ["a folder of a repository", () => `${REPO}?path=src`],
  ["a file of a repository", () => `${REPO}/file?path=src%2Fmain.py&L=1`],
  ["the history of a repository's file", () => `${REPO}/history?path=src%2Fmain.py`],
  ["a search in a repository", () => `${REPO}/search?q=one`],
  ["orphans", () => `${REPO}/orphans`],
  ["an import", () => `${REPO}/import`],
  ["an analysis", () => `${REPO}/analysis`],
  ["a share to be made", (services) => `/file/${services["access.py"]}/share`],
  ["a file to be sent to a code host", (services) => `/file/${services["access.py"]}/upload`],
  ["shares", () => "/shares"],
  ["a file's reminder", (services) => `/file/${services["access.py"]}/reminder`],
  ["a note's reminder", (services) => `/reminders/${services.note}`],
  ["the keys", () => "/help/shortcuts"],
  ["going somewhere", () => "/go?q=access"],
  ["a search through everything", () => "/search?q=one%20lang:python"],
  ["offline", () => "/offline"],
  ["the frame of a slow page", () => "/frame"],
  ["an error", () => "/nowhere"],
];

/** What is pressed before a page is read: some show the most in answer to a form. */
const ANSWERS: Record<string, (page: Page) => Promise<void>> = {
  tokens: async (page) => {
    await page.locator("input[name=name]").fill("access");
    await page.locator("button[value=create]").click();
    await page.locator(".token-secret").waitFor();
  },
  "an explanation": async (page) => {
    await page.locator("details.explain > summary").click();
    await page.locator("button[value=explain]").click();
    await page.locator(".explanation").waitFor();
  },
  sessions: async (page) => {
    await page.request.post("/settings/feeds", { form: { intent: "make" } });
    await page.reload();
    await page.locator("details.confirm > summary").click();
    await page.locator("button[value=end_all]").waitFor();
  },
  people: async (page) => {
    await page.locator(".person-access > details > summary").first().click();
    await page.locator(".person-access .button-wrong").first().waitFor();
  },
  "deleting the account": async (page) => {
    await page.locator("input[name=confirmation]").fill("no");
    await page.locator(".button-wrong").click();
    await page.getByRole("alert").waitFor();
  },
};

const STRANGERS_PLACES: readonly Place[] = [
  ["home", () => "/"],
  ["the login", () => "/login"],
  ["offline for nobody", () => "/offline"],
  ["a log-out without a network", () => "/offline?left"],
];

/** Pages whose content takes more to make: `note-looks.ts` `share-journeys.ts` and `frame-journeys.ts` have axe read them. */
const READ_ELSEWHERE = [
  "logout",
  "note.$id_.edit",
  "note.$id_.history",
  "notes_.new",
  "share.$id",
  "shared.$token",
  "shared.$token_.$place",
];

type Look = {
  name: string;
  cookies: Record<string, string>;
  scripts: boolean;
  places: readonly Place[];
  stranger?: true;
};

const SCRIPTED = ["a file", "the editor", "saving files", "the code tools", "a board"];

const LIGHT = { theme: "light", locale: "en" };
const DARK_HEBREW = { theme: "dark", locale: "he" };

/** Half of the pages, drawn by the commit, and those that scripts change the most from right to left. */
const DEFAULT_LOOKS: readonly Look[] = [
  {
    name: "light, English",
    cookies: LIGHT,
    scripts: true,
    places: drawCases("pages", PLACES, PLACES.length / 2),
  },
  {
    name: "dark, Hebrew",
    cookies: DARK_HEBREW,
    scripts: true,
    places: PLACES.filter(([name]) => SCRIPTED.includes(name)),
  },
  {
    name: "light, English, to a stranger",
    cookies: LIGHT,
    scripts: true,
    places: STRANGERS_PLACES,
    stranger: true,
  },
];
/** Every page from right to left and without scripts as well. */
const LOOKS: readonly Look[] = [
  ...DEFAULT_LOOKS,
  { name: "dark, Hebrew, no scripts", cookies: DARK_HEBREW, scripts: false, places: PLACES },
  {
    name: "dark, Hebrew, no scripts, to a stranger",
    cookies: DARK_HEBREW,
    scripts: false,
    places: STRANGERS_PLACES,
    stranger: true,
  },
];
const AT_ONCE = 13;
const AXE_MS = 90_000;

const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let filled: Promise<SeededIds> | undefined;

export function accessJourneys(): void {
  const remote = createRemote(REPO_NAME);
  it("axe reads every page there is", () => {
    const services = new Proxy({} as SeededIds, { get: () => "x" });
    const read = [...PLACES, ...STRANGERS_PLACES].map(([, pathOf]) => routeOf(pathOf(services)));
    expect(pageRoutes().filter((route) => ![...read, ...READ_ELSEWHERE].includes(route))).toEqual([]);
  });

  for (const look of isFullRun ? LOOKS : DEFAULT_LOOKS)
    for (let from = 0; from < look.places.length; from += AT_ONCE) {
      const places = look.places.slice(from, from + AT_ONCE);
      const names = places.map(([name]) => name).join(", ");
      const claim = `axe finds nothing wrong in ${look.name}: ${names}`;
      const walk = async ({ page, expectError }: Visit) => {
        expectError(/status of 40[04]|ERR_FAILED/);
        // The bell of the page that was left asks once more.
        if (look.stranger) expectError(/status of 401/);
        await signIn(page, "Local administrator");
        filled ??= seedPages(page, remote);
        const services = await filled;
        const cookies = Object.entries(look.cookies);
        await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url: productUrl() })));
        if (look.stranger) await page.context().clearCookies({ name: "session" });
        const hosts = new Set<string>();
        page.on("request", (request) => hosts.add(new URL(request.url()).origin));
        if (!look.scripts) await page.route("**/assets/*.js", (route) => route.abort());
        for (const [name, pathOf] of places) {
          await page.goto(pathOf(services));
          const hasEditor = look.scripts && (await page.locator("[data-code-field]").count()) > 0;
          if (hasEditor) await page.locator(".cm-content").waitFor();
          await ANSWERS[name]?.(page);
          expect(await violations(page), name).toEqual([]);
        }
        expect([...hosts], "asked for anything").toEqual([productUrl()]);
      };
      journey(claim, "on", walk, { timeoutMs: AXE_MS });
    }
}

/**
 * What axe says is wrong with the page as it stands, a line each. Contrast takes axe the longest; by default it is left to the test of
 * the style sheets' colours.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource);
  return page.evaluate(async (isFullRun) => {
    type Result = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] };
    const { axe } = window as unknown as {
      axe: { run(context: Document, options: object): Promise<{ violations: Result[] }> };
    };
    // The frame of a preview runs no scripts, so that nothing can be asked inside it. No rule that is on reads style sheets.
    const preload = { assets: ["media"] };
    const rules = { "color-contrast": { enabled: isFullRun } };
    const result = await axe.run(document, { resultTypes: ["violations"], iframes: false, preload, rules });
    return result.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ""}`),
    );
  }, isFullRun);
}

async function seedPages(page: Page, remote: GitRemote): Promise<SeededIds> {
  const ids: Partial<SeededIds> = {};
  for (const [name, text] of Object.entries(FILES))
    for (const body of [text, `${text}\n`]) {
      const answer = await page.request.put(`/api/files/${name}`, { data: body });
      ids[name as keyof SeededIds] = (await answer.json()).file_id;
    }
  const trashed = await page.request.put("/api/files/access-trashed.txt", { data: "x" });
  await page.request.post(`/api/file/${(await trashed.json()).file_id}/trash`);
  await page.request.put("/api/files/access/README.md", { data: "# About\n\n- one\n" });
  await page.request.put("/api/files/access/inner/a.py", { data: "1\n" });
  const { folders } = await (await page.request.get("/api/folders")).json();
  ids.folder = folders.find(({ name }: { name: string }) => name === "access").id;
  const made = await page.request.post("/api/note-boards", { data: { name: "access" } });
  ids.board = (await made.json()).board.id;
  await makeNotedRepo(page.request, remote, REPO_NAME);
  const note = await page.request.post(`/api/sticky-notes/board/${ids.board}`, {
    data: { content: "- [ ] one" },
  });
  ids.note = (await note.json()).id;
  ids.run = (await (await page.request.post("/api/jobs/orphan_reconcile/trigger")).json()).run_id;
  return ids as SeededIds;
}
