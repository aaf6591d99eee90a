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
  readManifest,
} from "./manifest.ts";

const UNFINISHED = "restore-unfinished";
const MANIFEST_MAX_BYTES = 64 * 1024;

/** Reads an archive from its beginning to its end and changes nothing. */
export async function checkBackup(file: string): Promise<BackupManifest> {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  let manifest: BackupManifest | null = null;
  const names = new Set<string>();
  await readArchive(file, async (name, size, bytes) => {
    if (!isKnownEntry(name) || names.has(name))
      throw new BackupError(`The backup is damaged: it holds ${name}.`);
    names.add(name);
    if (name === MANIFEST_ENTRY && size <= MANIFEST_MAX_BYTES) manifest = readManifest(await readText(bytes));
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

/** Throws where a data directory holds documents or keys. What a restore that was cut off left there does not count. */
export async function refuseUsedDirectory(dataDirectory: string): Promise<void> {
  const hasDocuments = existsSync(join(dataDirectory, DOCUMENTS_ENTRY));
  const secrets = join(dataDirectory, "secrets");
  const wasCutOff = existsSync(join(dataDirectory, UNFINISHED));
  const hasKeys = !wasCutOff && existsSync(secrets) && (await readdir(secrets)).length > 0;
  if (hasDocuments || hasKeys)
    throw new BackupError(
      `${dataDirectory} is in use: restore into an empty DATA_DIR, or move this one away first.`,
    );
}

/**
 * Puts what a checked archive holds into a data directory that `refuseUsedDirectory` found empty. `inspect` sees the documents before
 * they have their place. The documents come last: a restore that is cut off is begun again.
 */
export async function restoreBackup<Found>(
  file: string,
  dataDirectory: string,
  inspect: (engineDirectory: string) => Promise<Found>,
): Promise<Found> {
  const unfinished = join(dataDirectory, UNFINISHED);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await readArchive(file, async (name, _, bytes) => {
    const target = join(unfinished, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(bytes, createWriteStream(target, { mode: 0o600, flush: true }));
  });
  const found = await inspect(join(unfinished, "engine"));
  for (const part of ["secrets", "engine"]) {
    if (!existsSync(join(unfinished, part))) continue;
    await rm(join(dataDirectory, part), { recursive: true, force: true });
    await rename(join(unfinished, part), join(dataDirectory, part));
  }
  await rm(unfinished, { recursive: true, force: true });
  return found;
}
