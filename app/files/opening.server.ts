import type { LoaderFunctionArgs } from "@remix-run/node";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { setOpened } from "#db/files/marks.server.ts";

/** Remembers that a file was opened. A page that is fetched early says so itself when it is shown. */
export async function recordOpening(
  { context }: Pick<LoaderFunctionArgs, "context">,
  file: FileRecord,
): Promise<void> {
  if (context.early) return;
  const { db, clock } = context.services;
  await setOpened(db, file.user_id, file, clock());
}
