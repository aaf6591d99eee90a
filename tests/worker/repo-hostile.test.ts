import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ObjectId } from "mongodb";
import { afterEach, describe, expect, it } from "vitest";
import { listCommits, listTree, readRepoFile } from "#db/repos/repo-tree.server.ts";
import { TREE_ENTRIES_MAX } from "#domain/repos/repo.ts";
import { required } from "#domain/required.ts";
import { createAuthority } from "#tests/support/programs/own-authority.ts";
import { run } from "#tests/support/programs/running.ts";
import { serveByGit } from "#tests/support/repos/git-http-backend.ts";
import { serveProtocol } from "#tests/support/repos/git-protocol.ts";
import { createRemote, rawTree, serveRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestStore } from "#tests/support/store.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { mirrorDirectory } from "#worker/mirror/config.ts";
import type { Ask } from "#worker/mirror/fetch.ts";
import { runGit } from "#worker/mirror/git.ts";
import { listNewCommits } from "#worker/mirror/objects.ts";
import { prepareRemote } from "#worker/mirror/remote.ts";

const store = await openTestStore();
const { db } = store;
const mirrors = openMirrors(store, { isIsolated: true });
const { config } = mirrors;
const limits = { caFile: null, ...config };
const { PATH } = process.env;
afterEach(() => {
  Object.assign(config, limits);
  process.env.PATH = PATH;
});

const LARGE_BYTES = 6 * 1024 * 1024;

let names = 0;
/** A new person for each, because a person may have 20. */
const givenRepo = (url: string, more: object = {}) => {
  names += 1;
  return mirrors.given(String(names), { url, name: `dana/hostile${names}`, ...more });
};
const onDisk = async (id: string) => {
  const doc = await db.repos.findOne({ _id: new ObjectId(id) });
  return existsSync(mirrorDirectory(config, required(doc)));
};

