import { existsSync, rmSync } from "node:fs";
import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { recordHeartbeat } from "#db/jobs/workers.server.ts";
import { listManifest } from "#db/repos/repo-manifest.server.ts";
import { claimSync } from "#db/repos/repo-sync.server.ts";
import { findRenamedPath, listCommits } from "#db/repos/repo-tree.server.ts";
import { type RepoRecord, removeRepo } from "#db/repos/repos.server.ts";
import { searchRepo } from "#db/search/repo-search.server.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import { keyRange } from "#db/segments/segments.server.ts";
import { beforeVerb } from "#tests/support/databases/changed-store.ts";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { givenRepo, givenSync } from "#tests/support/repos/given-repo.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { mirrorDirectory } from "#worker/mirror/config.ts";

const store = await openTestStore();
const { db, clock } = store;
const mirrors = openMirrors(store);
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

const givenClaim = (holder: string) => ({ holder, worker_id: "w2", living: ["w2"] });
const toKey = ({ id, user_id }: RepoRecord) => ({ _id: new ObjectId(id), user_id });
const listPaths = async (repo: RepoRecord) => [...(await listManifest(db, toKey(repo))).keys()];

const TEXTS = { "a.txt": "first\n", "src/b.txt": "second\n" };

async function givenMirror(name: string): Promise<{ remote: GitRemote; repo: RepoRecord }> {
  const remote = createRemote(name);
  remote.commit(TEXTS);
  return { remote, repo: await mirrors.sync(await mirrors.given("1", { url: remote.url })) };
}

/** A store in which `push` happens between the first sync's files and its history. */
const pushedBeforeHistory = (push: () => Promise<unknown>) =>
  beforeVerb(db, "repo_commits", "bulkWrite", push);

