import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createCodehost } from "#app/codehost/codehost.ts";
import { required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { bearer } from "#tests/support/accounts/credentials.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { type Answer, openCodeHost, TOKEN } from "#tests/support/repos/code-host.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";

const host = await openCodeHost();
const web = await openTestWeb({
  CODEHOST_ALLOW_LOCAL: "1",
  CODEHOST_API_URL: `${host.url}/`,
  CODEHOST_TOKEN: TOKEN,
});
const { given } = web;
const dana = await web.person();
const admin = await web.person(ADMIN_ID);
const remote = createRemote("dana/tools");

const mirror = (visitor: Visitor, body: object) => visitor.send("POST", "/api/repos", body);
await mirror(dana, { url: remote.url, token: TOKEN });
await mirror(dana, { url: remote.url, name: "dana/open" });
await mirror(admin, { url: remote.url });
const upload = (visitor: Visitor, body: unknown, name = "dana/tools", headers = {}) =>
  visitor.send("POST", `/api/repos/${encodeURIComponent(name)}/upload`, body, headers);
const refusal = (status: number, error: string) => ({ status, body: { error } });
const givenFile = async (text: string) => (await given.file(dana.id, "tool.py", text)).id;

beforeEach(() => {
  host.mood = null;
  host.listed = 100_000;
  host.remaining = 5_000;
  host.asked.length = 0;
});

describe("sending to the code host", () => {
  it("makes a commit of a saved file, and another one of its next state", async () => {
    const file_id = await givenFile("print('שלום')\n");
    const first = await upload(dana, { path: "src/a b.py", file_id });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ ok: true, path: "src/a b.py", created: true });
    expect(host.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /rate_limit",
      "GET /repos/dana/tools/contents/src/a%20b.py?ref=main",
      "PUT /repos/dana/tools/contents/src/a%20b.py",
    ]);
    expect(required(host.asked.at(-1)).body).toEqual({
      message: "Update src/a b.py",
      branch: "main",
      content: Buffer.from("print('שלום')\n").toString("base64"),
    });

    await givenFile("print(2)\n");
    const second = await upload(dana, { path: "src/a b.py", file_id, message: "Say two", branch: "next" });
    expect(second.body).toMatchObject({ created: false });
    expect(required(host.asked.at(-1)).body).toMatchObject({
      message: "Say two",
      branch: "next",
      sha: expect.any(String),
    });
    expect(await web.events("codehost_upload_start")).toMatchObject([
      { resource: { type: "repo" } },
      { resource: { type: "repo" } },
    ]);
    expect(await web.events("codehost_rate_limit_check")).toMatchObject([
      { remaining: 5_000 },
      { remaining: 5_000 },
    ]);
    expect(await web.events("codehost_upload_saved_error")).toEqual([]);
  });

  it("makes a commit of a text as it is, and asks for a sync of the mirror", async () => {
    const sent = (await upload(dana, { path: "note.md", content: "# hi\n" })).body;
    const { run_id } = sent;
    expect(sent).toMatchObject({ sync_queued: true });
    expect(await web.db.job_runs.findOne({ _id: run_id })).toMatchObject({ job_id: "repo_sync" });
  });

  it("reports the commit even if no sync could be queued after it", async () => {
    const { send } = web.queue;
    const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    web.queue.send = () => Promise.reject(away);
    try {
      // A waiting sync would be returned instead of a new one.
      await web.db.repos.updateMany({}, { $set: { sync_run_id: null } });
      const response = await upload(dana, { path: "unsynced.md", content: "# hi\n" });
      const unsynced = { ok: true, commit: expect.any(String), run_id: null, sync_queued: false };
      expect(response).toMatchObject({ status: 201, body: unsynced });

      const file_id = await givenFile("print(3)\n");
      const wish = { intent: "send", repo_name: "dana/tools", path: "unsynced.py", branch: "", message: "" };
      const sent = await dana.press(`/file/${file_id}/upload`, wish);
      expect([sent.status, sent.location]).toEqual([303, `/file/${file_id}`]);
      const html = await dana.read(`/file/${file_id}`);
      expect(html).toContain("will update at the next sync");
      expect(host.asked.filter(({ method }) => method === "PUT")).toHaveLength(2);
      expect(await web.db.job_runs.countDocuments({ job_id: "repo_sync", status: "pending" })).toBe(
        await web.db.job_runs.countDocuments({ job_id: "repo_sync" }),
      );
    } finally {
      web.queue.send = send;
    }
  });

  it("uses the installation's own token for administrators only", async () => {
    const refused = await upload(dana, { path: "a.md", content: "x" }, "dana/open");
    expect(refused).toMatchObject(refusal(403, "codehost_token_missing"));
    expect(host.asked).toEqual([]);
    expect((await upload(admin, { path: "by-admin.md", content: "x" })).status).toBe(201);
  });

  it("does not spend the installation's own token for an access token of an operator", async () => {
    const { secret } = await given.token(ADMIN_ID);
    const script = (repo: string) =>
      upload(web.visitor(), { path: "by-script.md", content: "x" }, repo, bearer(secret).headers);
    expect((await upload(admin, { path: "by-session.md", content: "x" })).status).toBe(201);
    host.asked.length = 0;

    expect(await script("dana/tools")).toMatchObject(refusal(403, "codehost_session_required"));

    expect(host.asked).toEqual([]);
    await mirror(admin, { url: remote.url, name: "admin/own", token: TOKEN });
    expect((await script("admin/own")).status).toBe(201);
  });

  it("sends no token to a host that is not the repository's", async () => {
    await mirror(dana, { url: "https://elsewhere.example.com/dana/far", token: TOKEN });
    const refused = await upload(dana, { path: "a.md", content: "x" }, "dana/far");
    expect(refused).toMatchObject(refusal(503, "codehost_not_configured"));
    expect(host.asked).toEqual([]);
  });

  it("does not start if the host allows too few requests", async () => {
    host.remaining = 1;
    const response = await upload(dana, { path: "a.md", content: "x" });
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(response).toMatchObject(refusal(429, "codehost_rate_limited"));
    expect(host.asked.map(({ path }) => path)).toEqual(["/rate_limit"]);
    expect((await web.events("codehost_rate_limit_check")).at(-1)).toMatchObject({ remaining: 1 });
  });

  const onWrite =
    (answer: Answer) =>
    ({ method }: { method: string }) =>
      method === "PUT" ? answer : undefined;
  const always = (answer: Answer) => () => answer;
  const moods: [string, NonNullable<typeof host.mood>, number, string][] = [
    ["does not know the token", always({ status: 401 }), 502, "codehost_denied"],
    ["does not allow it", onWrite({ status: 403 }), 502, "codehost_denied"],
    [
      "has had enough",
      onWrite({ status: 403, headers: { "X-RateLimit-Remaining": "0", "Retry-After": "7" } }),
      429,
      "codehost_rate_limited",
    ],
    ["has no such repository", onWrite({ status: 404 }), 404, "codehost_not_found"],
    ["was overtaken", onWrite({ status: 409 }), 409, "codehost_conflict"],
    [
      "misses the hash",
      onWrite({ status: 422, json: { message: '"sha" wasn\'t supplied' } }),
      409,
      "codehost_conflict",
    ],
    ["does not take the path", onWrite({ status: 422 }), 422, "codehost_rejected"],
    [
      "has a directory there",
      ({ path }) => (path.includes("?ref=") ? { status: 200, json: [] } : undefined),
      422,
      "codehost_rejected",
    ],
    ["is broken", onWrite({ status: 500 }), 502, "codehost_failed"],
    ["answers nonsense", onWrite({ status: 200, json: "?" }), 502, "codehost_failed"],
    ["breaks off", "cut", 502, "codehost_failed"],
    ["keeps silent", "silent", 504, "codehost_timeout"],
  ];

  it.each(moods)("reports a host that %s", async (_, mood, status, error) => {
    host.mood = mood;
    const before = (await web.events("codehost_upload_direct_error")).length;
    expect(await upload(dana, { path: "other.md", content: "x" })).toMatchObject(refusal(status, error));
    const failures = await web.events("codehost_upload_direct_error");
    expect(failures).toHaveLength(before + 1);
    expect(failures.at(-1)).toMatchObject({ error, repo: expect.stringMatching(/^[0-9a-f]{24}$/) });
  });

  it("refuses what is no file, path or branch before asking anyone", async () => {
    const wrong: [object, number, string][] = [
      [{ path: "a.md", file_id: ABSENT_ID }, 404, "File not found"],
      [{ path: "../a.md", content: "x" }, 422, "codehost_rejected"],
      [{ path: ".git/config", content: "x" }, 422, "codehost_rejected"],
      [{ path: "a.md", content: "x", branch: "--force" }, 422, "codehost_rejected"],
      [{ path: "a.md", content: "\0" }, 415, "binary_content"],
      [{ path: "a.md", content: "x", file_id: "y" }, 400, "invalid_payload"],
    ];
    for (const [body, status, error] of wrong)
      expect(await upload(dana, body), JSON.stringify(body)).toMatchObject(refusal(status, error));
    expect(host.asked).toEqual([]);
    expect((await web.events("codehost_upload_saved_error")).at(-1)).toMatchObject({
      error: "file_not_found",
    });
  });

  it("leaves the token in no log line and no event", async () => {
    const records = JSON.stringify(await web.db.events.find().toArray()) + web.log.join("\n");
    expect(records).toContain("codehost_upload_start");
    expect(records).not.toContain(TOKEN);
  });
});

