import { expect, it } from "vitest";
import { listSecurityEvents, recordSecurityEvent } from "#db/accounts/security-events.server.ts";
import { SECURITY_EVENTS_MAX } from "#domain/accounts/security-event.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();
const NOON = new Date("2026-11-14T12:00:00Z");
const later = (ms: number) => new Date(NOON.getTime() + ms);
const event = { what: "token_created", device: null } as const;

it("the newest security events of a person are kept, the newest first, and none of anybody else", async () => {
  for (let i = 0; i <= SECURITY_EVENTS_MAX; i += 1) await recordSecurityEvent(db, "1", event, later(i));
  const listed = await listSecurityEvents(db, "1", later(100));
  expect(listed).toHaveLength(SECURITY_EVENTS_MAX);
  expect(listed[0]).toEqual({ ...event, at: later(SECURITY_EVENTS_MAX) });
  expect(listed.at(-1)?.at).toEqual(later(1));
  expect(await listSecurityEvents(db, "2", NOON)).toEqual([]);
});

it("a security event is shown for 90 days, and all of them go 90 days after the last", async () => {
  await recordSecurityEvent(db, "3", event, NOON);
  await recordSecurityEvent(db, "3", event, later(DAY_MS));
  expect(await listSecurityEvents(db, "3", later(90 * DAY_MS - 1))).toHaveLength(2);
  expect(await listSecurityEvents(db, "3", later(90 * DAY_MS))).toHaveLength(1);
  expect(await db.security_logs.findOne({ _id: "3" })).toMatchObject({ expires_at: later(91 * DAY_MS) });
});
