import { defineIndexes } from "#db/core/indexes/index-table.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";

export const ALERT_INDEXES = defineIndexes({
  announcements: [{ name: "by_creation", key: { created_at: -1, _id: -1 } }],
  active_announcement: [],
  alerts: [
    { name: "by_time", key: { timestamp: -1, _id: -1 } },
    { name: "by_severity", key: { severity: 1, timestamp: -1, _id: -1 } },
    {
      name: "firing",
      key: { status: 1, timestamp: -1, _id: -1 },
      options: { partialFilterExpression: { status: "firing" } },
    },
    { name: "expiry", key: { timestamp: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
  alert_cooldowns: [{ name: "expiry", key: { raised_at: 1 }, options: { expireAfterSeconds: DAY_SECONDS } }],
  alert_explanations: [
    { name: "expiry", key: { generated_at: 1 }, options: { expireAfterSeconds: DAY_SECONDS } },
  ],
  quick_fix_uses: [
    { name: "of_alert", key: { alert_uid: 1, action_id: 1 } },
    { name: "of_person", key: { user_id: 1 } },
    { name: "expiry", key: { used_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
});
