import type { SearchHit } from "#db/search/search.server.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type Place = Pick<SearchHit, "kind" | "id" | "repo" | "path">;

/** Where a hit is read, at the line where it has one. */
export function hitPlace({ kind, id, repo, path }: Place, line?: number): string {
  const anchor = line === undefined ? "" : `#L${line}`;
  if (kind === "note") return `/note/${id}`;
  if (kind === "file") return `/file/${id}${anchor}`;
  const lines: Record<string, string> = line === undefined ? {} : { L: String(line) };
  return `${repoPlace(repo ?? "", "file", { path: path ?? "", ...lines })}${anchor}`;
}
