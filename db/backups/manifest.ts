import { readFile } from "node:fs/promises";
import { z } from "zod";
import { DATA_VERSION } from "#db/core/installation/data-version.ts";
import { parseJsonOrNull } from "#domain/parse-json.ts";
import { BackupError } from "./backup-error.ts";

/** The first entry of an archive. */
const manifestSchema = z.object({
  format: z.number().int().min(1),
  release: z.string(),
  data_version: z.number().int().min(0),
  created_at: z.string(),
});
export type BackupManifest = z.output<typeof manifestSchema>;

/** The format that this release writes and reads. */
export const BACKUP_FORMAT = 1;
export const MANIFEST_ENTRY = "manifest.json";
export const DOCUMENTS_ENTRY = "engine/engine.sqlite";
const KEY_ENTRY = /^secrets\/([a-z0-9-]+)$/;

export const isKeptKey = (name: string): boolean => KEY_ENTRY.test(`secrets/${name}`);

/** Only these entries are extracted, so no name leads out of the data directory. */
export const isKnownEntry = (name: string): boolean =>
  name === MANIFEST_ENTRY || name === DOCUMENTS_ENTRY || KEY_ENTRY.test(name);

export async function readReleaseVersion(): Promise<string> {
  const packageFile = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(packageFile)).version;
}

/** Refuses archives of newer releases. */
export function parseManifest(text: string): BackupManifest {
  const parsed = manifestSchema.safeParse(parseJsonOrNull(text));
  if (!parsed.success) throw new BackupError("The backup is damaged: it does not say what it holds.");
  const { format, release, data_version } = parsed.data;
  if (format > BACKUP_FORMAT || data_version > DATA_VERSION)
    throw new BackupError(
      `The backup was made by a newer release (${release}, version ${data_version} of the data; this one reads up to ${DATA_VERSION}): restore it with that release.`,
    );
  return parsed.data;
}
