/**
 * `npm run restore -- <file>`: puts a backup into an empty DATA_DIR and says what it holds.
 */

import { BackupError } from "#db/backups/backup-error.ts";
import { fromInvocation, runCommand } from "#db/local/processes/run-command.ts";
import { dataDirectoryFrom } from "./data-directory.ts";
import { restoreData } from "./restore-data.ts";

await runCommand(async () => {
  const [given] = process.argv.slice(2);
  if (!given) throw new BackupError("Say from where: npm run restore -- ../codeshelf.tar.zst");
  const directory = dataDirectoryFrom(process.env);
  const { manifest, counts } = await restoreData(fromInvocation(given), directory);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const [name, count] of counts) console.log(`${String(count).padStart(9)} ${name}`);
  console.log(
    `${total} documents of ${manifest.created_at} (release ${manifest.release}) are in ${directory}.`,
  );
});