describe("a hostile tree", () => {
  it("leaves out files with forbidden names, keeps merely odd ones, and follows no link", async () => {
    const remote = createRemote("evil/tree");
    const blob = remote.pipe("evil\n", "hash-object", "-w", "--stdin");
    const passwd = remote.pipe("/etc/passwd", "hash-object", "-w", "--stdin");
    const inner = rawTree(remote, [{ mode: "100644", name: "evil.txt", hash: blob }]);
    const file = (name: string | Buffer) => ({ mode: "100644", name, hash: blob });
    const folder = (name: string) => ({ mode: "40000", name, hash: inner });
    const odd = ['"quoted".txt', "--output=x", "a\nb.txt", "a\tb.txt", "שלום עולם.txt", "💥.txt", "..."];
    const tree = rawTree(remote, [
      file("."),
      file(Buffer.from([0xff, 0xfe])),
      ...odd.map(file),
      folder(".."),
      folder(".git"),
      folder(".GIT"),
      folder("fine"),
      { mode: "120000", name: "link", hash: passwd },
      { mode: "160000", name: "module", hash: "1".repeat(40) },
    ]);
    const commit = remote.git("commit-tree", tree, "-m", "evil");
    remote.git("update-ref", "refs/heads/main", commit);

    const repo = await mirrors.sync(await givenRepo(remote.url));

    expect(repo).toMatchObject({ state: "ready", skipped: 5, files: odd.length + 3 });
    const root = await listTree(db, repo, "");
    expect(root).toMatchObject({ folders: ["fine"] });
    const paths = "files" in root ? root.files.map(({ path }) => path) : [];
    expect(paths.sort()).toEqual([...odd, "link", "module"].sort());
    for (const path of odd) expect(await readRepoFile(db, repo, path)).toMatchObject({ text: "evil\n" });
    expect(await readRepoFile(db, repo, "link")).toEqual({
      file: expect.objectContaining({ kind: "symlink" }),
      text: null,
    });
    expect(await readRepoFile(db, repo, "module")).toMatchObject({ file: { kind: "submodule" }, text: null });
    expect(readdirSync(config.root)).toHaveLength(1);
  });

  it("is read by hash, so that branches named like options are only names", async () => {
    const remote = createRemote("evil/refs");
    const head = remote.commit({ "a.txt": "a\n" });
    const branch = "--upload-pack=touch;owned";
    remote.git("update-ref", `refs/heads/${branch}`, head);
    remote.git("symbolic-ref", "HEAD", `refs/heads/${branch}`);
    remote.git("update-ref", "-d", "refs/heads/main");
    expect(await mirrors.sync(await givenRepo(remote.url))).toMatchObject({
      state: "ready",
      branch,
      head,
      files: 1,
    });
  });

  itInFullRun(
    "of 2,000 files is kept whole, and refused before anything is written where it has too many",
    async () => {
      const remote = createRemote("evil/many");
      const files = Array.from(
        { length: 2_000 },
        (_, i) => `M 100644 inline d${i % 40}/f${i}.txt\ndata 9\nfile ${String(i).padStart(4, "0")}\n`,
      );
      const who = "committer Dana <dana@example.com> 1767225600 +0000";
      remote.pipe(
        `commit refs/heads/main\n${who}\ndata 4\nmany\n${files.join("")}\n`,
        "fast-import",
        "--quiet",
      );
      const repo = await givenRepo(remote.url);

      config.maxFiles = 1_999;
      expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "too_many_files", files: 0 });
      expect(await db.repo_files.countDocuments({ repo_id: new ObjectId(repo.id) })).toBe(0);

      config.maxFiles = 2_000;
      expect(await mirrors.sync(repo)).toMatchObject({
        state: "ready",
        error: null,
        files: 2_000,
        bytes: 18_000,
      });
      expect(await listTree(db, repo, "d7")).toMatchObject({ folders: [], files: { length: 50 } });
    },
  );

  it("of more folders than are listed says so", async () => {
    const repo = await givenRepo("file:///srv/git/evil/wide.git");
    const names = Array.from({ length: TREE_ENTRIES_MAX + 1 }, (_, i) => `d${String(i).padStart(5, "0")}`);
    const its = { repo_id: new ObjectId(repo.id), user_id: repo.user_id, dir: "" };
    await db.repo_folders.insertMany(names.map((path) => ({ _id: new ObjectId(), ...its, path })));
    expect(await listTree(db, repo, "")).toMatchObject({
      folders: names.slice(0, TREE_ENTRIES_MAX),
      truncated: true,
    });
  });

  itDrawn("what cannot be kept", 3)("that cannot be stored is refused by the same limit", async () => {
    const remote = createRemote("evil/unkept");
    const blob = remote.pipe("evil\n", "hash-object", "-w", "--stdin");
    const inner = rawTree(
      remote,
      Array.from({ length: 10 }, (_, i) => ({ mode: "100644", name: `f${i}`, hash: blob })),
    );
    const tree = rawTree(remote, [{ mode: "40000", name: ".git", hash: inner }]);
    remote.git("update-ref", "refs/heads/main", remote.git("commit-tree", tree, "-m", "evil"));
    const repo = await givenRepo(remote.url);

    config.maxFiles = 9;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "too_many_files" });

    config.maxFiles = 10;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 0, skipped: 10 });
  });

  itInFullRun("of few files in very many folders is refused before a folder is written", async () => {
    const remote = createRemote("evil/deep");
    const blob = remote.pipe("evil\n", "hash-object", "-w", "--stdin");
    let tree = rawTree(remote, [{ mode: "100644", name: "f", hash: blob }]);
    for (let level = 1; level < 50; level += 1)
      tree = rawTree(remote, [{ mode: "40000", name: "d", hash: tree }]);
    const tops = Array.from({ length: 4 }, (_, i) => ({ mode: "40000", name: `t${i}`, hash: tree }));
    remote.git(
      "update-ref",
      "refs/heads/main",
      remote.git("commit-tree", rawTree(remote, tops), "-m", "deep"),
    );
    const repo = await givenRepo(remote.url);
    const folders = () => db.repo_folders.countDocuments({ repo_id: new ObjectId(repo.id) });

    config.maxFiles = 199;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "too_many_files" });
    expect(await folders()).toBe(0);

    config.maxFiles = 200;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 4 });
    expect(await folders()).toBe(200);
  });

  itDrawn("many branches", 3)("beside many branches is the only one that is fetched", async () => {
    const remote = createRemote("evil/branches");
    const head = remote.commit({ "a.txt": "a\n" });
    const branches = Array.from({ length: 50 }, (_, i) => `create refs/heads/b${i}/x/y/z ${head}\n`);
    remote.pipe(branches.join(""), "update-ref", "--stdin");
    const repo = await mirrors.sync(await givenRepo(remote.url));
    expect(repo).toMatchObject({ state: "ready", branch: "main", head, files: 1 });
    const doc = required(await db.repos.findOne({ named: repo.repo_name }));
    const refs = readdirSync(join(mirrorDirectory(config, doc), "refs"), { recursive: true });
    expect(refs.sort()).toEqual(["codeshelf", "codeshelf/fetched", "codeshelf/synced", "heads", "tags"]);
  });

  itInFullRun(
    "with a file of 6 MiB is kept without its text, and a mirror that outgrows its limit is taken away",
    async () => {
      const remote = createRemote("evil/large");
      remote.commit({ "large.bin": randomBytes(LARGE_BYTES), "small.txt": "s\n" });
      const repo = await givenRepo(remote.url);

      config.maxBytes = LARGE_BYTES / 2;
      expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "too_large" });
      expect(await onDisk(repo.id)).toBe(false);

      config.maxBytes = limits.maxBytes;
      expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 2 });
      expect(await readRepoFile(db, repo, "large.bin")).toMatchObject({
        file: { kind: "large", size: LARGE_BYTES },
        text: null,
      });
    },
  );
});

