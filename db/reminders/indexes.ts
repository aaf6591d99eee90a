import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const REMINDER_INDEXES = defineIndexes({
  reminders: [
    { name: "by_moment", key: { user_id: 1, status: 1, expires_at: 1, remind_at: 1 } },
    { name: "by_ack", key: { user_id: 1, status: 1, expires_at: 1, ack_at: -1 } },
    { name: "by_file", key: { file_id: 1, expires_at: 1 } },
    {
      name: "push_owed",
      key: { push_at: 1 },
      options: { partialFilterExpression: { push_at: { $gt: new Date(0) } } },
    },
    { name: "bin_expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
});
