import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const SEARCH_INDEXES = defineIndexes({
  search_segments: [],
  search_chunks: [],
  search_numbers: [],
});