describe("reading a branch of the code host", () => {
  const open = (timeoutMs: number) => {
    const codehost = createCodehost({ apiUrl: host.url, allowLocal: true, log: silentLog, timeoutMs });
    afterAll(() => codehost.close());
    return codehost;
  };
  const codehost = open(20_000);
  const impatient = open(400);
  const FILES = ["README.md", "src/a.py", "src/lib/deep/b c.py", "docs/ש.md"];
  const look = (path: string, branch = "main", reader = codehost) =>
    reader.readTree(TOKEN, { owner: "noa", name: "trees", branch, path });
  beforeEach(() => {
    host.files.clear();
    for (const path of FILES) host.files.set(`noa/trees/contents/${encodeURI(path)}`, path);
  });

  it("returns its folders and the entry at a path, by one request", async () => {
    const folders = ["docs", "src", "src/lib", "src/lib/deep"];
    const states: [string, string][] = [
      ["src/a.py", "file"],
      ["src/lib/deep/b c.py", "file"],
      ["src/lib", "folder"],
      ["src/a.py/x.py", "blocked"],
      ["src/new.py", "new"],
      ["new/new.py", "new"],
    ];
    for (const [path, target] of states)
      expect([path, await look(path)]).toEqual([path, { whole: true, folders, target }]);
    expect(host.asked).toHaveLength(states.length);
    await look("a", "feature/one");
    expect(required(host.asked.at(-1)).path).toBe("/repos/noa/trees/git/trees/feature%2Fone?recursive=1");
  });

  it("walks to the path if the list is cut short, and never says new from such a list", async () => {
    host.listed = 2;
    const states: [string, string, number][] = [
      ["src/lib/deep/b c.py", "file", 5],
      ["src/lib", "folder", 3],
      ["README.md/x.py", "blocked", 2],
      ["src/lib/new.py", "new", 4],
      ["nowhere/new.py", "new", 2],
      [`${"d/".repeat(20)}x`, "unknown", 1],
    ];
    for (const [path, target, questions] of states) {
      host.asked.length = 0;
      expect([path, await look(path)]).toEqual([path, { whole: false, folders: ["src"], target }]);
      expect([path, host.asked.length]).toEqual([path, questions]);
    }
    host.mood = () => ({ status: 200, json: { tree: [], truncated: true } });
    expect(await look("src/new.py")).toEqual({ whole: false, folders: [], target: "unknown" });
  });

  it("of a repository without a commit finds nothing, and everything new", async () => {
    host.files.clear();
    expect(await look("src/a.py")).toEqual({ whole: true, folders: [], target: "new" });
  });

  it.each<[string, NonNullable<typeof host.mood>, string]>([
    ["has no such branch", () => ({ status: 404 }), "codehost_not_found"],
    ["answers nonsense", () => ({ status: 200, json: { tree: "?" } }), "codehost_failed"],
  ])("reports a host that %s", async (_, mood, refused) => {
    host.mood = mood;
    expect(await look("src/a.py")).toMatchObject({ refused });
  });

  it("reports a host that keeps silent", async () => {
    host.mood = "silent";
    expect(await look("src/a.py", "main", impatient)).toMatchObject({ refused: "codehost_timeout" });
  });
});
