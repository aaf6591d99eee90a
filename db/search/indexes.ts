import { defineIndexes } from "#db/indexes/index-table.ts";

export const SEARCH_INDEXES = defineIndexes({
  search_segments: [],
  search_chunks: [],
  search_numbers: [],
});