describe("a history", () => {
  itDrawn("impossible times", 3)("of commits at impossible times has valid dates", async () => {
    const remote = createRemote("evil/times");
    const tree = remote.git("rev-parse", `${remote.commit({ "a.txt": "a\n" })}^{tree}`);
    let parent = "";
    for (const time of ["nonsense", "253402300800", "9".repeat(30)]) {
      const who = `D <d@example.com> ${time} +0000`;
      const text = `tree ${tree}\n${parent}author ${who}\ncommitter ${who}\n\n${time}\n`;
      const commit = remote.pipe(text, "hash-object", "-t", "commit", "--literally", "-w", "--stdin");
      remote.git("update-ref", "refs/heads/main", commit);
      parent = `parent ${commit}\n`;
    }
    const repo = await mirrors.sync(await givenRepo(remote.url));
    const commits = await listCommits(db, repo, { limit: 10 });
    expect(new Map(commits.map(({ subject, at }) => [subject, at.toISOString()]))).toEqual(
      new Map([
        ["nonsense", "1970-01-01T00:00:00.000Z"],
        ["253402300800", "9999-12-31T23:59:59.000Z"],
        ["9".repeat(30), "9999-12-31T23:59:59.000Z"],
      ]),
    );
  });

  it("with more paths than can be read at once is read in parts, and a single such commit has none", async () => {
    const remote = createRemote("evil/history");
    const touch = (count: number, name: string) =>
      remote.commit(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, name])));
    const commits = [touch(2, "a"), touch(1, "b"), touch(40, "c"), touch(2, "d")];
    const ask: Ask = async (args, input) =>
      runGit({
        cwd: remote.directory,
        args,
        input,
        // For one commit with three paths, not for two.
        maxOutputBytes: args[0] === "diff-tree" ? 400 : undefined,
        timeoutMs: 60_000,
        maxFileBytes: 1_000_000,
        signal: new AbortController().signal,
      });
    const listed = await listNewCommits(ask, required(commits.at(-1)), null, 10);
    expect(listed.map(({ commit, paths, touched }) => [commit, paths, touched])).toEqual([
      [commits[3], ["d0", "d1"], 2],
      [commits[2], [], 0],
      [commits[1], ["b0"], 1],
      [commits[0], ["a0", "a1"], 2],
    ]);
  });
});

itInFullRun(
  "a remote that rewrites its history is mirrored as long as its current content fits",
  async () => {
    const remote = createRemote("evil/rewritten");
    const rewrite = (bytes: number) => {
      remote.git("update-ref", "-d", "HEAD");
      return remote.commit({ "a.bin": randomBytes(bytes) });
    };
    const repo = await givenRepo(remote.url);
    config.maxBytes = 5_000_000;
    for (let round = 0; round < 2; round += 1) {
      const head = rewrite(3_000_000);
      expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", error: null, head });
    }
    rewrite(6_000_000);
    expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "too_large" });
    expect(await onDisk(repo.id)).toBe(false);
  },
);

