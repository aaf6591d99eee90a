/** Builds the addresses of a mirror's pages. Names and paths are escaped. */
export type RepoPart = "" | "file" | "history" | "search" | "orphans" | "import" | "analysis";

export function repoPlace(name: string, part: RepoPart = "", query: Record<string, string> = {}): string {
  const parameters = new URLSearchParams(
    Object.entries(query).filter(([, value]) => value !== ""),
  ).toString();
  return `/repos/${encodeURIComponent(name)}${part && `/${part}`}${parameters && `?${parameters}`}`;
}

/** Returns the key of a file's notes for lists and editors of notes. */
export function toNoteListKey(name: string, path: string): string {
  return `repo/${encodeURIComponent(name)}/${encodeURIComponent(path)}`;
}

/** Deeper than any real tree; each link repeats the path before it. */
const TRAIL_FOLDERS_MAX = 32;

/** Returns the folders on the way to a path with their own paths. The last part is the path itself, including folders too deep to link. */
export function buildTrail(path: string): { name: string; path: string }[] {
  if (path === "") return [];
  const names = path.split("/");
  const folders = names.slice(0, Math.min(names.length - 1, TRAIL_FOLDERS_MAX));
  return [
    ...folders.map((name, i) => ({ name, path: names.slice(0, i + 1).join("/") })),
    { name: names.slice(folders.length).join("/"), path },
  ];
}
