import { createHash } from "node:crypto";
import type { Share, SharedFile } from "#db/shares/shares.server.ts";

const KEY_CHARACTERS = 16;

/**
 * What the address of a file under a link ends in. Files come into a followed folder and go, so that their order names none of them:
 * there it is made from the file, and tells nothing of it.
 */
export function toPlaceKey(share: Share, file: SharedFile): string {
  if (!share.folder?.follows) return String(file.place);
  return createHash("sha256")
    .update(`${share.id} ${file.file_id}`)
    .digest("base64url")
    .slice(0, KEY_CHARACTERS);
}
