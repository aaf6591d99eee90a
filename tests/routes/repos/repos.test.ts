import { createHmac } from "node:crypto";
import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { required } from "#domain/required.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const WEBHOOK_SECRET = "the secret of pushes";
const web = await openTestWeb({
  CODEHOST_ALLOW_LOCAL: "1",
  CODEHOST_WEBHOOK_SECRET: WEBHOOK_SECRET,
  RATE_LIMIT_WRITES_PER_MINUTE: "1000",
});
const mirrors = openMirrors(web);
const dana = await web.visitor().logIn("1");
const noam = await web.visitor().logIn("2");

const sendJson = (who: Visitor, method: string, path: string, body: unknown) =>
  who.ask(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
const mirror = (who: Visitor, body: unknown) => sendJson(who, "POST", "/api/repos", body);
const at = (name: string, rest = "") => `/api/repos/${encodeURIComponent(name)}${rest}`;

const remote = createRemote("dana/tools");
remote.commit({ "README.md": "# Tools\n", "src/שלום עולם.py": "print('needle in a stack')\n" });

describe("the API of mirrored repositories", () => {
  it("mirrors an address, and tells how its first sync goes", async () => {
    const response = await mirror(dana, { url: `${remote.url}/` });
    const { repo } = await response.json();
    expect(response.status).toBe(201);
    expect(repo).toMatchObject({
      repo_name: "dana/tools",
      url: remote.url,
      state: "waiting",
      has_token: false,
      last_sync_time: null,
    });
    expect(await findRun(web.db, repo.sync_run_id)).toMatchObject({ job_id: "repo_sync", status: "pending" });
    expect((await dana.ask(at("dana/tools", "/tree"))).status).toBe(503);

    await mirrors.run("repo_sync", { repo_id: repo.id });

    expect(await (await dana.ask("/api/repos")).json()).toMatchObject({
      ok: true,
      count: 1,
      repos: [{ repo_name: "dana/tools", state: "ready", files: 2 }],
    });
    expect(await (await dana.ask(at("dana/tools", `/runs/${repo.sync_run_id}`))).json()).toMatchObject({
      run: { job_id: "repo_sync", status: "pending" },
    });
  });

  it("shows directories, files and their texts, finds both and tells who changed them", async () => {
    const tree = await (await dana.ask(at("dana/tools", "/tree?path=src"))).json();
    expect(tree).toMatchObject({
      path: "src",
      folders: [],
      truncated: false,
      last_sync_time: expect.any(String),
    });
    expect(tree.files).toMatchObject([{ path: "src/שלום עולם.py", language: "python", size_bytes: 27 }]);
    const path = encodeURIComponent("src/שלום עולם.py");
    expect(await (await dana.ask(at("dana/tools", `/file?path=${path}`))).json()).toMatchObject({
      content: "print('needle in a stack')\n",
      file: { kind: "text" },
    });
    expect(await (await dana.ask(at("dana/tools", "/search?q=Needle"))).json()).toMatchObject({
      hits: [{ file: { path: "src/שלום עולם.py" }, line: { number: 1, text: "print('needle in a stack')" } }],
      more: false,
    });
    expect(await (await dana.ask(at("dana/tools", "/search?q=read"))).json()).toMatchObject({
      hits: [{ file: { path: "README.md" }, line: null }],
    });
    const history = await (await dana.ask(at("dana/tools", "/history?path=README.md"))).json();
    expect(history.commits).toMatchObject([{ author: "Dana", subject: "Change something", touched: 2 }]);
  });

  it("answers for a path or a query that is not there", async () => {
    const answers: [string, number, string][] = [
      ["/tree?path=nowhere", 404, "repo_path_not_found"],
      ["/tree?path=../..", 404, "repo_path_not_found"],
      ["/file?path=src", 404, "repo_path_not_found"],
      ["/file", 400, "invalid_query"],
      ["/search?q=", 400, "empty_query"],
      [`/search?q=${"x".repeat(201)}`, 400, "query_too_long"],
      ["/analysis", 404, "repo_not_analysed"],
      ["/runs/000000000000000000000000", 404, "run_not_found"],
    ];
    for (const [rest, status, error] of answers) {
      const response = await dana.ask(at("dana/tools", rest));
      expect([response.status, (await response.json()).error]).toEqual([status, error]);
    }
  });

  it("keeps one person's repositories from everyone else", async () => {
    expect(await (await noam.ask("/api/repos")).json()).toMatchObject({ repos: [], count: 0 });
    const asks: [string, string][] = [
      ["GET", ""],
      ["GET", "/tree"],
      ["GET", "/file?path=README.md"],
      ["GET", "/search?q=needle"],
      ["GET", "/history"],
      ["GET", "/import"],
      ["GET", "/analysis"],
      ["POST", "/sync"],
      ["POST", "/analysis"],
      ["DELETE", ""],
    ];
    for (const [method, rest] of asks) {
      const response = await noam.ask(at("dana/tools", rest), { method });
      expect([rest, response.status, (await response.json()).error]).toEqual([rest, 404, "repo_not_found"]);
    }
    expect((await web.visitor().ask("/api/repos")).status).toBe(401);
    expect((await dana.ask(at("dana/tools"))).status).toBe(200);
  });

  it("refuses addresses that are none to mirror, names that are none, and a name twice", async () => {
    const wrong: [unknown, string][] = [
      [{ url: "https://user:pass@example.com/a/b" }, "repo_url_not_allowed"],
      [{ url: "https://example.com/a/b?x=1" }, "repo_url_not_allowed"],
      [{ url: "https://example.com" }, "repo_url_not_allowed"],
      [{ url: "https://10.0.0.1/a/b" }, "repo_url_not_public"],
      [{ url: "https://[::1]/a/b" }, "repo_url_not_public"],
      [{ url: "https://localhost/a/b" }, "repo_url_not_public"],
      [{ url: "http://example.com/a/b" }, "repo_url_not_allowed"],
      [{ url: "http://127.0.0.1/a/b" }, "repo_url_not_allowed"],
      [{ url: "ext::sh -c id" }, "repo_url_not_allowed"],
      [{ url: "ssh://git@example.com/a/b" }, "repo_url_not_allowed"],
      [{ url: "--upload-pack=id" }, "repo_url_not_allowed"],
      [{ url: "file://example.com/a/b" }, "repo_url_not_allowed"],
      [{ url: "https://example.com/a/b", name: "no-slash" }, "invalid_repo_name"],
      [{ url: "https://example.com/a/b", name: "../b" }, "invalid_repo_name"],
      [{ url: "https://example.com/a/b", token: "two words" }, "invalid_repo_token"],
      [{ name: "a/b" }, "invalid_payload"],
    ];
    for (const [body, error] of wrong) {
      const response = await mirror(dana, body);
      expect([body, response.status, (await response.json()).error]).toEqual([body, 400, error]);
    }
    const twice = await mirror(dana, { url: remote.url });
    expect([twice.status, (await twice.json()).error]).toEqual([409, "repo_name_taken"]);
  });

  it("takes twenty repositories of a person and no more, however many are asked for at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => mirror(noam, { url: "https://example.com/a/b", name: `a/b${i}` })),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(20);
    expect(await required(answers.find(({ status }) => status !== 201)).json()).toMatchObject({
      error: "repo_limit",
    });
  });

  it("queues a sync, an import and an analysis, once while one is waiting", async () => {
    const { repo } = await (await dana.ask(at("dana/tools"))).json();
    const response = await dana.ask(at("dana/tools", "/sync"), { method: "POST" });
    expect([response.status, await response.json()]).toEqual([202, { ok: true, run_id: repo.sync_run_id }]);

    const preview = await (await dana.ask(at("dana/tools", "/import?path=src"))).json();
    expect(preview).toMatchObject({ count: 1, files: [{ file_name: "שלום עולם.py", action: "create" }] });
    const imported = await sendJson(dana, "POST", at("dana/tools", "/import"), { path: "src" });
    expect(imported.status).toBe(202);
    const none = await sendJson(dana, "POST", at("dana/tools", "/import"), { path: "nowhere" });
    expect(none.status).toBe(404);
    expect(await web.events("codehost_import_repo_error")).toMatchObject([{ error: "repo_path_not_found" }]);

    const { run_id } = await (await dana.ask(at("dana/tools", "/analysis"), { method: "POST" })).json();
    await mirrors.run("repo_analysis", { repo_id: repo.id });
    expect((await dana.ask(at("dana/tools", `/runs/${run_id}`))).status).toBe(200);
    expect(await (await dana.ask(at("dana/tools", "/analysis"))).json()).toMatchObject({
      analysis: { files: 2, readme: "README.md" },
    });
  });

  it("keeps a token sealed and never tells it", async () => {
    const token = "ghp_markedsecrettoken";
    await mirror(dana, { url: "https://example.com/dana/private", token });
    const listed = await (await dana.ask(at("dana/private"))).text();
    expect(JSON.parse(listed).repo).toMatchObject({ has_token: true });
    const stored = JSON.stringify(await web.db.repos.find().toArray());
    for (const place of [listed, stored, web.log.join("\n")]) expect(place).not.toContain(token);
  });

  it("points a mirror to another address and syncs it from there", async () => {
    const mover = await web.visitor().logIn("7");
    const gone = createRemote("dana/gone");
    const moved = createRemote("dana/moved");
    moved.commit({ "here.md": "# Here\n" });
    const created = await (await mirror(mover, { url: gone.url, token: "first" })).json();

    const elsewhere = { url: "https://example.org/moved.git" };
    const other = await (await sendJson(mover, "PATCH", at("dana/gone"), elsewhere)).json();
    expect(other).toMatchObject({ ok: true, repo: { url: elsewhere.url, has_token: false } });

    const answer = await sendJson(mover, "PATCH", at("dana/gone"), { url: moved.url, token: "second" });
    const { repo } = await answer.json();
    expect(answer.status).toBe(200);
    expect(repo).toMatchObject({
      id: created.repo.id,
      repo_name: "dana/gone",
      url: moved.url,
      has_token: true,
    });
    expect(await findRun(web.db, repo.sync_run_id)).toMatchObject({ job_id: "repo_sync", status: "pending" });
    await mirrors.run("repo_sync", { repo_id: repo.id });
    expect(await (await mover.ask(at("dana/gone", "/tree"))).json()).toMatchObject({
      files: [{ path: "here.md" }],
    });

    for (const [name, body, status, error] of [
      ["dana/gone", { url: "ftp://example.org/x" }, 400, "repo_url_not_allowed"],
      ["dana/gone", {}, 400, "invalid_payload"],
      ["dana/gone", { url: moved.url, name: "a/b" }, 400, "invalid_payload"],
      ["nobody/nothing", { url: moved.url }, 404, "repo_not_found"],
    ] as const) {
      const refused = await sendJson(mover, "PATCH", at(name), body);
      expect([refused.status, (await refused.json()).error]).toEqual([status, error]);
    }
  });

  it("ends a mirror, and the name is free again", async () => {
    const before = await (await dana.ask(at("dana/tools"))).json();
    expect(await (await dana.ask(at("dana/tools"), { method: "DELETE" })).json()).toEqual({
      ok: true,
      repo_name: "dana/tools",
    });
    expect((await dana.ask(at("dana/tools", "/tree"))).status).toBe(404);
    const repo_id = new ObjectId(before.repo.id);
    expect(await web.db.repo_files.countDocuments({ repo_id })).toBe(0);
    expect(await web.db.repo_texts.countDocuments({ repo_id })).toBe(0);
    const ofMirror = { _id: { $regex: `^r${before.repo.id}` } };
    expect(await web.db.search_segments.countDocuments(ofMirror)).toBe(0);
    expect((await mirror(dana, { url: remote.url })).status).toBe(201);
  });
});

