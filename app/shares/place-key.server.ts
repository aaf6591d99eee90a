import { createHash } from "node:crypto";
import type { Share, SharedFile } from "#db/shares/shares.server.ts";

const KEY_CHARACTERS = 16;

/**
 * The last part of the address of a file under a link. In a link that follows its folder, files come and go, so their order cannot name
 * them: there the key is derived from the file and reveals nothing about it.
 */
export function toPlaceKey(share: Share, file: SharedFile): string {
  if (!share.folder?.follows) return String(file.place);
  return createHash("sha256")
    .update(`${share.id} ${file.file_id}`)
    .digest("base64url")
    .slice(0, KEY_CHARACTERS);
}
