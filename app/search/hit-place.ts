import { toLineAddress } from "#app/viewers/views.ts";
import type { SearchHit } from "#db/search/search-part.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type HitToOpen = Pick<SearchHit, "kind" | "id" | "repo" | "path">;

export function toHitAddress({ kind, id, repo, path }: HitToOpen, line?: number): string {
  if (kind === "note") return `/note/${id}`;
  const page = kind === "file" ? `/file/${id}` : repoPlace(repo ?? "", "file", { path: path ?? "" });
  return line === undefined ? page : toLineAddress(page, line);
}
