/**
 * `npm run backup -- <file>`: writes the embedded documents of DATA_DIR and its stored keys into one file. The product may be
 * running; if it is not, the engine is started for the duration.
 */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { BackupError } from "#db/backups/backup-error.ts";
import { createBackup } from "#db/backups/create-backup.ts";
import { resolveInvocationPath, runCommand, toMegabytes } from "#db/local/processes/run-command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { openStore } from "./open-store.ts";

await runCommand(async () => {
  const [target] = process.argv.slice(2);
  if (!target) throw new BackupError("Say where to: npm run backup -- ../codeshelf.tar.zst");
  if (process.env.MONGODB_URI)
    throw new BackupError(
      "MONGODB_URI is set: back that server up with its own tools, such as mongodump. This command is for the embedded documents.",
    );
  const file = resolveInvocationPath(target);
  const store = await openStore();
  try {
    const { bytes } = await createBackup({
      uri: store.uri,
      dataDirectory: resolveDataDirectory(process.env),
      file: resolve(file),
      now: new Date(),
    });
    console.log(
      `${file}: ${toMegabytes((await stat(file)).size)} MB, of ${toMegabytes(bytes)} MB of documents.`,
    );
  } finally {
    await store.close();
  }
});
