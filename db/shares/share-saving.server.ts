import type { Db } from "#db/client.ts";
import { type SavedFile, saveFile } from "#db/files/files.server.ts";
import { updateIfTextUnchanged } from "#db/files/unchanged-text.server.ts";
import { checkLibraryRoom } from "#db/files/usage/library-usage.server.ts";
import { readSharedText, type Share, type SharedFile } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkMarkdownName, fencedBlock, toMarkdownName } from "#domain/shares/share.ts";
import { utf8Bytes } from "#domain/text/text.ts";

type SaveOptions = {
  /** The share's own name by default. */
  fileName?: string;
  /** Called last, because it may use a view. */
  mayRead?: () => Promise<true | Refusal>;
};

/** Saves the content of a share in the reader's own library as Markdown; text in another language is fenced. */
export async function saveSharedFile(
  db: Db,
  readerId: string,
  share: Share,
  file: SharedFile,
  { fileName, mayRead = async () => true as const }: SaveOptions,
  now: Date,
): Promise<SavedFile | Refusal> {
  const file_name = fileName === undefined ? toMarkdownName(file.file_name) : checkMarkdownName(fileName);
  if (isRefusal(file_name)) return file_name;
  if (share.mode !== "full") return Refusal("share_without_content", { share_id: share.id });
  const text = await readSharedText(db, share, file);
  const body = file.language === "markdown" ? text : fencedBlock(text, file.language);
  const lackOfRoom = await checkLibraryRoom(db, readerId, utf8Bytes(body), now);
  if (lackOfRoom) return lackOfRoom;
  const permission = await mayRead();
  if (isRefusal(permission)) return permission;
  const draft = { file_name, body, language: "markdown" } as const;
  return (await updateIfTextUnchanged(db, readerId, draft)) ?? saveFile(db, readerId, draft, now);
}
