import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const FOLDER_INDEXES = defineIndexes({
  folder_trees: [],
  folder_changes: [
    {
      name: "expiring",
      key: { expires_at: 1 },
      options: { partialFilterExpression: { expires_at: { $gt: new Date(0) } } },
    },
  ],
});
