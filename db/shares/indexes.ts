import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const SHARE_INDEXES = defineIndexes({
  shares: [
    { name: "by_creation", key: { user_id: 1, created_at: -1, _id: -1 } },
    { name: "slot", key: { user_id: 1, slot: 1 }, options: { unique: true } },
    {
      name: "once",
      key: { user_id: 1, once: 1 },
      options: { unique: true, partialFilterExpression: { once: { $gt: "" } } },
    },
    { name: "of_file", key: { "files.file_id": 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
    { name: "bin_expiry", key: { bin_expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
});
