import { README_MAX_BYTES, type Readme, renderReadme } from "#app/files/folders/folder-readme.server.ts";
import { toPlaceKey } from "#app/shares/place-key.server.ts";
import type { SharedRow } from "#app/shares/shared-rows.tsx";
import type { ShareRequest } from "#app/shares/shared-visit.server.ts";
import { listLinkedPaths } from "#app/viewers/markdown/linked-paths.ts";
import type { LinkedFiles } from "#app/viewers/render-task.ts";
import { readSharedText, type Share, type SharedFile } from "#db/shares/shares.server.ts";
import { README_NAMES } from "#domain/files/folders/readme.ts";
import { resolveRelativePath } from "#domain/files/folders/relative-address.ts";
import { toComposedName } from "#domain/files/name-forms.ts";

const toDirectory = ({ path = "", file_name }: SharedFile) => path.slice(0, path.length - file_name.length);

/** The files of a link as its page lists them: those directly in a shared folder come first. */
export function listSharedRows(share: Share): SharedRow[] {
  const rows = share.files.map((file) => {
    const { file_name, language, size_bytes, lines } = file;
    const directory = share.folder ? toDirectory(file) : "";
    return { key: toPlaceKey(share, file), file_name, directory, language, size_bytes, lines };
  });
  return [...rows.filter(({ directory }) => !directory), ...rows.filter(({ directory }) => directory)];
}

/** The files of a shared folder that relative links in a text name. A file outside the folder is not found. */
export function findSharedLinks(share: Share, from: SharedFile, text: string): LinkedFiles {
  if (!share.folder) return {};
  const files = new Map(share.files.map((file) => [toComposedName(file.path ?? file.file_name), file]));
  const folders = toDirectory(from).split("/").slice(0, -1);
  const linkedFiles = listLinkedPaths(text).flatMap((path) => {
    const names = resolveRelativePath(folders, path);
    const file = names && files.get(toComposedName(names.join("/")));
    if (!file) return [];
    const href = toSharedAddress(share, file);
    return [[path, { href, ...(file.language === "svg" ? { image: `${href}/svg` } : {}) }] as const];
  });
  return Object.fromEntries(linkedFiles);
}

const toSharedAddress = (share: Share, file: SharedFile) => `/shared/${share.id}/${toPlaceKey(share, file)}`;

export async function readSharedReadme({ context }: ShareRequest, share: Share): Promise<Readme | null> {
  if (!share.folder) return null;
  const top = share.files.filter((file) => toDirectory(file) === "");
  const name = README_NAMES.find((readmeName) => top.some(({ file_name }) => file_name === readmeName));
  const file = top.find(({ file_name }) => file_name === name);
  if (!file || file.size_bytes === 0) return null;
  const readme = { href: toSharedAddress(share, file), file_name: file.file_name };
  if (file.size_bytes > README_MAX_BYTES) return readme;
  const text = await readSharedText(context.services.db, share, file);
  const files = findSharedLinks(share, file, text);
  return { ...readme, ...(await renderReadme(context, share.user_id, file.language, text, files)) };
}
