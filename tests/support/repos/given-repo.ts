/** Mirrors as a sync leaves them in the store, without a sync. */

import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { putRenames, type Rename } from "#db/repos/repo-history.server.ts";
import { listManifest, putFiles, removeFiles } from "#db/repos/repo-manifest.server.ts";
import { createRepo, type RepoRecord } from "#db/repos/repos.server.ts";
import { detectLanguage } from "#domain/files/language.ts";
import { baseName } from "#domain/repos/repo.ts";
import { dataKeys } from "#tests/support/accounts/data-keys.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

type Texts = Record<string, string>;

export async function givenUnsyncedRepo(db: Db, ownerId: string, name: string): Promise<RepoRecord> {
  const wish = { url: `file:///srv/git/${name}.git`, name };
  const repo = orThrow(await createRepo(db, ownerId, wish, { allowLocal: true, dataKeys }, NOON));
  return repo;
}

export async function givenRepo(db: Db, ownerId: string, name: string, texts: Texts): Promise<RepoRecord> {
  const repo = await givenUnsyncedRepo(db, ownerId, name);
  await givenSync(db, repo, { put: texts });
  return { ...repo, last_sync_time: NOON, state: "ready" };
}

type Sync = { put?: Texts; drop?: string[]; renames?: Rename[]; at?: Date };

export async function givenSync(
  db: Db,
  repo: RepoRecord,
  { put = {}, drop = [], renames = [], at = NOON }: Sync,
) {
  const mirror = { _id: new ObjectId(repo.id), user_id: repo.user_id };
  const files = Object.entries(put).map(([path, text]) => ({
    path,
    text,
    blob: createHash("sha1").update(text).digest("hex"),
    size: Buffer.byteLength(text),
    language: detectLanguage(baseName(path), text),
    kind: "text" as const,
  }));
  await putFiles(db, mirror, files, await listManifest(db, mirror));
  await removeFiles(db, mirror, drop);
  await putRenames(db, mirror, renames, [], { commit: "c".repeat(40), at });
  const fileCount = (await listManifest(db, mirror)).size;
  await db.repos.updateOne(
    { _id: mirror._id },
    { $set: { last_sync_time: at, head: "c".repeat(40), files: fileCount } },
  );
}
