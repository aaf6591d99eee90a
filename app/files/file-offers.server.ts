import { readFilePlacing } from "#app/files/folders/listed-folder.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";

export async function readFileHeadData({ db, explainer, codehost }: WebServices, file: FileRecord) {
  const placing = await readFilePlacing(db, file);
  return { provider: explainer.provider, sendable: codehost.apiUrl !== null, placing };
}
