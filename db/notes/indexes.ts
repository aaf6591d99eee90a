import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const NOTE_INDEXES = defineIndexes({
  notes: [
    { name: "of_user", key: { user_id: 1, _id: 1 } },
    { name: "by_target", key: { target: 1, user_id: 1, deleted_at: 1, created_at: 1, _id: 1 } },
    { name: "by_change", key: { user_id: 1, deleted_at: 1, updated_at: -1, _id: -1 } },
    {
      name: "user_slot",
      key: { user_id: 1, user_slot: 1 },
      options: { unique: true, partialFilterExpression: { user_slot: { $gte: 0 } } },
    },
    {
      name: "target_slot",
      key: { user_id: 1, target: 1, target_slot: 1 },
      options: { unique: true, partialFilterExpression: { target_slot: { $gte: 0 } } },
    },
    {
      name: "title",
      key: { user_id: 1, titled_in: 1, title: 1 },
      options: { unique: true, partialFilterExpression: { titled_in: { $gt: "" } } },
    },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
});
