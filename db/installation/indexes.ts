import { defineIndexes } from "#db/indexes/index-table.ts";

export const INSTALLATION_INDEXES = defineIndexes({
  installation: [],
});
