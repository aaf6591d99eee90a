import { toHitAddress } from "#app/search/hit-place.ts";
import type { SearchHit } from "#db/search/search-part.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

export function toShownHit(hit: SearchHit) {
  const { kind, id, titleParts, path, repo, language, tags, updatedAt } = hit;
  return {
    ...{ kind, id, titleParts, repo, path, language, tags: [...tags] },
    url: toHitAddress(hit),
    /** A click on a suggestion opens the best line, unless the name matches. */
    bestUrl: toHitAddress(hit, hit.isNamed ? undefined : hit.lines[0]?.number),
    lineCount: hit.lineCount,
    lines: hit.lines.map((match) => ({ match, url: toHitAddress(hit, match.number) })),
    updated_at: toTimestamp(updatedAt),
  };
}

export type ShownHit = ReturnType<typeof toShownHit>;
