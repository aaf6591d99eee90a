import { describe, expect, it } from "vitest";
import { removeRepo } from "#db/repos/repos.server.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { givenRepo, givenSync, givenUnsyncedRepo } from "#tests/support/repos/given-repo.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const { db } = web;
const LATER = new Date(NOON.getTime() + 60_000);
const MAIN = "import sys\n\ndef start_the_engine():\n    return sys.argv\n";
const NAME = "dana/tools";

/** A person who mirrors a repository, and their calls of the API about notes. */
async function givenPerson(
  texts: Record<string, string> = { "src/main.py": MAIN, "README.md": "# Tools\n" },
) {
  const visitor = await web.person();
  const { id } = visitor;
  const send = (method: string, path: string, body?: unknown) =>
    visitor.send(method, `/api/sticky-notes${path}`, body);
  const get = async (path: string) => (await send("GET", path)).body;
  const note = async (path: string, fields: object) => (await send("POST", on(path), fields)).body.note;
  return { id, visitor, repo: await givenRepo(db, id, NAME, texts), send, get, note };
}

const on = (path: string, name = NAME) => `/repo/${encodeURIComponent(name)}/${encodeURIComponent(path)}`;
const ORPHANS = `/repo-orphans/${encodeURIComponent(NAME)}`;

describe("a note on a file of a repository", () => {
  it("is put there and listed, with its target, its lines and no orphan flag", async () => {
    const { send, get } = await givenPerson();

    const created = await send("POST", on("src/main.py"), { content: "שלום", title: "One", line_start: 3 });

    expect(created).toMatchObject({ status: 201, body: { ok: true, orphaned: false } });
    expect(created.body.note).toMatchObject({
      id: created.body.id,
      kind: "repo",
      repo_name: NAME,
      repo_path: "src/main.py",
      file_id: null,
      board_id: null,
      orphaned: false,
      mode: "anchored",
      anchor: { state: "same", line_start: 3, line_end: 3 },
    });
    const listed = { ok: true, notes: [created.body.note], count: 1, orphaned: false };
    expect(await send("GET", on("src/main.py"))).toMatchObject({ status: 200, body: listed });
    expect(await get(on("README.md"))).toMatchObject({ notes: [], count: 0 });
    expect(await (await givenPerson()).get(on("src/main.py"))).toMatchObject({ count: 0 });
  });

  it("whose line is lost offers similar lines of the last sync, and one press attaches it", async () => {
    const { visitor, repo, get, note } = await givenPerson();
    const { id } = await note("src/main.py", { content: "about the engine", line_start: 3 });
    const now = "import os\n\n\n\ndef start_the_engine(options):\n    pass\n";
    await givenSync(db, repo, { put: { "src/main.py": now }, at: LATER });
    const address = `/repos/${encodeURIComponent(NAME)}/file?path=src%2Fmain.py`;
    expect(await visitor.read(address)).toContain('value="attach:5">Attach to line 5</button>');

    await visitor.submit(`/note/${id}`, { intent: "attach:5", next: address });

    expect(await visitor.read(address)).not.toContain("attach:5");
    const attached = { line_start: 5, anchor: { state: "same", line_start: 5 } };
    expect((await get(on("src/main.py"))).notes[0]).toMatchObject(attached);
  });

  it("is found by a path with plain slashes too, and by one of any letters", async () => {
    const path = "תיקייה/a b#1?.py";
    const { get, note } = await givenPerson({ [path]: "x = 1\n", "src/main.py": MAIN });
    await note(path, { content: "here" });
    await note("src/main.py", { content: "plain" });
    expect(await get(on(path))).toMatchObject({ count: 1, notes: [{ repo_path: path, content: "here" }] });
    const plain = { count: 1, notes: [{ content: "plain" }] };
    expect(await get("/repo/dana%2Ftools/src/main.py")).toMatchObject(plain);
  });

  it("needs a mirrored repository that has the file", async () => {
    const { send } = await givenPerson();
    for (const [path, code] of [
      [on("src/none.py"), "repo_path_not_found"],
      [on("src"), "repo_path_not_found"],
      [on("a.py", "no/such"), "repo_not_found"],
    ] as const)
      expect(await send("POST", path, {})).toMatchObject({ status: 404, body: { ok: false, code } });
  });

  it("has a title of its own in its file", async () => {
    const { send } = await givenPerson();
    expect((await send("POST", on("src/main.py"), { title: "Plan" })).status).toBe(201);
    expect((await send("POST", on("README.md"), { title: "Plan" })).status).toBe(201);
    expect(await send("POST", on("src/main.py"), { title: "Plan" })).toMatchObject({
      status: 409,
      body: { error: "duplicate_title" },
    });
  });
});

