import { redirect } from "@remix-run/node";
import { orRefuse, SEE_OTHER } from "#app/http/answers/replies.server.ts";
import type { Db } from "#db/client.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { findFilesByRelativePath } from "#db/folders/folder-files.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Leads `?beside=lib/util.py` to that file of the folder, as an error of a run names it. The browser keeps the line of the address. */
export async function goToFileBeside(db: Db, url: string, { user_id, folder_id }: FileRecord): Promise<void> {
  const path = new URL(url).searchParams.get("beside");
  if (path === null) return;
  const found = await findFilesByRelativePath(db, user_id, folder_id, [path]);
  const { id } = orRefuse(found.get(path), Refusal("file_not_found", { path }));
  throw redirect(`/file/${id}`, SEE_OTHER);
}
