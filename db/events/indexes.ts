import { defineIndexes } from "#db/core/indexes/index-table.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";

export const EVENT_INDEXES = defineIndexes({
  events: [
    { name: "by_event", key: { event: 1, timestamp: 1, _id: 1 } },
    { name: "by_time", key: { timestamp: 1, _id: 1 } },
    { name: "by_severity", key: { severity: 1, timestamp: 1, _id: 1 } },
    {
      name: "of_person",
      key: { "resource.type": 1, "resource.id": 1 },
      options: { partialFilterExpression: { "resource.type": "user" } },
    },
    { name: "expiry", key: { timestamp: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
  event_counts: [
    { name: "by_time", key: { unit: 1, at: 1 } },
    { name: "expiry", key: { at: 1 }, options: { expireAfterSeconds: 31 * DAY_SECONDS } },
  ],
  request_timings: [
    { name: "by_time", key: { unit: 1, at: 1 } },
    { name: "expiry", key: { at: 1 }, options: { expireAfterSeconds: 31 * DAY_SECONDS } },
  ],
});
