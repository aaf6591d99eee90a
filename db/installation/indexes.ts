import { defineIndexes } from "#db/index-table.ts";

export const INSTALLATION_INDEXES = defineIndexes({
  installation: [],
});
