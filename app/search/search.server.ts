import { z } from "zod";
import { endpoint, withFailureFlag } from "#app/http/api/api.server.ts";
import { ok } from "#app/http/api/shapes.server.ts";
import { readSearch } from "#app/search/search-request.ts";
import { answerShape, searchOnWire } from "#app/search/search-wire.server.ts";
import { search } from "#db/search/search.server.ts";
import { isRefusal } from "#domain/refusal.ts";

const text = z.string().optional();
const searchQuery = z.object({
  ...{ q: text, in: text, lang: text, tag: text, folder: text },
  ...{ limit: text, cursor: text },
});

export const searchEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/search",
    gate: "user",
    summary: "Search files, notes and mirrors, best matches first",
    query: searchQuery,
    returns: { 200: z.object({ ok, q: z.string(), ...answerShape.shape }) },
    answer: async ({ query, services: { db, clock }, visitor: { user } }) => {
      const request = readSearch(query);
      if (isRefusal(request)) return request;
      const found = await search(db, user.id, request.query, { ...request, now: clock() });
      return { ok: true, q: query.q ?? "", ...searchOnWire(request, found) };
    },
  }),
]);
