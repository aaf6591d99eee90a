/** Every page, and a library that shows something on each: axe reads them, and all variants are inspected. */
import type { APIRequestContext } from "playwright";
import { makeNotedRepo } from "#tests/browser/noted-repo.ts";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";

// Every token colour of the highlighter once, and a line longer than any screen.
export const COLOURFUL = `# a comment
import re
@decorated
class Ids(object):
    """Words."""
    def __init__(self, size: int = 42) -> None:
        self.names = {"a": True, 'b': None}
        print(f"{size} files", re.compile(r"\\d+"))
${"long = ".repeat(60)}1
`;
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>\n';
const LONG = `a\n${"same\n".repeat(12)}let x = 1; ${"word ".repeat(60)}\nlast`;

const FILES = {
  "access.py": "def one():\n    return 1  # word\n",
  "colourful.py": COLOURFUL,
  // Long enough for an outline.
  "access.js": "function one() {\n}\n".repeat(16),
  "access.md":
    "# Title\n\n*soft* **loud** `code` [link](/x)\n\n## Part\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n",
  "access.html": `<h1>Page</h1>\n<!-- a note -->\n<a class="x" href="/">&amp;</a>\n<style>#id .c:hover { color: red; --x: 1px }</style>\n`,
  "access.svg": DRAWING,
  "access.json": '{"a":[1,2]}\n',
  "access.csv": "a,b\n1,2\n",
  "access.diff": "--- a/one\n+++ b/one\n@@ -1 +1 @@\n-old\n+new\n",
  "access.txt": LONG,
};
type FileName = keyof typeof FILES;
const LATER: Partial<Record<FileName, string>> = {
  "access.txt": `${LONG.replace("x = 1", "x = 2")}\n\u202E\n`,
};

const RICH =
  "# Heading\nSome **bold**, *soft*, ~~gone~~ `code` and [a link](https://a.example)\n\n- one\n  - [ ] task\n- [x] done\n\n> said\n\n```\nlet x = 1;\n```\n\nשלום עולם";
const COLORS = ["yellow", "pink", "blue", "green", "orange", "purple", "#777777", "#000000", "#ffffff"];

export type SeededIds = Record<
  FileName | "board" | "note" | "folder" | "run" | "shared" | "locked" | "html" | "svg" | "bundle",
  string
>;
export type Page = [name: string, path: (ids: SeededIds) => string];

export const REPO_NAME = "dana/access";
const REPO = `/repos/${encodeURIComponent(REPO_NAME)}`;