describe("news of a push", () => {
  const push = (payload: unknown, more: Record<string, string> = {}) => {
    const body = JSON.stringify(payload);
    const signature = `sha256=${createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex")}`;
    return web.visitor().ask("/api/webhooks/codehost", {
      method: "POST",
      body,
      headers: {
        "Content-Type": "application/json",
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": "delivery-1",
        "X-Hub-Signature-256": signature,
        ...more,
      },
    });
  };
  const pushed = { ref: "refs/heads/main", repository: { clone_url: `${remote.url}.git` } };

  it("syncs every mirror of the repository, once for each delivery", async () => {
    const { repo } = await (await dana.ask(at("dana/tools"))).json();
    await mirrors.run("repo_sync", { repo_id: repo.id });
    await web.db.job_runs.updateOne({ _id: repo.sync_run_id }, { $set: { status: "completed" } });

    expect(await (await push(pushed)).json()).toEqual({ ok: true, repos: 1, duplicate: false });
    expect(await (await push(pushed)).json()).toEqual({ ok: true, repos: 0, duplicate: true });

    const after = (await (await dana.ask(at("dana/tools"))).json()).repo;
    expect(after.sync_run_id).not.toBe(repo.sync_run_id);
    expect(await findRun(web.db, after.sync_run_id)).toMatchObject({ status: "pending" });
  });

  it("of another kind, or of a repository nobody mirrors, starts nothing", async () => {
    const ping = await push({ zen: "…" }, { "X-GitHub-Event": "ping", "X-GitHub-Delivery": "d-2" });
    expect(await ping.json()).toMatchObject({ repos: 0 });
    const other = { repository: { clone_url: "https://example.com/x/y.git" } };
    expect(await (await push(other, { "X-GitHub-Delivery": "d-3" })).json()).toMatchObject({ repos: 0 });
  });

  it("is refused without the right signature, a delivery's id or a repository", async () => {
    const refused = async (response: Response) => [response.status, (await response.json()).error];
    for (const signature of ["", "sha256=00", `sha256=${"0".repeat(64)}`])
      expect(await refused(await push(pushed, { "X-Hub-Signature-256": signature }))).toEqual([
        401,
        "invalid_webhook_signature",
      ]);
    expect(await refused(await push(pushed, { "X-GitHub-Delivery": "" }))).toEqual([400, "invalid_payload"]);
    expect(await refused(await push({ repository: {} }, { "X-GitHub-Delivery": "d-4" }))).toEqual([
      400,
      "invalid_payload",
    ]);
  });
});
