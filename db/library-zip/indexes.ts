import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const LIBRARY_IMPORT_INDEXES = defineIndexes({
  library_imports: [
    { name: "by_state", key: { state: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  library_import_chunks: [
    { name: "of_import", key: { user_id: 1, import_id: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
});
