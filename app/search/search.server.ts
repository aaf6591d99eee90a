import { z } from "zod";
import { endpoint, withFailureFlag } from "#app/http/api/api.server.ts";
import { count, ok, opaqueId, timestamp } from "#app/http/api/shapes.server.ts";
import { hitPlace } from "#app/search/hit-place.ts";
import { nextCursor, readSearch } from "#app/search/search-request.ts";
import { type SearchHit, search } from "#db/search/search.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { MatchingLine } from "#domain/search/matching-line.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const text = z.string().optional();
const searchQuery = z.object({
  ...{ q: text, in: text, lang: text, tag: text, folder: text },
  ...{ limit: text, cursor: text },
});

const ranges = z.array(z.tuple([z.int(), z.int()]));
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

export const searchEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/search",
    gate: "user",
    summary: "Search files, notes and mirrors, best matches first",
    query: searchQuery,
    returns: {
      200: z.object({
        ok,
        q: z.string(),
        hits: z.array(hitShape),
        counts,
        counts_exact: exact,
        next_cursor: z.string().nullable(),
      }),
    },
    answer: async ({ query, services: { db, clock }, visitor: { user } }) => {
      const request = readSearch(query);
      if (isRefusal(request)) return request;
      const found = await search(db, user.id, request.query, { ...request, now: clock() });
      return {
        ok: true,
        q: query.q ?? "",
        hits: found.hits.map(toWire),
        counts: found.counts,
        counts_exact: {
          files: found.precisions.files === "exact",
          notes: found.precisions.notes === "exact",
          repos: found.precisions.repos === "exact",
        },
        next_cursor: found.more ? nextCursor(request) : null,
      };
    },
  }),
]);

function toWire(hit: SearchHit) {
  const lines = hit.lines.map(lineOnWire);
  const [best] = lines;
  return {
    ...{
      kind: hit.kind,
      id: hit.id,
      title: hit.title,
      path: hit.path,
      repo: hit.repo,
      language: hit.language,
    },
    line: best?.line ?? null,
    snippet: best?.snippet ?? "",
    ranges: best?.ranges ?? [],
    lines,
    line_count: hit.lineCount,
    updated_at: toTimestamp(hit.updatedAt),
    url: hitPlace(hit, hit.isNamed ? undefined : best?.line),
  };
}

/** Ranges are counted in the snippet, in UTF-16 units, as strings of JSON are. */
function lineOnWire({ number, parts }: MatchingLine): z.infer<typeof hitLine> {
  const marked: [number, number][] = [];
  let snippet = "";
  for (const { text, hit } of parts) {
    if (hit) marked.push([snippet.length, snippet.length + text.length]);
    snippet += text;
  }
  return { line: number, snippet, ranges: marked };
}
