import { createHmac } from "node:crypto";
import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import { keyRange } from "#db/segments/segments.server.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestWeb, refusal } from "#tests/support/web.ts";

const WEBHOOK_SECRET = "the secret of pushes";
const web = await openTestWeb({ CODEHOST_ALLOW_LOCAL: "1", CODEHOST_WEBHOOK_SECRET: WEBHOOK_SECRET });
const { db } = web;
const mirrors = openMirrors(web);
const dana = await web.person();

const TOOLS = "/api/repos/dana%2Ftools";
const mirror = (body: unknown, visitor = dana) => visitor.send("POST", "/api/repos", body);
const read = async (path: string, visitor = dana) => (await visitor.send("GET", path)).body;

const remote = createRemote("dana/tools");
remote.commit({ "README.md": "# Tools\n", "src/שלום עולם.py": "print('needle in a stack')\n" });

describe("the API of mirrored repositories", () => {
  it("mirrors an address, and reports its first sync", async () => {
    const { status, body } = await mirror({ url: `${remote.url}/` });
    const { repo } = body;
    expect(status).toBe(201);
    const waiting = { state: "waiting", has_token: false, last_sync_time: null };
    expect(repo).toMatchObject({ repo_name: "dana/tools", url: remote.url, ...waiting });
    expect(await findRun(db, repo.sync_run_id)).toMatchObject({ job_id: "repo_sync", status: "pending" });
    expect((await dana.send("GET", `${TOOLS}/tree`)).status).toBe(503);

    await mirrors.run("repo_sync", { repo_id: repo.id });

    expect(await read("/api/repos")).toMatchObject({
      ok: true,
      count: 1,
      repos: [{ repo_name: "dana/tools", state: "ready", files: 2 }],
    });
    expect(await read(`${TOOLS}/runs/${repo.sync_run_id}`)).toMatchObject({
      run: { job_id: "repo_sync", status: "pending" },
    });
  });

  it("shows directories, files and their texts, finds both and says who changed them", async () => {
    const tree = await read(`${TOOLS}/tree?path=src`);
    expect(tree).toMatchObject({
      path: "src",
      folders: [],
      truncated: false,
      last_sync_time: expect.any(String),
    });
    expect(tree.files).toMatchObject([{ path: "src/שלום עולם.py", language: "python", size_bytes: 27 }]);
    const path = encodeURIComponent("src/שלום עולם.py");
    expect(await read(`${TOOLS}/file?path=${path}`)).toMatchObject({
      content: "print('needle in a stack')\n",
      file: { kind: "text" },
    });
    expect(await read(`${TOOLS}/search?q=Needle`)).toMatchObject({
      hits: [{ file: { path: "src/שלום עולם.py" }, line: { number: 1, text: "print('needle in a stack')" } }],
      more: false,
    });
    expect(await read(`${TOOLS}/search?q=read`)).toMatchObject({
      hits: [{ file: { path: "README.md" }, line: null }],
    });
    const { commits } = await read(`${TOOLS}/history?path=README.md`);
    expect(commits).toMatchObject([{ author: "Dana", subject: "Change something", touched: 2 }]);
  });

  it.each([
    ["/tree?path=nowhere", 404, "repo_path_not_found"],
    ["/tree?path=../..", 404, "repo_path_not_found"],
    ["/file?path=src", 404, "repo_path_not_found"],
    ["/file", 400, "invalid_query"],
    ["/search?q=", 400, "empty_query"],
    ["/analysis", 404, "repo_not_analysed"],
  ])("refuses %s by %i %s", async (fields, status, error) => {
    expect(await dana.send("GET", TOOLS + fields)).toMatchObject({ status, body: { error } });
  });

  it.each<[object, number, string]>([
    [{ url: "https://10.0.0.1/a/b" }, 400, "repo_url_not_public"],
    [{ url: "ext::sh -c id" }, 400, "repo_url_not_allowed"],
    [{ url: remote.url }, 409, "repo_name_taken"],
  ])("refuses to mirror %j", async (body, status, error) => {
    expect(await mirror(body)).toMatchObject({ status, body: { error } });
  });

  it("takes twenty repositories of a person and no more, however many are asked for at once", async () => {
    const noam = await web.person();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => mirror({ url: "https://example.com/a/b", name: `a/b${i}` }, noam)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(4);
    for (const { body } of refused) expect(body).toMatchObject({ error: "repo_limit" });
  });

  it("queues a sync, an import and an analysis, once while one is waiting", async () => {
    const { repo } = await read(TOOLS);
    expect(await dana.send("POST", `${TOOLS}/sync`)).toMatchObject({
      status: 202,
      body: { ok: true, run_id: repo.sync_run_id },
    });

    const preview = await read(`${TOOLS}/import?path=src`);
    expect(preview).toMatchObject({ count: 1, files: [{ file_name: "שלום עולם.py", action: "create" }] });
    expect((await dana.send("POST", `${TOOLS}/import`, { path: "src" })).status).toBe(202);
    expect((await dana.send("POST", `${TOOLS}/import`, { path: "nowhere" })).status).toBe(404);
    expect(await web.events("codehost_import_repo_error")).toMatchObject([{ error: "repo_path_not_found" }]);

    const { run_id } = (await dana.send("POST", `${TOOLS}/analysis`)).body;
    await mirrors.run("repo_analysis", { repo_id: repo.id });
    expect((await dana.send("GET", `${TOOLS}/runs/${run_id}`)).status).toBe(200);
    expect(await read(`${TOOLS}/analysis`)).toMatchObject({ analysis: { files: 2, readme: "README.md" } });
  });

  it("keeps a token sealed and never reveals it", async () => {
    const token = "ghp_markedsecrettoken";
    await mirror({ url: "https://example.com/dana/private", token });
    const { repo } = await read("/api/repos/dana%2Fprivate");
    expect(repo).toMatchObject({ has_token: true });
    const stored = JSON.stringify(await db.repos.find().toArray());
    for (const text of [JSON.stringify(repo), stored, web.log.join("\n")]) expect(text).not.toContain(token);
  });

  it("points a mirror to another address, keeps its token from it and syncs from there", async () => {
    const mover = await web.person();
    const [gone, moved] = [createRemote("dana/gone"), createRemote("dana/moved")];
    moved.commit({ "here.md": "# Here\n" });
    const created = (await mirror({ url: gone.url, token: "first" }, mover)).body;
    const patch = (body: object, name = "dana%2Fgone") => mover.send("PATCH", `/api/repos/${name}`, body);

    const elsewhere = { url: "https://example.org/moved.git" };
    expect((await patch(elsewhere)).body).toMatchObject({
      ok: true,
      repo: { ...elsewhere, has_token: false },
    });

    const { status, body } = await patch({ url: moved.url, token: "second" });
    const { repo } = body;
    expect(status).toBe(200);
    const same = { id: created.repo.id, repo_name: "dana/gone" };
    expect(repo).toMatchObject({ ...same, url: moved.url, has_token: true });
    expect(await findRun(db, repo.sync_run_id)).toMatchObject({ job_id: "repo_sync", status: "pending" });
    await mirrors.run("repo_sync", { repo_id: repo.id });
    expect(await read("/api/repos/dana%2Fgone/tree", mover)).toMatchObject({ files: [{ path: "here.md" }] });

    for (const [wrong, error] of [
      [{ url: "ftp://example.org/x" }, "repo_url_not_allowed"],
      [{ url: moved.url, name: "a/b" }, "invalid_payload"],
    ] as const)
      expect(await patch(wrong)).toMatchObject(refusal(400, error));
  });

  it("ends a mirror, and the name is free again", async () => {
    const { repo } = await read(TOOLS);
    const ended = await dana.send("DELETE", TOOLS);
    expect(ended.body).toEqual({ ok: true, repo_name: "dana/tools" });
    expect((await dana.send("GET", `${TOOLS}/tree`)).status).toBe(404);
    const repo_id = new ObjectId(repo.id as string);
    expect(await db.repo_files.countDocuments({ repo_id })).toBe(0);
    expect(await db.repo_texts.countDocuments({ repo_id })).toBe(0);
    expect(await db.search_segments.countDocuments(keyRange(indexOwner(repo_id)))).toBe(0);
    expect((await mirror({ url: remote.url })).status).toBe(201);
  });
});

