/** The pages of the contact sheet: a row each, with who looks and what they did there first. */
import type { Page } from "playwright";
import { REPO_NAME, type SheetLibrary } from "./sheet-library.ts";

/** Who looks: the owner of the library, nobody, somebody with an empty shelf, or somebody on their first day. */
export type Visitor = "owner" | "stranger" | "reader" | "newcomer";

type Path = (library: SheetLibrary) => string;
type Before = (page: Page) => Promise<unknown>;
type Row = [name: string, path: Path, before?: Before];
export type Place = { visitor: Visitor; name: string; path: Path; before?: Before };

const REPO = `/repos/${encodeURIComponent(REPO_NAME)}`;
const MANY_WRITES = 61;

/** Sends a form that the page does not have, to its own address or another one. */
async function send(page: Page, fields: Record<string, string>, action = page.url()): Promise<void> {
  const loaded = page.waitForEvent("load");
  await page.evaluate(
    ([action, entries]) => {
      const form = Object.assign(document.createElement("form"), { action, method: "post", hidden: true });
      form.enctype = "multipart/form-data";
      for (const [name, value] of entries)
        form.append(Object.assign(document.createElement("textarea"), { name, value }));
      document.body.append(form);
      form.submit();
    },
    [action, Object.entries(fields)] as const,
  );
  await loaded;
}

async function selectTwo(page: Page): Promise<void> {
  for (const n of [0, 1]) await page.locator(".file-row input[type=checkbox]").nth(n).check();
}

async function writeTooOften(page: Page): Promise<void> {
  await Promise.all(Array.from({ length: MANY_WRITES }, () => page.request.post("/nowhere")));
  await send(page, {}, "/nowhere");
}

async function loseNetwork(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.locator("[data-offline]").waitFor();
}

/** Another text is saved while this one is typed. */
async function meetAnother(page: Page): Promise<void> {
  const path = new URL(page.url()).pathname.replace(/^\/(.*)\/edit$/, "/api/sticky-notes/$1");
  await page.request.put(path, { data: { content: `- [ ] theirs\n- [ ] at ${Date.now()}` } });
  await page.locator("#note-content").fill("- [ ] mine");
  const loaded = page.waitForEvent("load");
  await page.locator("form.note-fields button[type=submit]").first().click();
  await loaded;
}

