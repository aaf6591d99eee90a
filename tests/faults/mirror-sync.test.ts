import { ObjectId } from "mongodb";
import { expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestStore } from "#tests/support/store.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";
import { makeHalting } from "./halting.ts";

const store = await openTestStore();
const { db } = store;
const mirrors = openMirrors(store);
const halting = makeHalting(db);
const HALTS_DRAWN = 1;

/** The stored state of a mirror without what is random. */
async function describeMirror(repoId: string) {
  const its = { repo_id: new ObjectId(repoId) };
  const list = async (documents: Promise<object[]>, field: string) =>
    (await documents)
      .map((doc) => String((doc as Record<string, unknown>)[field]).replace(repoId, ""))
      .sort();
  return {
    files: await list(db.repo_files.find(its).toArray(), "path"),
    folders: await list(db.repo_folders.find(its).toArray(), "path"),
    texts: await list(db.repo_texts.find(its).toArray(), "_id"),
    moved: await list(db.repo_renames.find(its).toArray(), "from"),
    commits: await list(db.repo_commits.find(its).toArray(), "commit"),
    is_pending: (await db.repos.findOne({ _id: its.repo_id }))?.pending_head !== undefined,
  };
}

/** Long enough that a rename is recognised. */
const text = (name: string) => `${`print("${name}")\n`.repeat(20)}`;

it("a sync that stops in the middle of any of its writes is finished by the next one", async () => {
  const remote = createRemote("dana/halted");
  remote.commit({
    ...{ "old/a.py": text("a"), "old/b.py": text("b"), "src/c.py": text("c"), "src/d.py": text("d") },
    ...{ "src/e.py": text("e"), "src/f.py": text("f") },
  });
  // A sync has fewer writes of many than there are mirrors: each mirror is stopped at another one.
  const [first, ...others] = await Promise.all(
    Array.from({ length: 1 + (isFullRun ? 13 : HALTS_DRAWN) }, (_, i) =>
      mirrors.given(String(i + 1), { url: remote.url }),
    ),
  );
  const undisturbed = required(first);
  for (const repo of [undisturbed, ...others])
    expect(await mirrors.sync(repo)).toMatchObject({ state: "ready", files: 6 });
  remote.git("mv", "src/e.py", "src/moved-e.py");
  remote.git("mv", "src/f.py", "src/moved-f.py");
  remote.git("rm", "-q", "old/a.py", "old/b.py");
  remote.commit({
    ...{ "src/c.py": text("c2"), "src/d.py": text("d2"), "new/g.py": text("g"), "new/deep/h.py": text("h") },
  });
  const { sizes } = await halting.during(0, async () => {
    await mirrors.run("repo_sync", { repo_id: undisturbed.id }, { db: halting.db });
  });
  const wanted = await describeMirror(undisturbed.id);
  expect(wanted).toMatchObject({ folders: ["new", "new/deep", "src"], is_pending: false });
  const haltable = sizes.flatMap((size, i) => (size < 2 ? [] : [i + 1]));
  const halts = drawCases("writes of a sync", haltable, HALTS_DRAWN);
  expect(halts.length).toBeLessThanOrEqual(others.length);

  for (const [i, nth] of halts.entries()) {
    const repo = itemAt(others, i);
    const { halt } = await halting.during(nth, async () => {
      await mirrors.run("repo_sync", { repo_id: repo.id }, { db: halting.db }).catch(() => {});
    });
    expect(halt, `call ${nth}`).not.toBeNull();
    await db.repos.updateOne({ _id: new ObjectId(repo.id) }, { $unset: { lease: "" } });
    await mirrors.sync(repo);

    expect(await describeMirror(repo.id), required(halt).stack).toEqual(wanted);
  }
}, 120_000);
