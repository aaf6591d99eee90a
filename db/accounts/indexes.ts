import { defineIndexes } from "#db/core/indexes/index-table.ts";

export const ACCOUNT_INDEXES = defineIndexes({
  users: [
    { name: "by_creation", key: { created_at: -1, _id: -1 } },
    { name: "by_role", key: { role: 1 } },
    {
      name: "leaving",
      key: { leaving_at: 1 },
      options: { partialFilterExpression: { leaving_at: { $gt: new Date(0) } } },
    },
  ],
  identities: [{ name: "of_user", key: { user_id: 1 } }],
  invitations: [],
  join_requests: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  security_logs: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  used_logins: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  tokens: [
    { name: "by_digest", key: { digest: 1 }, options: { unique: true } },
    { name: "of_user", key: { user_id: 1, slot: 1 }, options: { unique: true } },
  ],
  agent_instructions: [],
  feeds: [
    { name: "by_digest", key: { digest: 1 }, options: { unique: true } },
    { name: "of_user", key: { user_id: 1 }, options: { unique: true } },
  ],
});
