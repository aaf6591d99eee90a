import { countDocumentsByCollection } from "#db/backups/collection-sizes.ts";
import type { BackupManifest } from "#db/backups/manifest.ts";
import { checkBackup, refuseUsedDirectory, restoreBackup } from "#db/backups/restore-backup.ts";
import { lockDataDirectory } from "./data-directory.ts";
import { startEngine } from "./engine.ts";

type Restored = { manifest: BackupManifest; counts: Map<string, number> };

/** Restores a backup into an empty data directory. The whole file is checked before the directory is changed. */
export async function restoreData(file: string, directory: string): Promise<Restored> {
  const manifest = await checkBackup(file);
  await refuseUsedDirectory(directory);
  const lock = lockDataDirectory(directory);
  try {
    await refuseUsedDirectory(directory);
    return { manifest, counts: await restoreBackup(file, directory, countRestoredDocuments) };
  } finally {
    lock.release();
  }
}

/** Opens the data once with the engine itself, so that unreadable data is never put into use. */
async function countRestoredDocuments(directory: string): Promise<Map<string, number>> {
  const engine = await startEngine({ directory, log: console.error });
  try {
    return await countDocumentsByCollection(engine.uri);
  } finally {
    await engine.stop();
  }
}
