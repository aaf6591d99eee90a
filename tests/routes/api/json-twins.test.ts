import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { setAnalysis } from "#db/repos/repo-analyses.server.ts";
import { analyseRepo } from "#domain/repos/repo-analysis.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { givenRepo } from "#tests/support/repos/given-repo.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({});
const { given } = web;
const admin = await web.person(ADMIN_ID);
const post = async (path: string, body?: object) => (await admin.send("POST", path, body)).body;

const { id: file_id } = await given.file(ADMIN_ID, "shown.py");
const { id: gone } = await given.file(ADMIN_ID, "gone.py");
await post(`/api/file/${gone}/trash`);
const { board } = await post("/api/note-boards", { name: "Plans" });
const { id: note } = await post(`/api/sticky-notes/board/${board.id}`, { content: "remember" });
await post(`/api/sticky-notes/note/${note}/reminder`, { preset: "1h" });
const { share_id } = await post(`/api/share/${file_id}`, {});
await post("/api/repos", { url: "https://example.org/a/b.git", name: "a/b" });
const mirror = await givenRepo(web.db, ADMIN_ID, "c/d", { "src/main.py": "needle = 1\n" });
await setAnalysis(web.db, {
  _id: new ObjectId(mirror.id),
  user_id: ADMIN_ID,
  head: null,
  analysed_at: web.clock(),
  analysis: analyseRepo({ files: [], texts: new Map(), commits: [] }),
});
const { run_id } = await post("/api/jobs/trash_check/trigger");

const some = expect.anything();
const MOMENT = expect.stringMatching(/\.\d{3}\+00:00$/);

/** Each page that shows data, and some of its JSON. */
const TWINS: Record<string, object> = {
  "/files": { files: [{ id: file_id, created_at: MOMENT }], next_cursor: null },
  [`/file/${file_id}`]: { file: { id: file_id, etag: `"${file_id}.1"` } },
  "/trash": { files: [{ id: gone, deleted_at: MOMENT, expires_at: MOMENT }], next_cursor: null, total: 1 },
  "/dashboard": {
    due: [],
    pinned: [],
    recent: [{ id: file_id }],
    totals: { files: 1, trashed: 1 },
    storage: some,
  },
  "/notes": { notes: [{ id: note, content: "remember", updated_at: MOMENT }], next_cursor: null },
  "/notes?q=remember": { found: [{ id: note, updated_at: MOMENT }], more: false },
  "/boards": {
    boards: expect.arrayContaining([expect.objectContaining({ id: board.id, name: "Plans", notes: 1 })]),
  },
  [`/boards/${board.id}`]: { notes: [{ id: note }], count: 1 },
  "/reminders": { due: [], upcoming: [{ note_id: note, remind_at: MOMENT, status: "pending" }], done: [] },
  "/shares": { shares: [{ share_id }] },
  "/repos": { repos: expect.arrayContaining([expect.objectContaining({ repo_name: "a/b" })]) },
  "/repos/c%2Fd": { repo_name: "c/d", folders: some, files: [] },
  "/repos/c%2Fd?path=src": { files: [{ path: "src/main.py" }] },
  "/repos/c%2Fd/file?path=src/main.py": { content: "needle = 1\n" },
  "/repos/c%2Fd/history": { commits: [] },
  "/repos/c%2Fd/search?q=needle": { hits: [{ file: { path: "src/main.py" } }], more: false },
  "/repos/c%2Fd/analysis": { repo_name: "c/d", analysed_at: MOMENT },
  "/repos/c%2Fd/import?path=src": { files: [{ path: "src/main.py", action: "create" }] },
  "/repos/c%2Fd/orphans": { notes: [] },
  "/settings/sessions": { sessions: some },
  "/settings/export": { import: null },
  "/admin": { alerts: some, workers: [], backlog: some, indexes: 0 },
  "/admin/jobs": { jobs: some },
  [`/admin/jobs/runs/${run_id}`]: { run: { run_id, created_at: MOMENT } },
  "/admin/observability": { summary: { total: expect.any(Number) }, alerts: [], series: some },
  "/admin/verify-indexes": { collections: some },
};

const send = (path: string, Accept = "application/json", visitor = admin) =>
  visitor.send("GET", path, undefined, { Accept });

describe("a page that shows data", () => {
  it.each(Object.entries(TWINS))(
    "%s has a twin in JSON, for a caller who asks for it by name",
    async (path, shown) => {
      const { status, headers, body } = await send(path);
      expect([status, headers.get("Content-Type")?.split(";")[0]]).toEqual([200, "application/json"]);
      expect(body).toMatchObject(shown);
      for (const accept of ["*/*", "text/html,application/json;q=0.9"])
        expect((await send(path, accept)).headers.get("Content-Type"), accept).toMatch(/^text\/html/);
    },
  );

  it.each([
    [`/file/${ABSENT_ID}`, 404],
    ["/trash?cursor=x", 400],
    [`/notes?q=${"x".repeat(300)}`, 400],
  ])("refuses in JSON, too: %s", async (path, status) => {
    expect(await send(path)).toMatchObject({ status, body: { code: expect.any(String) } });
  });
});