describe("the life of a mirror", () => {
  it("begins with a repository that has nothing, and goes on with its first commit", async () => {
    const remote = createRemote("dana/empty");
    const repo = await mirrors.sync(await mirrors.given("1", { url: remote.url }));
    expect(repo).toMatchObject({ state: "ready", head: null, branch: null, files: 0 });
    remote.commit({ "a.txt": "a\n" });
    expect(await mirrors.sync(repo)).toMatchObject({ branch: "main", files: 1 });
  });

  it("follows a rewritten history, forgets the one that was, and goes on where another worker has an empty disk", async () => {
    const { remote, repo } = await givenMirror("dana/rewritten");
    remote.git("checkout", "--quiet", "--orphan", "other");
    remote.git("rm", "-rqf", ".");
    const head = remote.commit({ "only.txt": "only\n" });
    remote.git("branch", "-M", "other", "main");

    expect(await mirrors.sync(repo)).toMatchObject({ head, files: 1 });
    expect(await listPaths(repo)).toEqual(["only.txt"]);
    expect(await listCommits(db, repo, { limit: 9 })).toMatchObject([{ commit: head }]);

    rmSync(mirrors.config.root, { recursive: true });
    remote.commit({ "c.txt": "third\n", "only.txt": null });
    expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 1 });
    expect(await listPaths(repo)).toEqual(["c.txt"]);
  });

  itDrawn("a sync that died", 3)("is put right after a sync that died among its writes", async () => {
    const { remote, repo } = await givenMirror("dana/died");
    remote.commit({ "lost.txt": "written before it died\n" });
    const dying = { ...db, repo_commits: null as never };
    await expect(mirrors.run("repo_sync", { repo_id: repo.id }, { db: dying })).rejects.toThrow(TypeError);
    expect(await listPaths(repo)).toContain("lost.txt");
    remote.git("reset", "--quiet", "--hard", "HEAD~1");
    const head = remote.commit({ "a.txt": "another way\n" });

    expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", head });
    expect(await listPaths(repo)).toEqual(["a.txt", "src/b.txt"]);
  });

  itInFullRun("remembers a file through two moves, until its path has a file again", async () => {
    const { remote, repo } = await givenMirror("dana/twice");
    remote.commit({ "src/b.txt": null, "lib/b.txt": "second\n" });
    await mirrors.sync(repo);
    remote.commit({ "lib/b.txt": null, "lib/c.txt": "second\n" });
    await mirrors.sync(repo);
    expect(await findRenamedPath(db, repo, "src/b.txt")).toBe("lib/c.txt");
    remote.commit({ "src/b.txt": "something else\n" });
    await mirrors.sync(repo);
    expect(await db.repo_renames.countDocuments({ repo_id: toKey(repo)._id, from: "src/b.txt" })).toBe(0);
  });

  it("is synced by one run at a time; a sync asked for meanwhile is not missed", async () => {
    const { remote, repo } = await givenMirror("dana/busy");
    const { _id } = toKey(repo);
    await claimSync(db, { _id, user_id: "1" }, givenClaim("another run"), clock());
    await recordHeartbeat(db, "w2", clock(), clock());
    expect(await mirrors.run("repo_sync", { repo_id: repo.id })).toEqual({ outcome: "already_syncing" });
    expect(await mirrors.find(repo)).toMatchObject({ state: "syncing" });
    await db.repos.updateOne({ _id }, { $unset: { lease: "" } });

    remote.commit({ "a.txt": "by a push\n" });
    const push = () => {
      remote.commit({ "late.txt": "while it was at work\n" });
      return db.repos.updateOne({ _id }, { $max: { wanted_at: later(1) } });
    };
    await mirrors.run("repo_sync", { repo_id: repo.id }, { db: pushedBeforeHistory(push) });
    expect(await listPaths(repo)).toContain("late.txt");
    expect(await mirrors.find(repo)).toMatchObject({ state: "ready", files: 3 });
  });

  it("is released by a run that is told to stop", async () => {
    const repo = await givenRepo(db, "1", "dana/stopped", TEXTS);
    const signal = AbortSignal.abort(new Error("The worker stops"));
    await expect(mirrors.run("repo_sync", { repo_id: repo.id }, { signal })).rejects.toThrow(
      "The worker stops",
    );
    expect(await mirrors.find(repo)).toMatchObject({ state: "ready", error: null });
  });

  itInFullRun("is found by search in a few segments, however often it was synced", async () => {
    const { remote, repo } = await givenMirror("dana/tidied");
    const owner = indexOwner(toKey(repo)._id);
    for (let i = 0; i < 9; i += 1) await givenSync(db, repo, { put: { "src/b.txt": `second state ${i}\n` } });
    remote.commit({ "src/b.txt": "second state 9\n" });
    await mirrors.sync(repo);
    expect(await db.search_segments.countDocuments(keyRange(owner))).toBeLessThan(8);
    expect((await searchRepo(db, repo, { q: "state 9", limit: 5 })).hits).toMatchObject([
      { file: { path: "src/b.txt" } },
    ]);
    expect((await searchRepo(db, repo, { q: "state 3", limit: 5 })).hits).toEqual([]);
    expect((await searchRepo(db, repo, { q: "st", limit: 5 })).hits).toHaveLength(2);
  });

  it("ends with nothing of it left, in the store and on disk, even during a run", async () => {
    const { repo } = await givenMirror("dana/ended");
    const key = toKey(repo);
    const directory = mirrorDirectory(mirrors.config, key);
    expect(existsSync(directory)).toBe(true);
    await claimSync(db, { _id: key._id, user_id: "1" }, givenClaim("a run at work"), clock());

    await removeRepo(db, "1", "dana/ended", clock());
    expect(await mirrors.find(repo)).toBeNull();
    await mirrors.run("repo_sync", {});
    expect(await db.repo_files.countDocuments({ repo_id: key._id })).toBe(2);

    clock.set(later(10));
    await mirrors.run("repo_sync", {});
    for (const name of ["repo_files", "repo_folders", "repo_texts", "repo_commits"] as const)
      expect([name, await (db[name] as typeof db.repo_files).countDocuments({ repo_id: key._id })]).toEqual([
        name,
        0,
      ]);
    expect(await db.repos.countDocuments({ _id: key._id })).toBe(0);
    expect(existsSync(directory)).toBe(false);
    clock.set(NOON);
  });

  it("of very many files ends at once too, and the worker clears it away", async () => {
    const repo = await givenRepo(db, "1", "dana/many", TEXTS);
    const key = toKey(repo);
    await db.repos.updateOne(key, { $set: { files: 5_000 } });
    await removeRepo(db, "1", "dana/many", clock());
    expect(await mirrors.find(repo)).toBeNull();
    expect(await db.repos.findOne(key)).not.toHaveProperty("slot");
    await mirrors.run("repo_sync", {});
    expect(await db.repo_files.countDocuments({ repo_id: key._id })).toBe(0);
    expect(await db.repos.countDocuments(key)).toBe(0);
  });

  it("is synced when its time has come, and later and later where that fails", async () => {
    const { repo } = await givenMirror("dana/due");
    expect(repo.next_sync_at).toEqual(later(60));
    mirrors.queued.length = 0;
    clock.set(later(61));
    await mirrors.run("repo_sync", {});
    await mirrors.run("repo_sync", {});
    expect(mirrors.queued.filter(([, { repo_id }]) => repo_id === repo.id)).toEqual([
      ["repo_sync", { repo_id: repo.id }],
    ]);

    await db.repos.updateOne(toKey(repo), { $set: { url: "file:///nowhere/at/all" } });
    const waits: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const failed = await mirrors.sync(repo);
      expect(failed).toMatchObject({ state: "failed", error: "remote_not_found", files: 2 });
      waits.push((failed.next_sync_at.getTime() - clock().getTime()) / 60_000);
    }
    expect(waits).toEqual([60, 120, 240]);
    clock.set(NOON);
  });
});