const OWNER: readonly Row[] = [
  ["dashboard", () => "/dashboard"],
  ["files", () => "/files"],
  ["files-selected", () => "/files", selectTwo],
  ["folder", ({ folder }) => `/files?folder=${folder}`],
  ["files-search", () => "/files?q=backup"],
  ["files-none", () => "/files?q=nothing-has-this"],
  ["file", ({ python }) => `/file/${python}?L=13-15`],
  ["file-offline", ({ python }) => `/file/${python}`, loseNetwork],
  ["file-old", ({ python }) => `/file/${python}?v=1`],
  ["file-runs", ({ python }) => `/file/${python}?run=last`],
  ["file-long-lines", ({ viewed }) => `/file/${viewed("vendor.min.js")}`],
  ["file-directions", ({ viewed }) => `/file/${viewed("hidden-direction.py")}`],
  ["markdown", ({ markdown }) => `/md/${markdown}`],
  ["html", ({ viewed }) => `/file/${viewed("page.html")}?view=preview`],
  ["svg", ({ viewed }) => `/svg/${viewed("boxes.svg")}`],
  ["json", ({ viewed }) => `/file/${viewed("package.json")}?view=preview`],
  ["notebook", ({ viewed }) => `/file/${viewed("notebook.ipynb")}?view=preview`],
  ["csv", ({ viewed }) => `/file/${viewed("stock.csv")}?view=preview`],
  ["upload", () => "/upload"],
  [
    "upload-shared",
    () => "/upload",
    (page) => send(page, { shared_title: "A good talk", shared_url: "https://example.com/talk" }),
  ],
  ["upload-refused", () => "/upload", (page) => send(page, { file_name: "a/b", text: "x = 1" })],
  ["edit", ({ python }) => `/edit/${python}`],
  [
    "edit-conflict",
    ({ viewed }) => `/edit/${viewed("conflict.txt")}`,
    (page) => send(page, { version: "1", file_name: "conflict.txt", text: "one\ntwo of mine\nthree\n" }),
  ],
  ["history", ({ python }) => `/file/${python}/history`],
  ["compare", ({ python }) => `/file/${python}/compare?from=1&to=2`],
  ["file-share", ({ python }) => `/file/${python}/share`],
  ["file-upload", ({ python }) => `/file/${python}/upload`],
  ["trash", () => "/trash"],
  ["notes", () => "/notes"],
  ["notes-search", () => "/notes?q=backup"],
  ["note-new", ({ python }) => `/notes/new?file=${python}&L=2-3`],
  ["note-edit", ({ note }) => `/note/${note}/edit`],
  ["note-conflict", ({ contested }) => `/note/${contested}/edit`, meetAnother],
  ["note-history", ({ note }) => `/note/${note}/history`],
  ["boards", () => "/boards"],
  ["board", ({ board }) => `/boards/${board}`],
  ["reminders", () => "/reminders"],
  ["reminder", ({ note }) => `/reminders/${note}`],
  ["tools", ({ python }) => `/tools/code?file=${python}`],
  ["shares", () => "/shares"],
  ["go", () => "/go?q=back"],
  ["search", () => "/search?q=return"],
  ["shortcuts", () => "/help/shortcuts"],
  ["offline", () => "/offline"],
  ["error-404", () => "/nowhere"],
  ["settings", () => "/settings"],
  ["settings-devices", () => "/settings/devices"],
  ["settings-feeds", () => "/settings/feeds"],
  ["settings-tokens", () => "/settings/tokens"],
  ["settings-sessions", () => "/settings/sessions"],
  ["settings-export", () => "/settings/export"],
  ["settings-delete", () => "/settings/delete"],
  ["api-docs", () => "/api-docs"],
  ["repos", () => "/repos"],
  ["repo", () => REPO],
  ["repo-folder", () => `${REPO}?path=src`],
  ["repo-file", () => `${REPO}/file?path=src%2Fmain.py&L=1`],
  ["repo-binary", () => `${REPO}/file?path=logo.png`],
  ["repo-history", () => `${REPO}/history?path=src%2Fmain.py`],
  ["repo-search", () => `${REPO}/search?q=one`],
  ["repo-orphans", () => `${REPO}/orphans`],
  ["repo-import", () => `${REPO}/import`],
  ["repo-analysis", () => `${REPO}/analysis`],
  ["admin", () => "/admin"],
  ["admin-jobs", () => "/admin/jobs"],
  ["admin-observability", () => "/admin/observability"],
  ["admin-indexes", () => "/admin/verify-indexes"],
  ["admin-announcements", () => "/admin/announcements"],
  ["admin-users", () => "/admin/users"],
];

const STRANGER: readonly Row[] = [
  ["home", () => "/"],
  ["login", () => "/login"],
  ["share", ({ share }) => `/share/${share}?view=md`],
  ["share-locked", ({ locked }) => `/share/${locked}`],
  ["share-ended", ({ ended }) => `/share/${ended}`],
  ["shared", ({ bundle }) => `/shared/${bundle}`],
  ["shared-file", ({ bundle }) => `/shared/${bundle}/1`],
  ["offline-left", () => "/offline?left"],
  ["session-ended", () => "/", (page) => send(page, { file_name: "kept.txt", text: "kept" }, "/upload")],
];

const READER: readonly Row[] = [
  ["empty-dashboard", () => "/dashboard"],
  ["empty-files", () => "/files"],
  ["empty-notes", () => "/notes"],
  ["empty-boards", () => "/boards"],
  ["empty-reminders", () => "/reminders"],
  ["empty-shares", () => "/shares"],
  ["empty-trash", () => "/trash"],
  ["empty-repos", () => "/repos"],
  ["error-403", () => "/admin"],
];

const NEWCOMER: readonly Row[] = [
  ["welcome", () => "/notes"],
  ["error-429", () => "/help/shortcuts", writeTooOften],
  ["error-500", () => "/files"],
  ["error-503", ({ busy }) => busy],
];

const ROWS: Record<Visitor, readonly Row[]> = {
  stranger: STRANGER,
  owner: OWNER,
  reader: READER,
  newcomer: NEWCOMER,
};

export const PLACES: readonly Place[] = Object.entries(ROWS).flatMap(([visitor, rows]) =>
  rows.map(([name, path, before]) => ({ visitor: visitor as Visitor, name, path, before })),
);
