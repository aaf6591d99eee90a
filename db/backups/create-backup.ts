import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Connection, connectMongo } from "#db/client.ts";
import { readDataVersion } from "#db/core/installation/data-version.ts";
import { takeLock } from "#platform/install/process-lock.mjs";
import { type ArchiveEntry, writeArchive } from "./archive-writer.ts";
import { BackupError, toBackupError } from "./backup-error.ts";
import {
  BACKUP_FORMAT,
  type BackupManifest,
  DOCUMENTS_ENTRY,
  isKeptKey,
  MANIFEST_ENTRY,
  readReleaseVersion,
} from "./manifest.ts";

type BackupOptions = {
  uri: string;
  dataDirectory: string;
  file: string;
  now: Date;
  signal?: AbortSignal;
  /** Gets the bytes of documents written and their total. */
  onProgress?: (done: number, total: number) => void;
};

/**
 * Writes a snapshot of the embedded engine's documents and the generated keys into an archive, while people continue to save.
 * Only one backup of a data directory runs at a time.
 */
export async function createBackup(options: BackupOptions): Promise<{ bytes: number }> {
  const { uri, dataDirectory, file } = options;
  if (existsSync(file)) throw new BackupError(`${file} exists already: give the backup a name of its own.`);
  await mkdir(join(dataDirectory, "engine"), { recursive: true, mode: 0o700 });
  const lock = takeLock(join(dataDirectory, "engine", "backup-lock"));
  if (lock.owner) throw new BackupError(`Process ${lock.owner.pid} is making a backup already.`);
  const mongo = await connectMongo(uri, { appName: "codeshelf-backup" });
  try {
    return await archiveSnapshot(mongo, options);
  } catch (error) {
    throw toBackupError(error, file);
  } finally {
    await mongo.close();
    lock.release();
  }
}

async function archiveSnapshot(
  mongo: Connection,
  { dataDirectory, file, now, signal, onProgress }: BackupOptions,
): Promise<{ bytes: number }> {
  const manifest: BackupManifest = {
    format: BACKUP_FORMAT,
    release: await readReleaseVersion(),
    data_version: await readDataVersion(mongo.collections),
    created_at: now.toISOString(),
  };
  const snapshot = await mongo.adminCommand({ codeshelfSnapshot: 1 });
  const total = Number(snapshot.bytes);
  let doneBytes = 0;
  const entries = [
    toTextEntry(MANIFEST_ENTRY, `${JSON.stringify(manifest, null, 2)}\n`),
    ...(await listSecretEntries(dataDirectory)),
    {
      name: DOCUMENTS_ENTRY,
      size: total,
      read: () => createReadStream(snapshot.file, { highWaterMark: 1024 * 1024 }),
    },
  ];
  const onBytes = (bytes: number) => {
    doneBytes = Math.min(doneBytes + bytes, total);
    onProgress?.(doneBytes, total);
  };
  try {
    await writeArchive(file, entries, { moment: now, signal, onBytes });
  } finally {
    await rm(snapshot.file, { force: true });
  }
  return { bytes: total };
}

function toTextEntry(name: string, text: string | Buffer): ArchiveEntry {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, read: () => [bytes] };
}

/** Lists the generated secrets of this installation. Secrets given as variables are not part of a backup. */
async function listSecretEntries(dataDirectory: string): Promise<ArchiveEntry[]> {
  const directory = join(dataDirectory, "secrets");
  const names = existsSync(directory) ? (await readdir(directory)).filter(isKeptKey).sort() : [];
  return Promise.all(
    names.map(async (name) => toTextEntry(`secrets/${name}`, await readFile(join(directory, name)))),
  );
}
