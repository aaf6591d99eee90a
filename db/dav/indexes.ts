import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const DAV_INDEXES = defineIndexes({
  dav_locks: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  dav_departures: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  dav_junk: [
    { name: "of_folder", key: { user_id: 1, folder_id: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
});
