import { ObjectId } from "mongodb";
import { setAnalysis } from "#db/repos/repo-analyses.server.ts";
import { removeOrphanedContents } from "#db/repos/repo-contents.server.ts";
import { putCommits, putRenames } from "#db/repos/repo-history.server.ts";
import {
  listManifest,
  putFiles,
  removeFiles,
  removeUnusedTexts,
  repairContents,
} from "#db/repos/repo-manifest.server.ts";
import { NOON } from "#tests/support/store.ts";
import { OWNER, row, type VerbRow } from "../verb-row.ts";
import { LATER } from "./given.ts";

import { givenFilled, MOMENT, PATHS, toRepoText } from "./given-mirror.ts";

const toCommit = (digit: string) => ({
  ...{ commit: digit.repeat(40), author: "Dana", at: LATER, subject: "more", paths: [], touched: 0 },
});

export const MIRROR_VERBS: Record<string, VerbRow> = {
  "repo-manifest/putFiles": row(
    async (db) => {
      const repo = await givenFilled(db);
      return { repo, known: await listManifest(db, repo) };
    },
    (db, { repo, known }) =>
      putFiles(
        db,
        repo,
        [
          toRepoText("src/a.py", "new 1"),
          toRepoText("src/b.py", "new 2"),
          toRepoText("new/e.py"),
          toRepoText("other/f.py"),
        ],
        known,
      ),
  ),
  "repo-manifest/removeFiles": row(givenFilled, (db, repo) =>
    removeFiles(db, repo, ["lib/deep/c.py", "lib/deep/d.py"]),
  ),
  "repo-manifest/removeUnusedTexts": row(
    async (db) => {
      const repo = await givenFilled(db);
      await db.repo_files.deleteMany({ dir: "src" });
      return repo;
    },
    (db, repo) =>
      removeUnusedTexts(
        db,
        repo,
        PATHS.map((path) => toRepoText(path).blob),
      ),
  ),
  "repo-manifest/repairContents": row(async (db) => {
    const repo = await givenFilled(db);
    await Promise.all([
      db.repo_files.deleteMany({ dir: "lib/deep" }),
      db.repo_folders.deleteMany({ path: "src" }),
    ]);
    return repo;
  }, repairContents),
  "repo-history/putRenames": row(givenFilled, (db, repo) =>
    putRenames(
      db,
      repo,
      [
        { from: "p", to: "src/a.py" },
        { from: "q", to: "src/b.py" },
      ],
      ["x.py", "y.py"],
      MOMENT,
    ),
  ),
  "repo-history/putCommits": row(givenFilled, (db, repo) =>
    putCommits(db, repo, ["3", "4", "5", "6"].map(toCommit), { isRewritten: true, keep: 2 }),
  ),
  "repo-contents/removeOrphanedContents": row(
    async (db) => {
      const { _id } = await givenFilled(db);
      await db.repos.deleteOne({ _id });
      return _id;
    },
    (db, id) => removeOrphanedContents(db, id.toHexString()),
  ),
  "repo-analyses/setAnalysis": row(
    async () => new ObjectId(),
    (db, _id) =>
      setAnalysis(db, { _id, user_id: OWNER, head: null, analysed_at: NOON, analysis: {} as never }),
  ),
};