export const PAGES: readonly Page[] = [
  ["the dashboard", () => "/dashboard"],
  ["the list of files", () => "/files"],
  ["a search without a hit", () => "/files?q=nothing-has-this"],
  ["a folder", ({ folder }) => `/files?folder=${folder}`],
  ["a file", (ids) => `/file/${ids["access.js"]}?L=1-2`],
  ["an explanation", (ids) => `/file/${ids["access.py"]}`],
  ["an old version", (ids) => `/file/${ids["access.md"]}?v=1`],
  ["Markdown", (ids) => `/md/${ids["access.md"]}`],
  ["a page in a frame", (ids) => `/file/${ids["access.html"]}?view=preview`],
  ["a page whose scripts run", (ids) => `/file/${ids["access.html"]}?view=preview&scripts=on`],
  ["a drawing", (ids) => `/svg/${ids["access.svg"]}`],
  ["JSON", (ids) => `/file/${ids["access.json"]}?view=preview`],
  ["CSV", (ids) => `/file/${ids["access.csv"]}?view=preview`],
  ["the editor", (ids) => `/edit/${ids["access.py"]}`],
  ["the history", (ids) => `/file/${ids["access.py"]}/history`],
  ["two versions", (ids) => `/file/${ids["access.py"]}/compare?from=1&to=2`],
  ["saving files", () => "/upload"],
  ["importing gists", () => "/upload/gist"],
  ["the trash", () => "/trash"],
  ["the code tools", (ids) => `/tools/code?file=${ids["access.py"]}`],
  ["a file with its runs", (ids) => `/file/${ids["access.py"]}?run=last`],
  ["people", () => "/admin/users"],
  ["announcements", () => "/admin/announcements"],
  ["settings", () => "/settings"],
  ["tokens", () => "/settings/tokens"],
  ["what the API offers", () => "/api-docs"],
  ["the overview of operators", () => "/admin"],
  ["jobs", () => "/admin/jobs"],
  ["a run of a job", ({ run }) => `/admin/jobs/runs/${run}`],
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
  ["a search in notes", () => "/notes?q=heading"],
  ["a new note on a heading", (ids) => `/notes/new?file=${ids["access.md"]}&heading=`],
  ["a note being edited", ({ note }) => `/note/${note}/edit`],
  ["the history of a note", ({ note }) => `/note/${note}/history`],
  ["boards", () => "/boards"],
  ["a board", ({ board }) => `/boards/${board}`],
  ["repositories", () => "/repos"],
  ["a folder of a repository", () => `${REPO}?path=src`],
  ["a file of a repository", () => `${REPO}/file?path=src%2Fmain.py&L=1`],
  ["the history of a repository's file", () => `${REPO}/history?path=src%2Fmain.py`],
  ["a search in a repository", () => `${REPO}/search?q=one`],
  ["orphans", () => `${REPO}/orphans`],
  ["an import", () => `${REPO}/import`],
  ["an analysis", () => `${REPO}/analysis`],
  ["a share to be made", (ids) => `/file/${ids["access.md"]}/share`],
  ["a file to be sent to a code host", (ids) => `/file/${ids["access.py"]}/upload`],
  ["shares", ({ shared }) => `/shares?made=${shared}`],
  ["a file's reminder", (ids) => `/file/${ids["access.py"]}/reminder`],
  ["a note's reminder", ({ note }) => `/reminders/${note}`],
  ["the keys", () => "/help/shortcuts"],
  ["going somewhere", () => "/go?q=access"],
  ["a search through everything", () => "/search?q=one%20lang:python"],
  ["offline", () => "/offline"],
  ["the frame of a slow page", () => "/frame"],
  ["an error", () => "/nowhere"],
];

export const STRANGERS_PAGES: readonly Page[] = [
  ["home", () => "/"],
  ["the login", () => "/login"],
  ["offline for nobody", () => "/offline"],
  ["a log-out without a network", () => "/offline?left"],
  ["a shared source", ({ shared }) => `/share/${shared}`],
  ["shared Markdown", ({ shared }) => `/share/${shared}?view=md`],
  ["a share with a password", ({ locked }) => `/share/${locked}`],
  ["a shared page in a frame", ({ html }) => `/share/${html}?view=html`],
  ["a shared drawing", ({ svg }) => `/share/${svg}?view=svg`],
  ["a bundle of files", ({ bundle }) => `/shared/${bundle}`],
  ["a file of a bundle", ({ bundle }) => `/shared/${bundle}/1`],
];

const MENUS = "details.menu > summary";
const NOTE_MENU = ".note-menu > summary:visible >> nth=0";
const FOLDS = "summary.diff-fold";

type InspectedPage = { path: (ids: SeededIds) => string; behind: string; isStrangers?: true };
const inspected = (behind: string, paths: InspectedPage["path"][]): InspectedPage[] =>
  paths.map((path) => ({ path, behind }));