describe("a remote over http", () => {
  it("is mirrored from a plain server of files, with the token in a header", async () => {
    const remote = createRemote();
    remote.commit({ "a.txt": "over http\n" });
    const served = await serveRemote(remote);
    const repo = await mirrors.sync(await givenRepo(served.url, { token: "tok-1" }));
    expect(repo).toMatchObject({ state: "ready", files: 1, branch: "main" });
    const basic = `Basic ${Buffer.from("x-access-token:tok-1").toString("base64")}`;
    expect(new Set(served.asked.map(({ headers }) => headers.authorization))).toEqual(new Set([basic]));
  });

  itInFullRun("that hands out objects one by one is held to the size of a mirror", async () => {
    const remote = createRemote();
    remote.commit(Object.fromEntries([1, 2, 3].map((i) => [`${i}.bin`, randomBytes(2_000_000)])));
    const repo = await givenRepo((await serveRemote(remote)).url);
    config.maxBytes = 5_000_000;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "too_large" });
    expect(await onDisk(repo.id)).toBe(false);
    config.maxBytes = 7_000_000;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 3 });
    expect(await onDisk(repo.id)).toBe(true);
  });

  it("is mirrored and followed from git's own server, as hosts have it", async () => {
    const remote = createRemote();
    remote.commit({ "a.txt": "one\n" });
    const repo = await mirrors.sync(await givenRepo(await serveByGit(remote)));
    expect(repo).toMatchObject({ state: "ready", files: 1, branch: "main" });
    const head = remote.commit({ "b.txt": "two\n" });
    expect(await mirrors.sync(repo)).toMatchObject({ head, files: 2 });
    await db.repos.updateOne({ named: repo.repo_name }, { $set: { url: `${repo.url}-gone` } });
    expect(await mirrors.sync(repo)).toMatchObject({ error: "remote_not_found", files: 2 });
  });

  itInFullRun(
    "that breaks off, refuses or sends elsewhere leaves the mirror as it was, and says so",
    async () => {
      const remote = createRemote();
      remote.commit({ "a.txt": "one\n" });
      const served = await serveRemote(remote);
      const elsewhere = await serveRemote(remote);
      const repo = await mirrors.sync(await givenRepo(served.url));
      remote.commit({ "a.txt": "two\n" });
      const answers: [Awaited<ReturnType<typeof serveRemote>>["gate"], string][] = [
        [() => ({ status: 401 }), "access_denied"],
        [() => ({ status: 403 }), "access_denied"],
        [() => ({ status: 404 }), "remote_not_found"],
        [() => ({ status: 301, headers: { Location: `${elsewhere.url}/info/refs` } }), "moved"],
        [() => ({ status: 500 }), "unreachable"],
        [({ url }) => (url?.includes("/objects/") ? "cut" : undefined), "git_failed"],
      ];
      for (const [gate, error] of answers) {
        served.gate = gate;
        expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error, head: repo.head, files: 1 });
      }
      expect(elsewhere.asked).toEqual([]);
      expect(await readRepoFile(db, repo, "a.txt")).toMatchObject({ text: "one\n" });

      served.gate = () => undefined;
      expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", error: null });
      expect(await readRepoFile(db, repo, "a.txt")).toMatchObject({ text: "two\n" });
    },
  );

  it("that names packs at other addresses does not make git ask there", async () => {
    const remote = createRemote();
    remote.commit({ "a.txt": "a\n" });
    const elsewhere = await serveRemote(remote);
    const uris = [`${elsewhere.url}/inside`, "https://127.0.0.1:9/inside"];
    const url = await serveProtocol(remote, { packfileUris: uris });
    expect(await mirrors.sync(await givenRepo(url))).toMatchObject({ state: "failed", error: "git_failed" });
    expect(elsewhere.asked).toEqual([]);
    const honest = await serveProtocol(remote, { packfileUris: [] });
    expect(await mirrors.sync(await givenRepo(honest))).toMatchObject({ state: "ready", files: 1 });
  });

  it("that stays silent is abandoned in time, and no git process remains", async () => {
    const served = await serveRemote(createRemote());
    const hung = new Promise<unknown>((resolve) => {
      served.gate = ({ socket }) => {
        resolve(once(socket, "close"));
        return "hang";
      };
    });
    config.timeoutMs = 1_500;
    expect(await mirrors.sync(await givenRepo(served.url))).toMatchObject({
      state: "failed",
      error: "timed_out",
    });
    await hung;
  });

  it("is left alone as soon as its worker is killed", async () => {
    const served = await serveRemote(createRemote());
    const hung = new Promise<{ closed: Promise<unknown> }>((resolve) => {
      served.gate = ({ socket }) => {
        resolve({ closed: once(socket, "close") });
        return "hang";
      };
    });
    const program = join(import.meta.dirname, "lone-git.ts");
    const worker = run(process.execPath, [program, served.url], { env: { PATH } });
    const { closed } = await hung;
    worker.child.kill("SIGKILL");
    await closed;
  });

  it("is not asked at all where local remotes are not allowed", async () => {
    const served = await serveRemote(createRemote());
    config.allowLocal = false;
    for (const url of [served.url, createRemote().url])
      expect(await mirrors.sync(await givenRepo(url))).toMatchObject({ error: "address_refused" });
    expect(served.asked).toEqual([]);
  });
});

