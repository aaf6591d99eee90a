import { readFilePlacing } from "#app/folders/listed-folder.server.ts";
import type { WebServices } from "#app/http/request-context.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";

/** What this server offers to do with a file: who explains it, whether a code host takes it, and the folders it may be moved to. */
export async function readFileOffers({ db, explainer, codehost }: WebServices, file: FileRecord) {
  const placing = await readFilePlacing(db, file);
  return { provider: explainer.provider, sendable: codehost.apiUrl !== null, placing };
}
