import { ObjectId } from "mongodb";
import { expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestStore } from "#tests/support/store.ts";
import { makeHalting } from "./halting.ts";

const store = await openTestStore();
const { db } = store;
const mirrors = openMirrors(store);
const halting = makeHalting(db);

/** Of everything that is kept of a mirror what tells it from another. */
async function describeMirror(repoId: string) {
  const its = { repo_id: new ObjectId(repoId) };
  const list = async (found: Promise<object[]>, field: string) =>
    (await found).map((doc) => String((doc as Record<string, unknown>)[field]).replace(repoId, "")).sort();
  return {
    files: await list(db.repo_files.find(its).toArray(), "path"),
    folders: await list(db.repo_folders.find(its).toArray(), "path"),
    texts: await list(db.repo_texts.find(its).toArray(), "_id"),
    moved: await list(db.repo_renames.find(its).toArray(), "from"),
    commits: await list(db.repo_commits.find(its).toArray(), "commit"),
    is_pending: (await db.repos.findOne({ _id: its.repo_id }))?.pending_head !== undefined,
  };
}

/** Long enough that it is known again where it goes. */
const text = (name: string) => `${`print("${name}")\n`.repeat(20)}`;

it("a sync that stops in the middle of any of its writes is finished by the next one", async () => {
  const remote = createRemote("dana/halted");
  remote.commit({
    ...{ "old/a.py": text("a"), "old/b.py": text("b"), "src/c.py": text("c"), "src/d.py": text("d") },
    ...{ "src/e.py": text("e"), "src/f.py": text("f") },
  });
  // More mirrors than a sync has writes of many: each is stopped at another one.
  const repos = await Promise.all(
    Array.from({ length: 14 }, (_, i) => mirrors.given(String(i + 1), { url: remote.url })),
  );
  for (const repo of repos) expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 6 });
  remote.git("mv", "src/e.py", "src/moved-e.py");
  remote.git("mv", "src/f.py", "src/moved-f.py");
  remote.git("rm", "-q", "old/a.py", "old/b.py");
  remote.commit({
    ...{ "src/c.py": text("c2"), "src/d.py": text("d2"), "new/g.py": text("g"), "new/deep/h.py": text("h") },
  });
  const undisturbed = await halting.during(0, async () => {
    await mirrors.run("repo_sync", { repo_id: itemAt(repos, 0).id }, { db: halting.db });
  });
  const wanted = await describeMirror(itemAt(repos, 0).id);
  expect(wanted).toMatchObject({ folders: ["new", "new/deep", "src"], is_pending: false });
  expect(undisturbed.sizes.length).toBeLessThan(repos.length);

  for (const [i, size] of undisturbed.sizes.entries()) {
    if (size < 2) continue;
    const repo = itemAt(repos, i + 1);
    const { halt } = await halting.during(i + 1, async () => {
      await mirrors.run("repo_sync", { repo_id: repo.id }, { db: halting.db }).catch(() => {});
    });
    expect(halt, `call ${i + 1}`).not.toBeNull();
    await db.repos.updateOne({ _id: new ObjectId(repo.id) }, { $unset: { lease: "" } });
    await mirrors.sync(repo);

    expect(await describeMirror(repo.id), required(halt).stack).toEqual(wanted);
  }
}, 120_000);
