const FOLDERS_SHOWN_MAX = 200;
const FOLDER_PAGE = "folder_page";

export type FolderPage = { number: number; isLast: boolean; from: number; to: number; total: number };

/** Returns the folders that an address shows, and their position among all. A page that does not exist is replaced by the nearest. */
export function cutFolderPage<T>(
  folders: readonly T[],
  { searchParams }: URL,
): { shown: T[]; page: FolderPage } {
  const total = folders.length;
  const last = Math.max(1, Math.ceil(total / FOLDERS_SHOWN_MAX));
  const requestedPage = Number(searchParams.get(FOLDER_PAGE) ?? 1);
  const number = Number.isInteger(requestedPage) ? Math.min(Math.max(requestedPage, 1), last) : 1;
  const start = (number - 1) * FOLDERS_SHOWN_MAX;
  const shownFolders = folders.slice(start, start + FOLDERS_SHOWN_MAX);
  return {
    shown: shownFolders,
    page: { number, isLast: number === last, from: start + 1, to: start + shownFolders.length, total },
  };
}

/** The address of a page of folders. It fits only lists without other pages. */
export function toFolderPageAddress(list: string, number: number): string {
  if (number === 1) return list;
  return `${list}${list.includes("?") ? "&" : "?"}${FOLDER_PAGE}=${number}`;
}
