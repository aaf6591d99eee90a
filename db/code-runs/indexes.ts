import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const RUN_INDEXES = defineIndexes({
  run_results: [
    { name: "of_file", key: { file_id: 1, created_at: -1, _id: -1 } },
    { name: "of_user", key: { user_id: 1, _id: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
});
