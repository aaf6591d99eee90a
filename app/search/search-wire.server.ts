import { z } from "zod";
import { toHitAddress } from "#app/search/hit-place.ts";
import { nextCursor, type SearchRequest } from "#app/search/search-request.ts";
import { count, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { SearchAnswer } from "#db/search/search.server.ts";
import type { SearchHit } from "#db/search/search-part.ts";
import type { MatchingLine } from "#domain/search/matching-line.ts";
import {
  listUnknownKinds,
  listUnknownLanguages,
  SEARCH_KINDS,
  type SearchQuery,
} from "#domain/search/search-query.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

/** A tuple alone says nothing about its length in JSON Schema, and older tools cannot read its elements. */
const range = z
  .tuple([z.int(), z.int()])
  .meta({ minItems: 2, maxItems: 2, items: { type: "integer" }, description: "Start and end of a match." });
const ranges = z.array(range);
const hitLine = z.object({ line: z.int(), snippet: z.string(), ranges });
const hitShape = z
  .object({
    kind: z.enum(["file", "note", "repo_file"]),
    id: opaqueId,
    title: z.string(),
    path: z.string().nullable(),
    line: z.int().nullable(),
    snippet: z.string(),
    ranges,
    lines: z.array(hitLine),
    line_count: count,
    repo: z.string().nullable(),
    language: z.string().nullable(),
    updated_at: timestamp,
    url: z.string(),
  })
  .meta({ id: "SearchHit" });
const counts = z.object({ files: count, notes: count, repos: count });
const exact = z.object({ files: z.boolean(), notes: z.boolean(), repos: z.boolean() });

export const answerShape = z.object({
  hits: z.array(hitShape),
  counts,
  counts_exact: exact,
  next_cursor: z.string().nullable(),
  hint: z.string().optional().describe("What is wrong with a filter of a search that found nothing."),
});

export function toWireSearch(request: SearchRequest, answer: SearchAnswer): z.infer<typeof answerShape> {
  return {
    hits: answer.hits.map(toWireHit),
    counts: answer.counts,
    counts_exact: {
      files: answer.precisions.files === "exact",
      notes: answer.precisions.notes === "exact",
      repos: answer.precisions.repos === "exact",
    },
    next_cursor: answer.more ? nextCursor(request) : null,
    hint: answer.hits.length === 0 && request.offset === 0 ? explainFilters(request.query) : undefined,
  };
}

/** Names the unknown values of filters, for the search page. */
function explainFilters(query: SearchQuery): string | undefined {
  const languages = listUnknownLanguages(query);
  const [kind] = listUnknownKinds(query);
  const reasons = [
    ...(languages.length > 0 ? [`No language is called ${languages.join(", ")}.`] : []),
    ...(kind ? [`in: takes ${SEARCH_KINDS.join(", ")}, not ${kind}. For a folder, use path:${kind}/.`] : []),
  ];
  return reasons.join(" ") || undefined;
}

function toWireHit(hit: SearchHit) {
  const lines = hit.lines.map(toWireLine);
  const [best] = lines;
  const { kind, id, title, path, repo, language } = hit;
  return {
    ...{ kind, id, title, path, repo, language },
    line: best?.line ?? null,
    snippet: best?.snippet ?? "",
    ranges: best?.ranges ?? [],
    lines,
    line_count: hit.lineCount,
    updated_at: toTimestamp(hit.updatedAt),
    url: toHitAddress(hit, hit.isNamed ? undefined : best?.line),
  };
}

/** Ranges count UTF-16 units within the snippet, as strings of JSON do. */
function toWireLine({ number, parts }: MatchingLine): z.infer<typeof hitLine> {
  const ranges: [number, number][] = [];
  let snippet = "";
  for (const { text, hit } of parts) {
    if (hit) ranges.push([snippet.length, snippet.length + text.length]);
    snippet += text;
  }
  return { line: number, snippet, ranges: ranges };
}
