import { redirect } from "@remix-run/node";
import { requireValue, SEE_OTHER } from "#app/web/answers/replies.server.ts";
import type { Db } from "#db/client.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { findFilesByRelativePath } from "#db/files/folders/folder-files.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Redirects `?beside=lib/util.py`, as an error of a run names a file, to that file. The browser keeps the line in the hash. */
export async function redirectToFileBeside(
  db: Db,
  url: string,
  { user_id, folder_id }: FileRecord,
): Promise<void> {
  const path = new URL(url).searchParams.get("beside");
  if (path === null) return;
  const filesByPath = await findFilesByRelativePath(db, user_id, folder_id, [path]);
  const { id } = requireValue(filesByPath.get(path), Refusal("file_not_found", { path }));
  throw redirect(`/file/${id}`, SEE_OTHER);
}