describe("an orphan", () => {
  /** A person with notes on two files, the first of which the last sync did not find. */
  async function givenOrphan(fields: object = { content: "kept" }) {
    const person = await givenPerson();
    const note = await person.note("src/main.py", fields);
    await person.note("README.md", { content: "stays" });
    const before = await person.get(ORPHANS);
    await givenSync(db, person.repo, { drop: ["src/main.py"], at: LATER });
    return { ...person, orphan: note, path: `/note/${note.id}`, before };
  }

  it("is a note whose file the last sync did not find; before that sync it is none", async () => {
    const { orphan, before, get } = await givenOrphan();
    expect(before).toEqual({ ok: true, notes: [], count: 0, last_sync_time: toTimestamp(NOON) });
    const { id } = orphan;
    const after = { count: 1, last_sync_time: toTimestamp(LATER) };
    const note = { id, orphaned: true, repo_path: "src/main.py", content: "kept" };
    expect(await get(ORPHANS)).toMatchObject({ ...after, notes: [note] });
    expect(await get(on("src/main.py"))).toMatchObject({ orphaned: true, notes: [note] });
    expect(await get(on("README.md"))).toMatchObject({ orphaned: false, notes: [{ orphaned: false }] });
  });

  it("is recognised by reading only: nothing is written", async () => {
    const { id: user_id, send } = await givenOrphan({ content: "kept", line_start: 1 });
    const stored = async () => ({
      notes: await db.notes.find({ user_id }).sort({ _id: 1 }).toArray(),
      repos: await db.repos.find({ user_id }).toArray(),
      files: await db.repo_files.find({ user_id }).sort({ path: 1 }).toArray(),
    });
    const before = await stored();
    expect(before.notes).toHaveLength(2);

    const reads = [on("src/main.py"), on("README.md"), ORPHANS, "/orphan-repos", "/search?q=kept"];
    for (const path of reads) expect((await send("GET", path)).status, path).toBe(200);

    expect(await stored()).toEqual(before);
  });

  it("is not the result of an unreadable tree: that is 503", async () => {
    const { id, send, get } = await givenPerson();
    const fresh = "dana/fresh";
    await givenUnsyncedRepo(db, id, fresh);
    for (const [method, path] of [
      ["GET", on("a.py", fresh)],
      ["GET", `/repo-orphans/${encodeURIComponent(fresh)}`],
      ["POST", on("a.py", fresh)],
    ] as const) {
      const answer = await send(method, path, method === "POST" ? {} : undefined);
      expect(answer, path).toMatchObject({ status: 503, body: { ok: false, code: "repo_not_synced" } });
    }
    expect(await get("/orphan-repos")).toEqual({ ok: true, repos: [], count: 0 });
  });

  it("is changed and deleted as any other, and says that it is one", async () => {
    const { path, send, get } = await givenOrphan();
    const { note } = (await send("PUT", path, { color: "pink" })).body;
    expect(note).toMatchObject({ orphaned: true, color: "pink", repo_path: "src/main.py" });
    expect((await send("DELETE", path)).status).toBe(200);
    expect((await get(ORPHANS)).count).toBe(0);
  });

  it("is every note of a repository that is no longer mirrored, and none after it is mirrored again", async () => {
    const { id, repo, get, note } = await givenPerson();
    await note("src/main.py", { content: "a" });
    await note("README.md", { content: "b" });
    expect((await get("/orphan-repos")).count).toBe(0);

    await removeRepo(db, id, repo.repo_name, NOON);

    const repos = [{ repo_name: NAME, notes: 2 }];
    expect(await get("/orphan-repos")).toEqual({ ok: true, repos, count: 1 });
    expect(await get(ORPHANS)).toMatchObject({ count: 2, last_sync_time: null });
    expect(await get(on("README.md"))).toMatchObject({ orphaned: true, count: 1 });
    await givenRepo(db, id, NAME, { "README.md": "# Tools\n" });
    expect((await get("/orphan-repos")).count).toBe(0);
    expect(await get(on("README.md"))).toMatchObject({ orphaned: false, count: 1 });
    expect(await get(ORPHANS)).toMatchObject({ count: 1, notes: [{ content: "a" }] });
  });

  it("is re-attached to a file that is there, where its lines are found again", async () => {
    const { repo, send, get, note } = await givenPerson();
    const { id, updated_at } = await note("src/main.py", { content: "look", title: "T", line_start: 3 });
    await givenSync(db, repo, { drop: ["src/main.py"], put: { "app/start.py": `# moved\n${MAIN}` } });

    const position = { repo_path: "app/start.py", prev_updated_at: updated_at };
    const moved = await send("POST", `/note/${id}/reattach`, position);

    const anchor = { state: "moved", line_start: 4 };
    const attached = { id, repo_path: "app/start.py", orphaned: false, anchor };
    expect(moved).toMatchObject({ status: 200, body: { note: attached } });
    for (const [path, count] of [
      [on("src/main.py"), 0],
      [on("app/start.py"), 1],
      [ORPHANS, 0],
    ] as const)
      expect((await get(path)).count, path).toBe(count);
  });

  it("is not re-attached while it has its file, to a file that is not there, or over a change not seen", async () => {
    const { repo, send, get, note } = await givenPerson();
    const { id } = await note("src/main.py", { content: "x" });
    const reattach = (repo_path: unknown, more: object = {}) =>
      send("POST", `/note/${id}/reattach`, { repo_path, ...more });
    expect(await reattach("README.md")).toMatchObject({ status: 400, body: { code: "target_fixed" } });
    await givenSync(db, repo, { drop: ["src/main.py"] });
    const missing = { status: 404, body: { code: "repo_path_not_found" } };
    expect(await reattach("no/such.py")).toMatchObject(missing);
    expect((await reattach(7)).status).toBe(400);
    const conflict = { status: 409, body: { error: "conflict", content: "x" } };
    const long = { prev_updated_at: toTimestamp(new Date(0)) };
    expect(await reattach("README.md", long)).toMatchObject(conflict);
    expect(await get(on("src/main.py"))).toMatchObject({ count: 1, orphaned: true });
  });

  it("that is re-attached keeps titles and positions unique, however many come at once", async () => {
    const { repo, send, get, note } = await givenPerson();
    await note("README.md", { title: "Taken" });
    const titles = ["Taken", "Own", null, null];
    const created = await Promise.all(titles.map((title) => note("src/main.py", { title })));
    await givenSync(db, repo, { drop: ["src/main.py"] });

    const moves = await Promise.all(
      created.map(({ id }) => send("POST", `/note/${id}/reattach`, { repo_path: "README.md" })),
    );

    expect(moves.map(({ status }) => status)).toEqual([409, 200, 200, 200]);
    expect(moves[0]?.body.error).toBe("duplicate_title");
    expect((await get(on("README.md"))).count).toBe(4);
    expect((await get(ORPHANS)).count).toBe(1);
  });
});

it("a note on lines of a repository moves with its lines in a sync, and says so when they are gone", async () => {
  const { repo, get, note } = await givenPerson();
  await note("src/main.py", { content: "engine", line_start: 3, line_end: 4 });
  for (const [text, anchor] of [
    [`# one\n# two\n${MAIN}`, { state: "moved", line_start: 5, line_end: 6 }],
    ["print('all new')\n", { state: "lost", line_start: null }],
    [MAIN, { state: "same", line_start: 3 }],
  ] as const) {
    await givenSync(db, repo, { put: { "src/main.py": text } });
    expect((await get(on("src/main.py"))).notes[0].anchor).toMatchObject(anchor);
  }
});
