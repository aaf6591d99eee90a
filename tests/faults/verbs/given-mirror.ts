/** Mirrors and their records, stored by as few writes as possible. */

import { Binary, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import { required } from "#domain/required.ts";
import { NOON } from "#tests/support/store.ts";
import { OWNER } from "../verb-row.ts";
import { sha1 } from "./given.ts";

export const REPO_URL = "file:///srv/git/dana/tools.git";
export const MOMENT = { commit: "c".repeat(40), at: NOON };

export async function givenRepo(db: Db, more: Partial<RepoDoc> = {}): Promise<RepoDoc> {
  const _id = new ObjectId();
  const doc: RepoDoc = {
    ...{ _id, user_id: OWNER, slot: 0, repo_name: "dana/tools", named: "dana/tools", url: REPO_URL },
    ...{ url_key: "k", sealed_token: null, branch: "main", head: null, files: 2, bytes: 9, skipped: 0 },
    ...{
      created_at: NOON,
      last_sync_time: NOON,
      error: null,
      failures: 0,
      next_sync_at: NOON,
      wanted_at: NOON,
    },
    ...{ sync_run_id: null, import_run_id: null, analysis_run_id: null },
    ...more,
  };
  await db.repos.insertOne(doc);
  return doc;
}

export const toRepoText = (path: string, text = `print("${path}")\n`) => ({
  ...{ path, text, blob: sha1(text), size: text.length, language: "python", kind: "text" as const },
});
export const PATHS = ["src/a.py", "src/b.py", "lib/deep/c.py", "lib/deep/d.py"];

/** A mirror with two or more records of every kind. */
export async function givenFilled(db: Db, more: Partial<RepoDoc> = {}): Promise<RepoDoc> {
  const repo = await givenRepo(db, more);
  const { _id: repo_id } = repo;
  const its = { repo_id, user_id: OWNER };
  const owner = indexOwner(repo_id);
  const id = () => new ObjectId();
  const rows = PATHS.map((path) => ({ path, row: toRepoText(path) }));
  await Promise.all([
    db.repo_files.insertMany(
      rows.map(({ path, row: { text: _, ...file } }, n) => ({
        _id: id(),
        ...its,
        dir: path.replace(/\/[^/]+$/, ""),
        ...file,
        n: 900 + n,
      })),
    ),
    db.repo_folders.insertMany(
      [
        ["src", ""],
        ["lib", ""],
        ["lib/deep", "lib"],
      ].map(([path, dir]) => ({ _id: id(), ...its, path: required(path), dir: required(dir) })),
    ),
    db.repo_texts.insertMany(
      rows.map(({ row: { blob, text } }) => ({ _id: `${repo_id.toHexString()}:${blob}`, ...its, text })),
    ),
    db.repo_renames.insertMany(
      ["x.py", "y.py"].map((from) => ({ _id: id(), ...its, from, to: "src/a.py", ...MOMENT })),
    ),
    db.repo_commits.insertMany(
      ["1", "2"].map((n) => ({
        ...{
          _id: `${repo_id.toHexString()}:${n.repeat(40)}`,
          ...its,
          commit: n.repeat(40),
          author: "Dana",
          at: NOON,
        },
        ...{ subject: "one", paths: [], touched: 0 },
      })),
    ),
    db.search_segments.insertMany(
      ["a", "b"].map((name) => ({
        _id: `${owner}:${name}`,
        first: 1,
        last: 1,
        files: 1,
        starts: new Binary(),
      })),
    ),
    db.search_chunks.insertMany(
      ["a", "b"].map((name) => ({ _id: `${owner}:${name}:0`, data: new Binary() })),
    ),
  ]);
  return repo;
}
