import { listAbandonedImports, setImportQueued } from "#db/library-import-work.server.ts";
import type { Bench } from "#worker/handlers.ts";
import { livingWorkers } from "#worker/mirror/abandoned.ts";

const TAKEN_AT_ONCE = 100;

/**
 * Queues each import again that ended with its worker. It is let go last: a worker that dies before leaves it to the next look,
 * and of two that were queued the second finds the other at work.
 */
export async function takeOverImports(bench: Bench): Promise<number> {
  const { db, clock, requeue } = bench;
  if (!requeue) return 0;
  const abandoned = await listAbandonedImports(db, await livingWorkers(bench), clock(), TAKEN_AT_ONCE);
  for (const imported of abandoned) {
    const { user_id, import_id } = imported;
    await requeue("library_import", "scheduled", { user_id, import_id });
    await setImportQueued(db, imported, clock());
  }
  return abandoned.length;
}