describe("news of a push", () => {
  const push = (payload: unknown, more: Record<string, string> = {}) => {
    const body = JSON.stringify(payload);
    const signature = `sha256=${createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex")}`;
    return web.visitor().send("POST", "/api/webhooks/codehost", body, {
      "Content-Type": "application/json",
      "X-GitHub-Event": "push",
      "X-GitHub-Delivery": "delivery-1",
      "X-Hub-Signature-256": signature,
      ...more,
    });
  };
  const pushed = { ref: "refs/heads/main", repository: { clone_url: `${remote.url}.git` } };

  it("syncs every mirror of the repository, once for each delivery", async () => {
    const { repo } = await read(TOOLS);
    await mirrors.run("repo_sync", { repo_id: repo.id });
    await db.job_runs.updateOne({ _id: repo.sync_run_id }, { $set: { status: "completed" } });

    expect((await push(pushed)).body).toEqual({ ok: true, repos: 1, duplicate: false });
    expect((await push(pushed)).body).toEqual({ ok: true, repos: 0, duplicate: true });

    const after = (await read(TOOLS)).repo;
    expect(after.sync_run_id).not.toBe(repo.sync_run_id);
    expect(await findRun(db, after.sync_run_id)).toMatchObject({ status: "pending" });
  });

  it("of another kind, or of a repository nobody mirrors, starts nothing", async () => {
    const ping = await push({ zen: "…" }, { "X-GitHub-Event": "ping", "X-GitHub-Delivery": "d-2" });
    expect(ping.body).toMatchObject({ repos: 0 });
    const other = { repository: { clone_url: "https://example.com/x/y.git" } };
    expect((await push(other, { "X-GitHub-Delivery": "d-3" })).body).toMatchObject({ repos: 0 });
  });

  it.each<[string, object, Record<string, string>, number, string]>([
    ["a signature", pushed, { "X-Hub-Signature-256": "" }, 401, "invalid_webhook_signature"],
    [
      "the right signature",
      pushed,
      { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}` },
      401,
      "invalid_webhook_signature",
    ],
    ["a delivery's id", pushed, { "X-GitHub-Delivery": "" }, 400, "invalid_payload"],
    ["a repository", { repository: {} }, { "X-GitHub-Delivery": "d-4" }, 400, "invalid_payload"],
  ])("is refused without %s", async (_, payload, headers, status, error) => {
    expect(await push(payload, headers)).toMatchObject({ status, body: { error } });
  });
});
