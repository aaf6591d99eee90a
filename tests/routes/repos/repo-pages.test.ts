import { ObjectId } from "mongodb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { claimRun, findRun } from "#db/jobs/job-runs.server.ts";
import { recordHeartbeat } from "#db/jobs/workers.server.ts";
import { claimSync, requestSync } from "#db/repos/repo-sync.server.ts";
import { createRepo, findRepo } from "#db/repos/repos.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { openCodeHost, TOKEN } from "#tests/support/repos/code-host.ts";
import { givenRepo, givenSync, givenUnsyncedRepo } from "#tests/support/repos/given-repo.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { type FormValues, openTestWeb, type Visitor } from "#tests/support/web.ts";

const host = await openCodeHost();
const web = await openTestWeb({
  CODEHOST_ALLOW_LOCAL: "1",
  CODEHOST_API_URL: host.url,
});
const { db } = web;
const NAME = "dana/tools";
const HERE = "/repos/dana%2Ftools";
const HOSTILE = 'docs/<img src=x onerror=alert(1)>&"ש.md';
const TEXTS = {
  "README.md": "# Tools\n",
  "src/main.py": "import sys\n\ndef start_the_engine():\n    return sys.argv\n",
  "src/lib/util.py": "X = 1\n",
  [HOSTILE]: "<script>alert(1)</script>\n",
};

async function givenPerson() {
  const visitor = await web.person();
  const repo = await givenRepo(db, visitor.id, NAME, TEXTS);
  return { id: visitor.id, visitor, repo };
}

async function read(visitor: Visitor, path: string, status = 200): Promise<string> {
  const page = await visitor.show(path);
  expect(page.status, `${path}: ${page.html.slice(0, 300)}`).toBe(status);
  return page.html;
}

const fileAddress = (path: string) => `${HERE}/file?path=${encodeURIComponent(path)}`;
const onMain = { kind: "repo", repo_name: NAME, repo_path: "src/main.py" } as const;

const mirror = (visitor: Visitor, fields: FormValues) =>
  visitor.press("/repos", { intent: "mirror", ...fields });
/** A worker's heartbeat at this moment. */
const beat = (id: string, heardAt = web.clock(), more = {}) =>
  recordHeartbeat(db, id, web.clock(), heardAt, more);
afterEach(() => db.workers.deleteMany({}));

it("the list of repositories mirrors an address, and keeps the typed text of a refusal", async () => {
  const { id, visitor } = await givenPerson();
  const wrong = { url: "http://10.0.0.1/a/b", name: "a/b", token: "s3cret-token" };
  const { status, html } = await mirror(visitor, wrong);
  expect(status).toBe(400);
  expect(html).toContain('value="http://10.0.0.1/a/b"');
  expect(html).toContain('role="alert"');
  expect(html).not.toContain("s3cret-token");

  const url = "file:///srv/git/dana/more.git";
  expect(await mirror(visitor, { url })).toMatchObject({ status: 303, location: "/repos/dana%2Fmore" });
  expect(await findRepo(db, id, "dana/more", NOON)).toMatchObject({ state: "waiting" });
  const waiting = await visitor.show("/repos/dana%2Fmore");
  expect(waiting.headers.get("Refresh")).toBe("3");
  expect(waiting.html).toContain("First sync in progress");
  expect(await read(visitor, "/repos")).toContain("dana/more");
  expect((await mirror(visitor, { url })).location).toBe("/repos/dana%2Fmore");
  const other = { url: "file:///srv/git/dana/less.git", name: "dana/more" };
  expect((await mirror(visitor, other)).status).toBe(409);
});

