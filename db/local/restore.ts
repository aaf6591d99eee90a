/** `npm run restore -- <file>`: restores a backup into an empty DATA_DIR and prints its contents. */

import { BackupError } from "#db/backups/backup-error.ts";
import { resolveInvocationPath, runCommand } from "#db/local/processes/run-command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { restoreData } from "./restore-data.ts";

await runCommand(async () => {
  const [file] = process.argv.slice(2);
  if (!file) throw new BackupError("Say from where: npm run restore -- ../codeshelf.tar.zst");
  const directory = resolveDataDirectory(process.env);
  const { manifest, counts } = await restoreData(resolveInvocationPath(file), directory);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const [name, count] of counts) console.log(`${String(count).padStart(9)} ${name}`);
  console.log(
    `${total} documents of ${manifest.created_at} (release ${manifest.release}) are in ${directory}.`,
  );
});
