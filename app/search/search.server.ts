import { z } from "zod";
import { readSearch, SEARCH_LIMIT, SEARCH_LIMIT_MAX } from "#app/search/search-request.ts";
import { answerShape, toWireSearch } from "#app/search/search-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { createNumberText, cursorParam, LIMIT, ok } from "#app/web/api/shapes.server.ts";
import { search } from "#db/search/search.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { SEARCH_KINDS } from "#domain/search/search-query.ts";

const text = z.string().optional();
const searchQuery = z.object({
  q: text.describe(
    "What to find. `lang:py`, `tag:work`, `in:notes`, `path:src/` and `-word` narrow it; `-lang:py` leaves out.",
  ),
  in: text.describe(
    `Kinds to search, separated by commas: ${SEARCH_KINDS.join(", ")}. All kinds without it.`,
  ),
  lang: text.describe("Name of a language, such as `python`."),
  tag: text.describe("A tag that the result must have."),
  folder: text.describe("Id of a folder: files in it and in the folders within it."),
  limit: createNumberText({ minimum: 1, maximum: SEARCH_LIMIT_MAX, default: SEARCH_LIMIT }).describe(LIMIT),
  cursor: cursorParam,
});

export const searchEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/search",
    gate: "user",
    summary: "Search files, notes and mirrors, best matches first",
    query: searchQuery,
    refuses: [
      "empty_query",
      "empty_filter",
      "only_excluded",
      "query_too_long",
      "too_many_words",
      "invalid_limit",
      "invalid_cursor",
    ],
    returns: { 200: z.object({ ok, q: z.string(), ...answerShape.shape }) },
    answer: async ({ query, services: { db, clock }, signedIn: { user } }) => {
      const request = readSearch(query);
      if (isRefusal(request)) return request;
      const answer = await search(db, user.id, request.query, { ...request, now: clock() });
      return { ok: true, q: query.q ?? "", ...toWireSearch(request, answer) };
    },
  }),
]);