describe("how fresh a copy is", () => {
  const claim = (worker_id: string) => ({ holder: "h", worker_id, living: [] });
  const statusIn = (html: string) => /class="status status-\w+">([^<]+)/.exec(html)?.[1];
  const shown = async (visitor: Visitor) => {
    const states = [statusIn(await read(visitor, HERE)), statusIn(await read(visitor, "/repos"))];
    expect(new Set(states).size).toBe(1);
    return states[0];
  };

  it("says that it is syncing only during a worker's run, and otherwise that it waits for one", async () => {
    const { visitor, repo } = await givenPerson();
    const now = web.clock();
    expect(await shown(visitor)).toBe("Up to date");
    const runId = await requestSync(db, web.queue, repo, "manual", now);
    expect(await shown(visitor)).toBe("Waiting for a worker");
    await beat("w1");
    expect(await shown(visitor)).toBe("Syncing");

    await claimRun(db, required(await findRun(db, runId)), "w1", now);
    await claimSync(db, { _id: new ObjectId(repo.id), user_id: repo.user_id }, claim("w1"), now);
    expect(await shown(visitor)).toBe("Syncing");
    await beat("w2");
    await beat("w1", new Date(now.getTime() - 31_000));
    expect(await shown(visitor)).toBe("Waiting for a worker");
  });

  it("says of a first sync that the page updates itself, if it does", async () => {
    const { visitor } = await givenPerson();
    await mirror(visitor, { url: "file:///srv/git/dana/first.git" });
    await beat("w1");
    const { html, headers } = await visitor.show("/repos/dana%2Ffirst");
    expect(headers.get("Refresh")).toBe("3");
    expect(html).toContain("This page updates by itself.");
    expect(await read(visitor, "/repos/dana%2Ffirst/search")).toContain("Reload in a moment.");
  });

  it("shows a large folder page by page, folders first", async () => {
    const { id, visitor } = await givenPerson();
    const names = (count: number, name: (i: string) => string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [name(String(i).padStart(3, "0")), ""]));
    const folders = names(150, (i) => `all/d${i}/a.py`);
    await givenRepo(db, id, "dana/large", { ...folders, ...names(150, (i) => `all/f${i}.py`) });
    const address = "/repos/dana%2Flarge?path=all";
    const listShown = async (page: string) => {
      const html = await read(visitor, address + page);
      return [...html.matchAll(/class="file-name mono"[^>]*>([^<]+)/g)].map(([, name]) => name);
    };
    const [first, second] = [await listShown(""), await listShown("&folder_page=2")];
    const ends = [first.length, first[0], first[150], second.length, second.at(-1)];
    expect(ends).toEqual([200, "d000", "f000.py", 100, "f149.py"]);
    const html = await read(visitor, address);
    expect(html).toContain("1–200 of 300");
    expect(html).toContain('href="/repos/dana%2Flarge?path=all&amp;folder_page=2"');
  });

  it("is called empty, not up to date, if the remote has no files", async () => {
    const visitor = await web.person();
    await givenRepo(db, visitor.id, "dana/empty", {});
    for (const path of ["/repos", "/repos/dana%2Fempty"]) {
      const html = await read(visitor, path);
      expect(html).toContain(">Empty</span>");
      expect(html).not.toContain("Up to date");
      expect(html).toContain("The repository has no files on this branch.");
    }
  });

  it("shows a failed address, to be changed there and tried again", async () => {
    const { id, visitor, repo } = await givenPerson();
    expect(await read(visitor, HERE)).not.toContain('name="url"');
    await db.repos.updateOne({ _id: new ObjectId(repo.id) }, { $set: { error: "remote_not_found" } });
    expect(await read(visitor, HERE)).toContain(`value="${repo.url}"`);

    const refused = await visitor.press(HERE, { url: "ssh://example.com/dana/tools" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('value="ssh://example.com/dana/tools"');

    const url = "file:///srv/git/dana/moved.git";
    expect((await visitor.press(HERE, { url })).location).toBe(HERE);
    expect(await findRepo(db, id, NAME, web.clock())).toMatchObject({ url, error: null, files: 4 });
    expect(await shown(visitor)).toBe("Waiting for a worker");
    expect(await read(visitor, HERE)).toContain(`>${url}</bdi>`);
  });

  it("keeps its address during a sync", async () => {
    const { id, visitor, repo } = await givenPerson();
    const now = web.clock();
    await beat("w1");
    await claimSync(db, { _id: new ObjectId(repo.id), user_id: id }, { ...claim("w1"), living: ["w1"] }, now);
    const moved = await visitor.press(HERE, { url: "file:///srv/git/dana/moved.git" });
    expect(moved).toMatchObject({ status: 409, html: expect.stringContaining("A sync is running.") });
    expect(await findRepo(db, id, NAME, now)).toMatchObject({ url: repo.url });
  });

  it("never sends the token of one host to another", async () => {
    const { id, visitor } = await givenPerson();
    const move = async (url: string, token = "") => {
      expect((await visitor.submit(HERE, { url, token })).status).toBe(303);
      return required(await findRepo(db, id, NAME, web.clock())).has_token;
    };
    expect(await move("https://example.com/dana/tools", "secret")).toBe(true);
    expect(await move("https://example.com/dana/renamed")).toBe(true);
    expect(await move("https://example.org/dana/renamed")).toBe(false);
  });

  it("says on the list if no living worker has git", async () => {
    const { visitor } = await givenPerson();
    const warning = "Git is not installed";
    await beat("w1", web.clock(), { git_fault: "git_missing" });
    expect(await read(visitor, "/repos")).toContain(warning);
    await beat("w2", web.clock(), { git_fault: null });
    expect(await read(visitor, "/repos")).not.toContain(warning);
  });

  it("takes as many queries for twelve mirrors as for one", async () => {
    const { id, visitor } = await givenPerson();
    const countRequests = async () => {
      const find = vi.spyOn(db.job_runs, "find");
      const findOne = vi.spyOn(db.job_runs, "findOne");
      await read(visitor, "/repos");
      const count = find.mock.calls.length + findOne.mock.calls.length;
      vi.restoreAllMocks();
      return count;
    };
    const sync = async (name: string) => {
      const repo = required(await findRepo(db, id, name, NOON));
      await requestSync(db, web.queue, repo, "manual", NOON);
    };
    await sync(NAME);
    const requests = await countRequests();
    expect(requests).toBeGreaterThan(0);
    for (let i = 0; i < 11; i += 1) {
      await givenUnsyncedRepo(db, id, `dana/more${i}`);
      await sync(`dana/more${i}`);
    }
    expect(await countRequests()).toBe(requests);
  });
});

describe("the pages of a repository", () => {
  it("show folders, files and lines, with strange names as text", async () => {
    const { visitor } = await givenPerson();
    const root = await read(visitor, HERE);
    expect(root).toContain(`${HERE}?path=src`);
    expect(await read(visitor, `${HERE}?path=src`)).toContain(`${HERE}/file?path=src%2Fmain.py`);
    const file = await read(visitor, `${fileAddress("src/main.py")}&L=3`);
    expect(file).toContain('class="line line-marked" id="L3"');
    expect(file).toContain("start_the_engine");
    const hostile = await read(visitor, fileAddress(HOSTILE));
    expect(hostile).not.toMatch(/<img src=x|<script>alert/);
    expect(hostile.replaceAll(/<[^>]+>/g, "")).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("answer 404 for a path that is not there", async () => {
    const { visitor } = await givenPerson();
    for (const path of ["no/such.py", "../../etc/passwd", "src"]) await read(visitor, fileAddress(path), 404);
    await read(visitor, `${HERE}?path=no`, 404);
  });

  it("put a note beside its lines by a plain form, and lead a note's own address there", async () => {
    const { visitor } = await givenPerson();
    const form = `/notes/new?repo=dana%2Ftools&path=src%2Fmain.py&L=3-4`;
    const shown = await read(visitor, form);
    expect(shown).toMatch(/name="line_start"[^>]*value="3"|value="3"[^>]*name="line_start"/);

    const answer = await visitor.press(form, { content: "look here", line_start: "3", line_end: "4" });

    expect(answer.status).toBe(303);
    const location = required(answer.location);
    expect(location).toMatch(/^\/repos\/dana%2Ftools\/file\?path=src%2Fmain\.py&L=3-4#note-\w+$/);
    const html = await read(visitor, location.replace(/#.*/, ""));
    for (const fragment of [
      "look here",
      'class="line-note middle"',
      'data-notes="repo/dana%2Ftools/src%2Fmain.py"',
    ])
      expect(html).toContain(fragment);
    const noteId = itemAt(location.split("#note-"), 1);
    expect((await visitor.show(`/note/${noteId}`)).location).toBe(location);
    expect(await read(visitor, `${HERE}?path=src`)).toContain("1 note");
    await read(visitor, "/notes/new?repo=dana%2Ftools&path=no.py", 404);
    await read(visitor, `/note/${noteId}/edit`);
  });
});

it("the page of detached notes offers the path to which the sync saw the file move, and moves its notes there", async () => {
  const { id, visitor, repo } = await givenPerson();
  for (const content of ["first", "second"]) await web.given.note(id, { content }, onMain);
  expect(await read(visitor, `${HERE}/orphans`)).toContain("No detached notes");
  await givenSync(db, repo, {
    drop: ["src/main.py"],
    put: { "app/start.py": TEXTS["src/main.py"], "other/main.py": "x = 1\n" },
    renames: [{ from: "src/main.py", to: "app/start.py" }],
  });

  expect((await visitor.show(fileAddress("src/main.py"))).location).toBe(`${HERE}/orphans`);
  const orphans = await read(visitor, `${HERE}/orphans`);
  expect(orphans).toContain("The file moved to");
  expect((await read(visitor, "/notes")).match(/detached/g)).toHaveLength(2);
  expect(orphans).toMatch(/value="app\/start\.py"[\s\S]*value="other\/main\.py"/);
  const wrong = await visitor.press(`${HERE}/orphans`, { from: "src/main.py", path: "not/there.py" });
  expect(wrong.status).toBe(404);
  expect(wrong.html).toContain('value="not/there.py"');
  const moved = await visitor.press(`${HERE}/orphans`, { from: "src/main.py", path: "app/start.py" });

  expect(moved.location).toBe(fileAddress("app/start.py"));
  const html = await read(visitor, fileAddress("app/start.py"));
  expect(html).toContain("Attached 2 notes to");
  expect(html).toContain("second");
  expect(await read(visitor, `${HERE}/orphans`)).toContain("No detached notes");
});

it("importing shows what would come, writes nothing, and then begins", async () => {
  const { id, visitor } = await givenPerson();
  const preview = await read(visitor, `${HERE}/import?path=src`);
  expect(preview).toContain("2 files to import");
  expect(preview).toContain("src/lib/util.py");
  expect(await db.files.countDocuments({ user_id: id })).toBe(0);
  expect(await read(visitor, `${HERE}/import?path=nowhere`)).toContain('role="alert"');

  const begun = await visitor.press(`${HERE}/import`, { path: "src" });

  const location = required(begun.location);
  const under = await visitor.show(location);
  expect(under.headers.get("Refresh")).toBe("3");
  expect(under.html).toContain("Importing…");
  const other = await givenPerson();
  expect(await read(other.visitor, location)).toContain("2 files to import");
});

it("the analysis is requested by a form, and its page says that it is in progress", async () => {
  const { visitor } = await givenPerson();
  expect(await read(visitor, `${HERE}/analysis`)).toContain("Not analysed yet");
  const begun = await visitor.press(`${HERE}/analysis`, {});
  expect(begun.location).toBe(`${HERE}/analysis`);
  const page = await visitor.show(`${HERE}/analysis`);
  expect(page.headers.get("Refresh")).toBe("3");
  expect(page.html).toContain("Analysing. Reload in a moment.");
});

it("sending a file to the host is one commit at the path it came from, and keeps what was typed where the host says no", async () => {
  const { id, visitor } = await givenPerson();
  const rule = { allowLocal: true, dataKeys: web.env.dataKeys };
  const wish = { url: `${host.url}/dana/hosted.git`, token: TOKEN };
  orThrow(await createRepo(db, id, wish, rule, NOON));
  const origin = { repo: "dana/hosted", source_url: `${host.url}/dana/hosted/blob/HEAD/src/a%20b.py` };
  const draft = { file_name: "a b.py", body: "x = 2\n", origin };
  const saved = orThrow(await saveFile(db, id, draft, NOON));
  const here = `/file/${saved.file.id}/upload`;
  expect(await read(visitor, `/file/${saved.file.id}`)).toContain(here);
  const form = await read(visitor, here);
  expect(form).toContain('value="src/a b.py"');
  expect(form).not.toContain(">dana/tools<");
  const fields = { repo_name: "dana/hosted", path: "src/a b.py", branch: "", message: "Say it" };
  const check = async (path: string) =>
    (await visitor.submit(here, { ...fields, path, intent: "check" })).text();
  host.files.set("dana/hosted/contents/src/old.py", "");
  expect(await check("src/a b.py")).toMatch(/src\/a b\.py\u2069? is new/);
  const offered = await check("src/old.py");
  expect(offered).toContain("exists and will be replaced");
  expect(offered).toContain('<option value="src/old.py">');
  expect(await check("src")).toContain("is a folder");
  host.listed = 0;
  expect(await check("src/a b.py")).toContain("only some folders are suggested");
  host.mood = () => ({ status: 401 });
  const unseen = await check("src/a b.py");
  for (const fragment of ["The code host rejected the token", "can’t be suggested", 'value="src/a b.py"'])
    expect(unseen).toContain(fragment);
  host.mood = null;
  host.files.clear();
  const refused = await visitor.press(here, { ...fields, path: "../x" });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('value="../x"');
  expect([...host.files]).toEqual([]);

  const sent = await visitor.press(here, fields);

  expect(sent.location).toBe(`/file/${saved.file.id}`);
  expect([...host.files.values()]).toEqual([Buffer.from("x = 2\n").toString("base64")]);
  expect(await read(visitor, `/file/${saved.file.id}`)).toContain("Committed ");
});
