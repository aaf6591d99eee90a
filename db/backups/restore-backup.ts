import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readArchive } from "./archive-reader.ts";
import { BackupError } from "./backup-error.ts";
import {
  type BackupManifest,
  DOCUMENTS_ENTRY,
  isKnownEntry,
  MANIFEST_ENTRY,
  parseManifest,
} from "./manifest.ts";

const UNFINISHED = "restore-unfinished";
const MANIFEST_MAX_BYTES = 64 * 1024;

/** Reads a complete archive without changing anything. */
export async function checkBackup(file: string): Promise<BackupManifest> {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  let manifest: BackupManifest | null = null;
  const names = new Set<string>();
  await readArchive(file, async (name, size, bytes) => {
    if (!isKnownEntry(name) || names.has(name))
      throw new BackupError(`The backup is damaged: it holds ${name}.`);
    names.add(name);
    if (name === MANIFEST_ENTRY && size <= MANIFEST_MAX_BYTES)
      manifest = parseManifest(await readText(bytes));
    else for await (const _ of bytes);
    if (!manifest) throw new BackupError("The backup is damaged: it does not begin with what it holds.");
  });
  if (!manifest || !names.has(DOCUMENTS_ENTRY))
    throw new BackupError("The backup is damaged: it has no documents.");
  return manifest;
}

async function readText(bytes: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Throws if a data directory has documents or keys. Files of an interrupted restore do not count. */
export async function refuseUsedDirectory(dataDirectory: string): Promise<void> {
  const hasDocuments = existsSync(join(dataDirectory, DOCUMENTS_ENTRY));
  const secrets = join(dataDirectory, "secrets");
  const isUnfinished = existsSync(join(dataDirectory, UNFINISHED));
  const hasKeys = !isUnfinished && existsSync(secrets) && (await readdir(secrets)).length > 0;
  if (hasDocuments || hasKeys)
    throw new BackupError(
      `${dataDirectory} is in use: restore into an empty DATA_DIR, or move this one away first.`,
    );
}

/**
 * Extracts a checked archive into a data directory that `refuseUsedDirectory` accepted. `inspect` checks the documents before
 * they are moved into place. The documents are moved last, so an interrupted restore can be repeated.
 */
export async function restoreBackup<Result>(
  file: string,
  dataDirectory: string,
  inspect: (engineDirectory: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = join(dataDirectory, UNFINISHED);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await readArchive(file, async (name, _, bytes) => {
    const target = join(unfinished, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(bytes, createWriteStream(target, { mode: 0o600, flush: true }));
  });
  const result = await inspect(join(unfinished, "engine"));
  for (const folder of ["secrets", "engine"]) {
    if (!existsSync(join(unfinished, folder))) continue;
    await rm(join(dataDirectory, folder), { recursive: true, force: true });
    await rename(join(unfinished, folder), join(dataDirectory, folder));
  }
  await rm(unfinished, { recursive: true, force: true });
  return result;
}
