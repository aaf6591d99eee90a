import { defineIndexes } from "#db/core/indexes/index-table.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";

export const PUSH_INDEXES = defineIndexes({
  push_subscriptions: [
    { name: "one_per_browser", key: { endpoint: 1 }, options: { unique: true } },
    { name: "of_person", key: { user_id: 1, created_at: 1, _id: 1 } },
    {
      name: "failing",
      key: { failing_since: 1 },
      options: { partialFilterExpression: { failing_since: { $gt: new Date(0) } } },
    },
  ],
  push_events: [
    { name: "of_person", key: { user_id: 1 } },
    {
      name: "owed",
      key: { needs_push: 1, created_at: 1, _id: 1 },
      options: { partialFilterExpression: { needs_push: true } },
    },
    { name: "expiry", key: { created_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
});
