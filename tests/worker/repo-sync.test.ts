import { describe, expect, it } from "vitest";
import { findRenamedPath, listCommits, listTree, readRepoFile } from "#db/repos/repo-tree.server.ts";
import { setRepoUrl } from "#db/repos/repo-url.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { searchRepo } from "#db/search/repo-search.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { dataKeys } from "#tests/support/accounts/data-keys.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestStore } from "#tests/support/store.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";

const store = await openTestStore();
const { db, events } = store;
const mirrors = openMirrors(store, { isIsolated: true });
const RULE = { allowLocal: true, dataKeys };

const readText = async (repo: RepoRecord, path: string) => {
  const read = await readRepoFile(db, repo, path);
  return isRefusal(read) ? read.refused : read.text;
};

describe("a mirror", () => {
  itInFullRun(
    "that would take more than all mirrors of its owner may hold together keeps what it has",
    async () => {
      const tight = openMirrors(store, { maxBytesPerPerson: 100 });
      const [first, second] = [createRemote("tight/first"), createRemote("tight/second")];
      first.commit({ "a.txt": "x".repeat(60) });
      second.commit({ "b.txt": "y".repeat(30), "c.bin": Buffer.alloc(9) });
      const repos = [await tight.given("7", { url: first.url }), await tight.given("7", { url: second.url })];
      for (const repo of repos) expect(await tight.sync(repo)).toMatchObject({ state: "ready" });

      second.commit({ "d.txt": "z".repeat(11) });
      expect(await tight.sync(itemAt(repos, 1))).toMatchObject({
        state: "failed",
        error: "mirrors_full",
        files: 2,
      });
      expect(await readText(itemAt(repos, 1), "b.txt")).toBe("y".repeat(30));

      first.commit({ "a.txt": "x".repeat(59) });
      expect(await tight.sync(itemAt(repos, 0))).toMatchObject({ state: "ready" });
      expect(await tight.sync(itemAt(repos, 1))).toMatchObject({ state: "ready", files: 3 });
    },
  );

  itInFullRun(
    "of a remote that is itself a shallow copy has its files and the commits there are",
    async () => {
      const complete = createRemote("shallow/whole");
      complete.commit({ "a.txt": "one\n" });
      const head = complete.commit({ "a.txt": "two\n" });
      const copy = createRemote("shallow/copy");
      copy.git("fetch", "--quiet", "--depth=1", complete.url, "main:refs/heads/trunk");
      copy.git("symbolic-ref", "HEAD", "refs/heads/trunk");
      const repo = await mirrors.given("9", { url: copy.url });

      expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", branch: "trunk", head, files: 1 });
      expect(await readText(repo, "a.txt")).toBe("two\n");
      expect(await listCommits(db, repo, { limit: 5 })).toHaveLength(1);
    },
  );

  itDrawn("another address", 3)(
    "that is pointed to another address has that one's files after the next sync, and no others",
    async () => {
      const [old, other] = [createRemote("moving/old"), createRemote("moving/new")];
      old.commit({ "old.txt": "old\n", "both.txt": "old\n" });
      other.commit({ "new.txt": "new\n", "both.txt": "new\n" });
      const repo = await mirrors.given("11", { url: old.url });
      expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 2 });

      const moved = await setRepoUrl(db, "11", repo.repo_name, { url: other.url }, RULE, store.clock());
      expect(moved).toMatchObject({ url: other.url, repo_name: "moving/old" });
      expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 2 });

      expect(await readText(repo, "both.txt")).toBe("new\n");
      expect(await readText(repo, "old.txt")).toBe("repo_path_not_found");
    },
  );

  it("has the files of the remote's first branch, their folders and texts, after its first sync, and keeps them at the next", async () => {
    const remote = createRemote("dana/tools", "trunk");
    const head = remote.commit({
      "README.md": "# Tools\n",
      "src/deep/a.py": "print('אחת')\n",
      "logo.bin": Buffer.from([0, 1]),
    });
    const repo = await mirrors.given("1", { url: remote.url });
    expect(repo).toMatchObject({ repo_name: "dana/tools", state: "waiting", last_sync_time: null });

    expect(await mirrors.run("repo_sync", { repo_id: repo.id })).toEqual({ outcome: "synced", changed: 3 });

    const synced = required(await mirrors.find(repo));
    expect(synced).toMatchObject({
      state: "ready",
      branch: "trunk",
      head,
      files: 3,
      error: null,
      skipped: 0,
    });
    expect(await listTree(db, synced, "")).toMatchObject({
      folders: ["src"],
      files: [
        { path: "README.md", language: "markdown", kind: "text" },
        { path: "logo.bin", kind: "binary", size: 2 },
      ],
    });
    expect(await listTree(db, synced, "/src/")).toMatchObject({
      path: "src",
      folders: ["src/deep"],
      files: [],
    });
    expect(await readText(synced, "src/deep/a.py")).toBe("print('אחת')\n");
    expect(await readText(synced, "logo.bin")).toBeNull();
    expect(await listCommits(db, synced, { limit: 10 })).toMatchObject([
      { commit: head, author: "Dana", touched: 3 },
    ]);
    expect((await events("codehost_sync")).at(-1)).toMatchObject({
      repo: repo.id,
      count: 3,
      resource: { type: "repo", id: repo.id },
    });
    expect((await events("business_metric")).at(-1)).toMatchObject({ metric: "codehost_sync", value: 3 });
    expect(mirrors.queued.at(-1)).toEqual(["repo_analysis", { repo_id: repo.id }]);
    expect(mirrors.reported.at(-1)).toEqual({ processed_items: 3, total_items: 3 });

    expect(await mirrors.run("repo_sync", { repo_id: repo.id })).toEqual({ outcome: "synced", changed: 0 });
    expect(await mirrors.find(repo)).toMatchObject({ files: 3, state: "ready" });
  });

  it("follows the remote's changes: edits, deletions and moved files, which it remembers", async () => {
    const remote = createRemote("dana/moves");
    const long = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join("");
    remote.commit({
      "old/name.py": long,
      "gone.txt": "gone\n",
      "kept.txt": "kept\n",
      "edited.txt": "before\n",
    });
    const repo = await mirrors.given("1", { url: remote.url });
    await mirrors.sync(repo);
    remote.commit({
      "old/name.py": null,
      "new/name.py": `${long}one more\n`,
      "gone.txt": null,
      "edited.txt": "after the edit\n",
    });

    expect(await mirrors.run("repo_sync", { repo_id: repo.id })).toMatchObject({ changed: 4 });

    const synced = required(await mirrors.find(repo));
    expect(await listTree(db, synced, "")).toMatchObject({
      folders: ["new"],
      files: [{ path: "edited.txt" }, { path: "kept.txt" }],
    });
    expect(await readText(synced, "gone.txt")).toBe("repo_path_not_found");
    expect(await readText(synced, "edited.txt")).toBe("after the edit\n");
    expect(await findRenamedPath(db, synced, "old/name.py")).toBe("new/name.py");
    expect(await findRenamedPath(db, synced, "gone.txt")).toBeNull();
    expect(await db.repo_texts.countDocuments({ text: "gone\n" })).toBe(0);
    expect((await searchRepo(db, synced, { q: "before", limit: 5 })).hits).toEqual([]);
    expect((await searchRepo(db, synced, { q: "AFTER the", limit: 5 })).hits).toMatchObject([
      { file: { path: "edited.txt" }, line: { number: 1 } },
    ]);
    expect(await listCommits(db, synced, { path: "edited.txt", limit: 5 })).toHaveLength(2);
  });
});
