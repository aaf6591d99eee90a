import { README_MAX_BYTES, type Readme, showReadme } from "#app/folders/folder-readme.server.ts";
import { toPlaceKey } from "#app/shares/place-key.server.ts";
import type { SharedRow } from "#app/shares/shared-rows.tsx";
import type { ShareRequest } from "#app/shares/shared-visit.server.ts";
import { readShared, type Share, type SharedFile } from "#db/shares/shares.server.ts";
import { README_NAMES } from "#domain/folders/readme.ts";

const toDirectory = ({ path = "", file_name }: SharedFile) => path.slice(0, path.length - file_name.length);

/** The files of a link as its page lists them: what is right in a shared folder comes first. */
export function listSharedRows(share: Share): SharedRow[] {
  const rows = share.files.map((file) => {
    const { file_name, language, size_bytes, lines } = file;
    const directory = share.folder ? toDirectory(file) : "";
    return { key: toPlaceKey(share, file), file_name, directory, language, size_bytes, lines };
  });
  return [...rows.filter(({ directory }) => !directory), ...rows.filter(({ directory }) => directory)];
}

/** The text that tells about a shared folder. */
export async function readSharedReadme({ context }: ShareRequest, share: Share): Promise<Readme | null> {
  if (!share.folder) return null;
  const top = share.files.filter((file) => toDirectory(file) === "");
  const name = README_NAMES.find((one) => top.some(({ file_name }) => file_name === one));
  const file = top.find(({ file_name }) => file_name === name);
  if (!file || file.size_bytes === 0) return null;
  const readme = { href: `/shared/${share.id}/${toPlaceKey(share, file)}`, file_name: file.file_name };
  if (file.size_bytes > README_MAX_BYTES) return readme;
  const text = await readShared(context.services.db, share, file);
  return { ...readme, ...(await showReadme(context, share.user_id, file.language, text)) };
}