it("a remote over TLS is trusted by the operator's authority, and by no other", async () => {
  const { caFile, ...tls } = createAuthority(await temporaryDirectory("authority"));
  const remote = createRemote();
  remote.commit({ "a.txt": "over TLS\n" });
  const served = await serveRemote(remote, tls);
  const repo = await givenRepo(served.url);
  expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "certificate_untrusted" });
  expect(served.asked).toEqual([]);

  config.caFile = caFile;
  expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", error: null, files: 1 });
});

describe("a name", () => {
  const rule = (...addresses: string[]) => ({
    allowLocal: false,
    lookUp: async () => addresses.map((address) => ({ address })),
  });
  const url = "https://git.example.com/a/b";

  it("of a private address is not contacted", async () => {
    for (const address of ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1"])
      await expect(prepareRemote(url, null, rule(address))).rejects.toMatchObject({
        code: "address_refused",
      });
    await expect(prepareRemote("https://10.0.0.1/a/b", null, rule())).rejects.toMatchObject({
      code: "address_refused",
    });
  });

  it("is pinned to the checked public addresses", async () => {
    expect(await prepareRemote(url, null, rule("10.0.0.1", "1.1.1.1", "2606:4700::1111"))).toEqual({
      protocols: ["https"],
      settings: {
        "http.https://git.example.com/.proxy": "",
        "http.curloptResolve": "git.example.com:443:1.1.1.1,[2606:4700::1111]",
      },
    });
  });

  it("is resolved for git by the pin only", async () => {
    const remote = createRemote();
    remote.commit({ "a.txt": "a\n" });
    const port = new URL((await serveRemote(remote)).url).port;
    const listed = await runGit({
      cwd: await temporaryDirectory("pin"),
      args: ["ls-remote", "--", `http://nowhere.example.com:${port}/dana/tools.git`],
      protocols: ["http"],
      settings: {
        [`http.http://nowhere.example.com:${port}/.proxy`]: "",
        "http.curloptResolve": `nowhere.example.com:${port}:127.0.0.1`,
      },
      timeoutMs: 10_000,
      maxFileBytes: 1_000_000,
      signal: new AbortController().signal,
    });
    expect(listed.toString()).toContain("refs/heads/main");
  });
});

describe("a worker", () => {
  it("without git says so, also of a git that is too old", async () => {
    const remote = createRemote();
    remote.commit({ "a.txt": "a\n" });
    const repo = await givenRepo(remote.url);
    const bin = await temporaryDirectory("bin");
    process.env.PATH = bin;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "git_missing" });
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.30.2\n");
    for (const path of [bin, join(bin, "git")]) chmodSync(path, 0o755);
    expect(await mirrors.sync(repo)).toMatchObject({ state: "failed", error: "git_too_old" });
    process.env.PATH = PATH;
    expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", error: null });
  });

  it("that cannot open a token says so instead of asking without it", async () => {
    const served = await serveRemote(createRemote());
    const repo = await givenRepo(served.url, { token: "tok" });
    config.dataKeys = () => ({ current: "another key altogether", previous: null });
    expect(await mirrors.sync(repo)).toMatchObject({ error: "token_unreadable" });
    expect(served.asked).toEqual([]);
  });
});