/** The pages with parts of every kind, and what their buttons open. */
export const INSPECTED_PAGES: readonly InspectedPage[] = [
  ...inspected(MENUS, [
    ...["/dashboard", "/files", "/upload", "/admin/jobs", "/tools/code", "/settings", "/nowhere"].map(
      (path) => () => path,
    ),
    ...(["colourful.py", "access.html", "access.diff", "access.md"] as const).map(
      (name) => (ids: SeededIds) => `/file/${ids[name]}?L=2-3`,
    ),
  ]),
  ...inspected(NOTE_MENU, [
    (ids) => `/file/${ids["access.js"]}?L=2-3`,
    (ids) => `/md/${ids["access.md"]}`,
    ({ board }) => `/boards/${board}`,
    () => "/boards",
    () => "/notes",
    () => "/notes?q=heading",
    (ids) => `/notes/new?file=${ids["access.md"]}&heading=`,
    ({ board }) => `/notes/new?board=${board}`,
    ({ note }) => `/note/${note}/edit`,
    ({ note }) => `/note/${note}/history`,
  ]),
  ...inspected(FOLDS, [
    (ids) => `/edit/${ids["access.txt"]}`,
    (ids) => `/file/${ids["access.txt"]}?v=1`,
    (ids) => `/file/${ids["access.txt"]}/history`,
    (ids) => `/file/${ids["access.txt"]}/compare?from=1&to=2`,
  ]),
  ...["/", "/login"].map((path) => ({ path: () => path, behind: MENUS, isStrangers: true as const })),
];

let seeded: Promise<SeededIds> | undefined;

/** Returns the ids of a library that the first caller makes. */
export function seedPages(request: APIRequestContext, remote: GitRemote): Promise<SeededIds> {
  seeded ??= seed(request, remote);
  return seeded;
}

async function seed(request: APIRequestContext, remote: GitRemote): Promise<SeededIds> {
  type Sent = { id: string; share_id: string; token: string; run_id: string; board: { id: string } };
  const send = async (path: string, data: object = {}): Promise<Sent> =>
    (await request.post(path, { data })).json();
  const put = async (name: string, data: string): Promise<string> =>
    (await (await request.put(`/api/files/${name}`, { data })).json()).file_id;
  const ids: Partial<SeededIds> = {};
  for (const [name, text] of Object.entries(FILES) as [FileName, string][]) {
    await put(name, text);
    ids[name] = await put(name, LATER[name] ?? `${text}\n`);
  }
  await send(`/api/file/${await put("access-trashed.txt", "x")}/trash`);
  await put("access/README.md", "# About\n\n- one\n");
  await put("access/inner/a.py", "1\n");
  const { folders } = await (await request.get("/api/folders")).json();
  ids.folder = folders.find(({ name }: { name: string }) => name === "access").id;
  ids.board = (await send("/api/note-boards", { name: "access" })).board.id;
  for (const [i, color] of COLORS.entries()) {
    const position = { x: 20 + (i % 3) * 280, y: 20 + Math.floor(i / 3) * 320 };
    const size = { width: i === 2 ? 120 : 260, height: i === 2 ? 80 : 300 };
    const title = i % 2 === 0 ? null : `Title ${i}`;
    const note = { content: RICH, color, position, size, title, is_minimized: i === 4 };
    ids.note = (await send(`/api/sticky-notes/board/${ids.board}`, note)).id;
    const onLine = { content: RICH, color, line_start: i || null };
    if (i % 3 === 0) await send(`/api/sticky-notes/${ids["access.js"]}`, onLine);
  }
  const onHeading = { content: RICH, anchor_id: "part", anchor_text: "Part" };
  await send(`/api/sticky-notes/${ids["access.md"]}`, onHeading);
  await request.put(`/api/sticky-notes/note/${ids.note}`, { data: { content: "- [ ] changed" } });
  await makeNotedRepo(request, remote, REPO_NAME);
  ids.run = (await send("/api/jobs/orphan_reconcile/trigger")).run_id;
  const share = async (name: FileName, data: object = {}) =>
    (await send(`/api/share/${ids[name]}`, data)).share_id;
  ids.shared = await share("access.md");
  ids.locked = await share("access.md", { password: "open sesame", max_views: 2 });
  ids.html = await share("access.html");
  ids.svg = await share("access.svg");
  ids.bundle = (await send("/api/files/create-share-link", { file_ids: [ids["access.md"]] })).token;
  return ids as SeededIds;
}
