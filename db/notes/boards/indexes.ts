import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const BOARD_INDEXES = defineIndexes({
  boards: [
    { name: "by_creation", key: { user_id: 1, created_at: 1, _id: 1 } },
    { name: "slot", key: { user_id: 1, slot: 1 }, options: { unique: true } },
    {
      name: "default_board",
      key: { user_id: 1, is_default: 1 },
      options: { unique: true, partialFilterExpression: { is_default: true } },
    },
  ],
});
