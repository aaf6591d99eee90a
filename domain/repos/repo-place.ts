/** The addresses of the pages of a mirrored repository. Names and paths are escaped. */
export type RepoPart = "" | "file" | "history" | "search" | "orphans" | "import" | "analysis";

export function repoPlace(name: string, part: RepoPart = "", query: Record<string, string> = {}): string {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `/repos/${encodeURIComponent(name)}${part && `/${part}`}${asked && `?${asked}`}`;
}

/** What lists and editors of notes call the notes of one file by. */
export function repoNoteList(name: string, path: string): string {
  return `repo/${encodeURIComponent(name)}/${encodeURIComponent(path)}`;
}

/** The folders on the way to a path, each with its own path; the last part is the path itself. */
export function buildTrail(path: string): { name: string; path: string }[] {
  const parts = path === "" ? [] : path.split("/");
  return parts.map((name, i) => ({ name, path: parts.slice(0, i + 1).join("/") }));
}
