import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { COVERED } from "#db/core/driver/write-concern.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { VersionDoc } from "#db/files/documents.ts";

export const bodyKey = (fileId: ObjectId, version: number) => `${fileId.toHexString()}:${version}`;

/** Another save had the same number, because an election lost the write that took it. */
export const NUMBER_TAKEN = Symbol("number taken");

/**
 * Writes the text, then the record that names it, and then calls `publish`, which shows the version: a visible version can
 * always be read. Only `publish` waits for the majority, because replication keeps the order of one primary's writes. A new
 * primary may lack earlier writes, so after an election the text and the record are written again.
 */
export async function publishVersion<Published>(
  db: Db,
  version: VersionDoc,
  body: string,
  publish: () => Promise<Published>,
): Promise<Published | typeof NUMBER_TAKEN> {
  const text = { _id: bodyKey(version.file_id, version.version), user_id: version.user_id, body };
  const changesBefore = db.primary.changes();
  const options = db.primary.keepsOrder() ? COVERED : {};
  if (!(await skipDuplicate(db.file_bodies.insertOne(text, options)))) return NUMBER_TAKEN;
  await db.file_versions.insertOne(version, options);
  const published = await publish();
  if (db.primary.changes() !== changesBefore) {
    await skipDuplicate(db.file_bodies.insertOne(text));
    await skipDuplicate(db.file_versions.insertOne(version));
  }
  return published;
}

export async function removeVersion(db: Db, fileId: ObjectId, version: number): Promise<void> {
  await db.file_versions.deleteOne({ file_id: fileId, version }, COVERED);
  await db.file_bodies.deleteOne({ _id: bodyKey(fileId, version) }, COVERED);
}

/** A version is shown with the language and the name that its file had while it was the newest. */
export async function updateVersion(
  db: Db,
  fileId: ObjectId,
  version: number,
  columns: Partial<Pick<VersionDoc, "language" | "file_name">>,
): Promise<void> {
  await db.file_versions.updateOne({ file_id: fileId, version }, { $set: columns });
}

export async function findBody(
  db: Db,
  ownerId: string,
  fileId: ObjectId,
  version: number,
): Promise<string | null> {
  // The same driver wrote the text, so checking each of its characters again is useless.
  const unchecked = { enableUtf8Validation: false };
  const doc = await db.file_bodies.findOne({ _id: bodyKey(fileId, version), user_id: ownerId }, unchecked);
  return doc?.body ?? null;
}

/**
 * The key of a cached text. Current texts are cached, because they are read more often than older ones. A version number can be
 * used twice if a version was lost with its server, so the time distinguishes texts, too.
 */
const memoryKey = (ownerId: string, { id, version, updated_at }: Versioned) =>
  `${ownerId} ${id}:${version} ${updated_at.getTime()}`;

export async function findBodyCached(db: Db, ownerId: string, file: Versioned): Promise<string | null> {
  const key = memoryKey(ownerId, file);
  const cachedBody = db.texts?.recall(key);
  if (cachedBody !== undefined) return cachedBody;
  const body = await findBody(db, ownerId, new ObjectId(file.id), file.version);
  if (body !== null) db.texts?.keep(key, body);
  return body;
}

export async function findBodiesCached(
  db: Db,
  ownerId: string,
  files: readonly Versioned[],
): Promise<(string | null)[]> {
  const bodies = files.map((file) => db.texts?.recall(memoryKey(ownerId, file)) ?? null);
  const unread = files.map((file, i) => ({ file, i })).filter(({ i }) => bodies[i] === null);
  if (unread.length === 0) return bodies;
  const ids = unread.map(({ file: { id, version } }) => ({ _id: new ObjectId(id), version }));
  const storedBodies = await findBodies(db, ownerId, ids);
  for (const [index, { file, i }] of unread.entries()) {
    const body = storedBodies[index] ?? null;
    bodies[i] = body;
    if (body !== null) db.texts?.keep(memoryKey(ownerId, file), body);
  }
  return bodies;
}

/** Like `findBodiesCached`, but from the store instead of the cache. */
export async function findBodies(
  db: Db,
  ownerId: string,
  files: readonly { _id: ObjectId; version: number }[],
): Promise<(string | null)[]> {
  const keys = files.map(({ _id, version }) => bodyKey(_id, version));
  const docs = await db.file_bodies.find({ _id: { $in: keys }, user_id: ownerId }).toArray();
  const bodies = new Map(docs.map(({ _id, body }) => [_id, body]));
  return keys.map((key) => bodies.get(key) ?? null);
}

/** Returns the first characters of the text of each file. The rest of a long text is not transferred. */
export async function findBodyStarts(
  db: Db,
  ownerId: string,
  files: readonly { id: string; version: number }[],
  characters: number,
): Promise<string[]> {
  const keys = files.map(({ id, version }) => bodyKey(new ObjectId(id), version));
  const docs = await db.file_bodies
    .find({ _id: { $in: keys }, user_id: ownerId })
    .project<{ _id: string; start: string }>({ start: { $substrCP: ["$body", 0, characters] } })
    .toArray();
  const starts = new Map(docs.map(({ _id, start }) => [_id, start]));
  return keys.map((key) => starts.get(key) ?? "");
}

type VersionRecord = Omit<VersionDoc, "_id" | "file_id"> & { file_id: string };
type Versioned = { id: string; version: number; updated_at: Date };

/** Finds a version of a file, no newer than the current one. */
export async function findVersion(
  db: Db,
  ownerId: string,
  file: Versioned,
  version: number,
): Promise<VersionRecord | null> {
  if (version > file.version) return null;
  const doc = await db.file_versions.findOne({ file_id: new ObjectId(file.id), version, user_id: ownerId });
  return doc && toVersion(doc);
}

export async function readVersionBody(
  db: Db,
  ownerId: string,
  file: Versioned,
  version: number,
): Promise<string | null> {
  if (version > file.version) return null;
  return version === file.version
    ? findBodyCached(db, ownerId, file)
    : findBody(db, ownerId, new ObjectId(file.id), version);
}

type VersionPage = { versions: VersionRecord[]; more: boolean };

export async function listVersions(
  db: Db,
  ownerId: string,
  file: Versioned,
  { before = file.version + 1, limit }: { before?: number; limit: number },
): Promise<VersionPage> {
  const docs = await db.file_versions
    .find({
      file_id: new ObjectId(file.id),
      version: { $lt: Math.min(before, file.version + 1) },
      user_id: ownerId,
    })
    .sort({ version: -1 })
    .limit(limit + 1)
    .toArray();
  return { versions: docs.slice(0, limit).map(toVersion), more: docs.length > limit };
}

function toVersion({ _id: _, file_id, ...version }: VersionDoc): VersionRecord {
  return { file_id: file_id.toHexString(), ...version };
}
