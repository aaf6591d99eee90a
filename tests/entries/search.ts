import { NEEDLE_MAX } from "#domain/text/folded.ts";
import { defineEntries, WORD } from "./entry.ts";

export const SEARCH_API = defineEntries({
  "GET /api/search": {
    door: "person",
    query: "?q=one",
    takes: { q: NEEDLE_MAX, in: WORD, lang: WORD, tag: WORD, limit: WORD, cursor: WORD },
    shows: ["found", "notes"],
  },
  "GET /api/sticky-notes/search": {
    door: "person",
    query: "?q=one",
    takes: { q: NEEDLE_MAX, color: WORD, limit: WORD },
    shows: ["notes"],
  },
});

export const SEARCH_PAGES = defineEntries({
  "GET /go": { door: "person", takes: { q: NEEDLE_MAX }, shows: ["found", "newest", "notes"] },
  "GET /search": {
    door: "person",
    query: "?q=one",
    takes: { q: NEEDLE_MAX, in: WORD, lang: WORD, tag: WORD, cursor: WORD },
    shows: ["found", "newest", "notes"],
  },
});
