/** As many folders as a page shows at once; the others are on further pages. */
const FOLDERS_SHOWN_MAX = 200;
/** The parameter of an address that says which page of folders it shows. */
const FOLDER_PAGE = "folder_page";

export type FolderPage = { number: number; isLast: boolean; from: number; to: number; total: number };

/** The folders that an address shows, and which of all they are. A page that does not exist is the nearest one. */
export function cutFolderPage<T>(
  folders: readonly T[],
  { searchParams }: URL,
): { shown: T[]; page: FolderPage } {
  const total = folders.length;
  const last = Math.max(1, Math.ceil(total / FOLDERS_SHOWN_MAX));
  const asked = Number(searchParams.get(FOLDER_PAGE) ?? 1);
  const number = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), last) : 1;
  const start = (number - 1) * FOLDERS_SHOWN_MAX;
  const shown = folders.slice(start, start + FOLDERS_SHOWN_MAX);
  return {
    shown,
    page: { number, isLast: number === last, from: start + 1, to: start + shown.length, total },
  };
}

/** The address of a page of folders, of a list whose address has no other pages. */
export function folderPageAddress(list: string, number: number): string {
  if (number === 1) return list;
  return `${list}${list.includes("?") ? "&" : "?"}${FOLDER_PAGE}=${number}`;
}
