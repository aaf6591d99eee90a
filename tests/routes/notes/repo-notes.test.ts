import { describe, expect, it } from "vitest";
import { removeRepo } from "#db/repos/repos.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { givenRepo, givenSync, givenUnsyncedRepo } from "#tests/support/repos/given-repo.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_WRITES_PER_MINUTE: "10000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "10000",
});
const { db } = web;
const LATER = new Date(NOON.getTime() + 60_000);
const MAIN = "import sys\n\ndef start_the_engine():\n    return sys.argv\n";
const NAME = "dana/tools";
let people = 500;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by matchers
type Body = Record<string, any>;

/** A person who mirrors a repository, and how they speak to the API about notes. */
async function givenPerson(
  texts: Record<string, string> = { "src/main.py": MAIN, "README.md": "# Tools\n" },
) {
  people += 1;
  const id = String(people);
  const visitor = await web.visitor().logIn(id);
  const repo = await givenRepo(db, id, NAME, texts);
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await visitor.ask(`/api/sticky-notes${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  return { id, visitor, repo, send };
}

const on = (path: string, name = NAME) => `/repo/${encodeURIComponent(name)}/${encodeURIComponent(path)}`;
const ORPHANS = `/repo-orphans/${encodeURIComponent(NAME)}`;

describe("a note on a file of a repository", () => {
  it("is put there and listed, with its target, its lines and no orphan flag", async () => {
    const { send } = await givenPerson();

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
    expect(await send("GET", on("src/main.py"))).toEqual({
      status: 200,
      body: { ok: true, notes: [created.body.note], count: 1, orphaned: false },
    });
    expect((await send("GET", on("README.md"))).body).toMatchObject({ notes: [], count: 0 });
  });

  it("whose line is lost offers similar lines of the last sync, and one press attaches it", async () => {
    const { visitor, repo, send } = await givenPerson();
    const { body } = await send("POST", on("src/main.py"), { content: "about the engine", line_start: 3 });
    const now = "import os\n\n\n\ndef start_the_engine(options):\n    pass\n";
    await givenSync(db, repo, { put: { "src/main.py": now }, at: LATER });
    const address = `/repos/${encodeURIComponent(NAME)}/file?path=src%2Fmain.py`;
    const page = async () => (await visitor.ask(address, { html: true })).text();
    expect(await page()).toContain('value="attach:5">Attach to line 5</button>');

    const form = new URLSearchParams({ intent: "attach:5", next: address });
    await visitor.ask(`/note/${body.id}`, { html: true, method: "POST", body: form, redirect: "manual" });

    expect(await page()).not.toContain("attach:5");
    const { notes } = (await send("GET", on("src/main.py"))).body;
    expect(notes[0]).toMatchObject({ line_start: 5, anchor: { state: "same", line_start: 5 } });
  });

  it("is found by a path with plain slashes too, and by one of any letters", async () => {
    const path = "תיקייה/a b#1?.py";
    const { visitor, send } = await givenPerson({ [path]: "x = 1\n", "src/main.py": MAIN });
    expect((await send("POST", on(path), { content: "here" })).status).toBe(201);
    await send("POST", on("src/main.py"), { content: "plain" });

    expect((await send("GET", on(path))).body).toMatchObject({ count: 1, notes: [{ repo_path: path }] });
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const plain = await fetch(`${web.url}/api/sticky-notes/repo/dana%2Ftools/src/main.py`, {
      headers: { Cookie: cookie },
    });
    expect(await plain.json()).toMatchObject({ count: 1, notes: [{ content: "plain" }] });
  });

  it("needs a mirrored repository that has the file", async () => {
    const { send } = await givenPerson();
    expect(await send("POST", on("src/none.py"), {})).toMatchObject({
      status: 404,
      body: { ok: false, code: "repo_path_not_found" },
    });
    expect(await send("POST", on("src"), {})).toMatchObject({ status: 404 });
    expect(await send("POST", on("a.py", "no/such"), {})).toMatchObject({
      status: 404,
      body: { ok: false, code: "repo_not_found" },
    });
  });

  it("has a title of its own in its file, and takes one of fifty places there", async () => {
    const { send } = await givenPerson();
    expect((await send("POST", on("src/main.py"), { title: "Plan" })).status).toBe(201);
    expect((await send("POST", on("README.md"), { title: "Plan" })).status).toBe(201);
    expect(await send("POST", on("src/main.py"), { title: "Plan" })).toMatchObject({
      status: 409,
      body: { error: "duplicate_title" },
    });
    const more = await Promise.all(Array.from({ length: 52 }, () => send("POST", on("src/main.py"), {})));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(49);
    expect(required(more.find(({ status }) => status === 409)).body).toMatchObject({
      error: "note_quota_exceeded",
      max: 50,
    });
  });

  it("is nobody else's", async () => {
    const owner = await givenPerson();
    const { body } = await owner.send("POST", on("src/main.py"), { content: "mine" });
    const other = await givenPerson();

    expect((await other.send("GET", on("src/main.py"))).body).toMatchObject({ count: 0 });
    expect((await other.send("PUT", `/note/${body.id}`, { content: "theirs" })).status).toBe(404);
    const move = await other.send("POST", `/note/${body.id}/reattach`, { repo_path: "README.md" });
    expect(move.status).toBe(404);
    expect((await owner.send("GET", on("src/main.py"))).body.notes[0].content).toBe("mine");
  });
});

describe("an orphan", () => {
  it("is a note whose file the last sync did not find; before that sync it is none", async () => {
    const { repo, send } = await givenPerson();
    const { body } = await send("POST", on("src/main.py"), { content: "kept" });
    await send("POST", on("README.md"), { content: "stays" });
    const before = await send("GET", ORPHANS);
    expect(before.body).toEqual({ ok: true, notes: [], count: 0, last_sync_time: toTimestamp(NOON) });

    await givenSync(db, repo, { drop: ["src/main.py"], at: LATER });

    const after = await send("GET", ORPHANS);
    expect(after.body).toMatchObject({ count: 1, last_sync_time: toTimestamp(LATER) });
    expect(after.body.notes[0]).toMatchObject({ id: body.id, orphaned: true, repo_path: "src/main.py" });
    expect((await send("GET", on("src/main.py"))).body).toMatchObject({
      orphaned: true,
      notes: [{ id: body.id, orphaned: true, content: "kept" }],
    });
    expect((await send("GET", on("README.md"))).body).toMatchObject({
      orphaned: false,
      notes: [{ orphaned: false }],
    });
  });

  it("is told by reading alone: nothing is written", async () => {
    const { id, repo, send } = await givenPerson();
    await send("POST", on("src/main.py"), { content: "kept", line_start: 1 });
    await send("POST", on("README.md"), { content: "stays" });
    await givenSync(db, repo, { drop: ["src/main.py"], at: LATER });
    const stored = async () => ({
      notes: await db.notes.find({ user_id: id }).sort({ _id: 1 }).toArray(),
      repos: await db.repos.find({ user_id: id }).toArray(),
      files: await db.repo_files.find({ user_id: id }).sort({ path: 1 }).toArray(),
    });
    const before = await stored();
    expect(before.notes).toHaveLength(2);

    const reads = [on("src/main.py"), on("README.md"), ORPHANS, "/orphan-repos", "/search?q=kept"];
    for (const path of reads) expect((await send("GET", path)).status, path).toBe(200);

    expect(await stored()).toEqual(before);
  });

  it("is nothing that a tree that cannot be read makes: that is 503", async () => {
    const { id, send } = await givenPerson();
    await givenUnsyncedRepo(db, id, "dana/fresh");
    const paths = [on("a.py", "dana/fresh"), `/repo-orphans/${encodeURIComponent("dana/fresh")}`];
    for (const path of paths)
      expect(await send("GET", path), path).toMatchObject({
        status: 503,
        body: { ok: false, code: "repo_not_synced" },
      });
    expect((await send("POST", on("a.py", "dana/fresh"), {})).status).toBe(503);
    expect((await send("GET", "/orphan-repos")).body).toEqual({ ok: true, repos: [], count: 0 });
  });

  it("is changed, ticked and deleted as any other, and says that it is one", async () => {
    const { repo, send } = await givenPerson();
    const { body } = await send("POST", on("src/main.py"), { content: "- [ ] one" });
    await givenSync(db, repo, { drop: ["src/main.py"] });
    const changed = await send("PUT", `/note/${body.id}`, { color: "pink" });
    expect(changed.body.note).toMatchObject({ orphaned: true, color: "pink", repo_path: "src/main.py" });
    expect((await send("DELETE", `/note/${body.id}`)).status).toBe(200);
    expect((await send("GET", ORPHANS)).body.count).toBe(0);
  });

  it("is every note of a repository that is not mirrored any more, and none once it is again", async () => {
    const { id, repo, send } = await givenPerson();
    await send("POST", on("src/main.py"), { content: "a" });
    await send("POST", on("README.md"), { content: "b" });
    expect((await send("GET", "/orphan-repos")).body.count).toBe(0);

    await removeRepo(db, id, repo.repo_name, NOON);

    expect((await send("GET", "/orphan-repos")).body).toEqual({
      ok: true,
      repos: [{ repo_name: NAME, notes: 2 }],
      count: 1,
    });
    expect((await send("GET", ORPHANS)).body).toMatchObject({ count: 2, last_sync_time: null });
    expect((await send("GET", on("README.md"))).body).toMatchObject({ orphaned: true, count: 1 });
    await givenRepo(db, id, NAME, { "README.md": "# Tools\n" });
    expect((await send("GET", "/orphan-repos")).body.count).toBe(0);
    expect((await send("GET", on("README.md"))).body).toMatchObject({ orphaned: false, count: 1 });
    expect((await send("GET", ORPHANS)).body).toMatchObject({ count: 1, notes: [{ content: "a" }] });
  });
});

describe("re-attaching", () => {
  it("takes an orphan to a file that is there, where its lines are found again", async () => {
    const { repo, send } = await givenPerson();
    const { body } = await send("POST", on("src/main.py"), { content: "look", title: "T", line_start: 3 });
    await givenSync(db, repo, { drop: ["src/main.py"], put: { "app/start.py": `# moved\n${MAIN}` } });

    const moved = await send("POST", `/note/${body.id}/reattach`, {
      repo_path: "app/start.py",
      prev_updated_at: body.note.updated_at,
    });

    expect(moved.status).toBe(200);
    expect(moved.body.note).toMatchObject({
      id: body.id,
      repo_path: "app/start.py",
      orphaned: false,
      anchor: { state: "moved", line_start: 4 },
    });
    expect((await send("GET", on("src/main.py"))).body.count).toBe(0);
    expect((await send("GET", on("app/start.py"))).body.count).toBe(1);
    expect((await send("GET", ORPHANS)).body.count).toBe(0);
  });

  it("is refused for a note that has its file, to a file that is not there, and over a change not seen", async () => {
    const { repo, send } = await givenPerson();
    const { body } = await send("POST", on("src/main.py"), { content: "x" });
    const reattach = (fields: object) => send("POST", `/note/${body.id}/reattach`, fields);
    expect(await reattach({ repo_path: "README.md" })).toMatchObject({
      status: 400,
      body: { code: "target_fixed" },
    });
    await givenSync(db, repo, { drop: ["src/main.py"] });
    expect(await reattach({ repo_path: "no/such.py" })).toMatchObject({
      status: 404,
      body: { code: "repo_path_not_found" },
    });
    expect(await reattach({ repo_path: 7 })).toMatchObject({ status: 400 });
    expect(
      await reattach({ repo_path: "README.md", prev_updated_at: toTimestamp(new Date(0)) }),
    ).toMatchObject({ status: 409, body: { error: "conflict", content: "x" } });
    expect((await send("GET", on("src/main.py"))).body).toMatchObject({ count: 1, orphaned: true });
  });

  it("keeps titles and places apart, however many come at once", async () => {
    const { repo, send } = await givenPerson();
    await send("POST", on("README.md"), { title: "Taken" });
    const made = await Promise.all(
      ["Taken", "Own", null, null].map((title) => send("POST", on("src/main.py"), { title })),
    );
    await givenSync(db, repo, { drop: ["src/main.py"] });

    const moves = await Promise.all(
      made.map(({ body }) => send("POST", `/note/${body.id}/reattach`, { repo_path: "README.md" })),
    );

    expect(moves.map(({ status }) => status)).toEqual([409, 200, 200, 200]);
    expect(itemAt(moves, 0).body.error).toBe("duplicate_title");
    expect((await send("GET", on("README.md"))).body.count).toBe(4);
    expect((await send("GET", ORPHANS)).body.count).toBe(1);
  });
});

describe("a note on lines of a repository", () => {
  it("goes with its lines when a sync moves them, and says so when they are gone", async () => {
    const { repo, send } = await givenPerson();
    await send("POST", on("src/main.py"), { content: "engine", line_start: 3, line_end: 4 });
    const place = async () => (await send("GET", on("src/main.py"))).body.notes[0].anchor;

    await givenSync(db, repo, { put: { "src/main.py": `# one\n# two\n${MAIN}` } });
    expect(await place()).toMatchObject({ state: "moved", line_start: 5, line_end: 6 });
    await givenSync(db, repo, { put: { "src/main.py": "print('all new')\n" } });
    expect(await place()).toMatchObject({ state: "lost", line_start: null });
    await givenSync(db, repo, { put: { "src/main.py": MAIN } });
    expect(await place()).toMatchObject({ state: "same", line_start: 3 });
  });

  it("in a file of one short line is where it was put", async () => {
    const { send } = await givenPerson({ "x.sh": "ls\n" });
    const { body } = await send("POST", on("x.sh"), { line_start: 1 });
    expect(body.note.anchor).toMatchObject({ state: "same", line_start: 1 });
  });
});
