import type { LoaderFunctionArgs } from "@remix-run/node";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { setOpened } from "#db/files/marks.server.ts";

/** Records that a file was opened. A prefetched page reports it itself when it is shown. */
export async function recordOpening(
  { context }: Pick<LoaderFunctionArgs, "context">,
  file: FileRecord,
): Promise<void> {
  if (context.early) return;
  const { db, clock } = context.services;
  await setOpened(db, file.user_id, file, clock());
}
