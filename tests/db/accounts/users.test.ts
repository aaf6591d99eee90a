import { describe, expect, it } from "vitest";
import { listSecurityEvents, recordSecurityEvent } from "#db/accounts/security-events.server.ts";
import {
  createSession,
  findUserBySession,
  MAX_SESSIONS,
  removeOtherSessions,
  removeSession,
  renewSession,
  SESSION_LIFETIME_MS,
} from "#db/accounts/sessions.server.ts";
import { setUserLocale, signInUser, toUser } from "#db/accounts/users.server.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import { SECURITY_EVENTS_MAX } from "#domain/accounts/security-event.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";

const { db, events } = await openTestStore();

const findUser = async (id: string) => toUser(required(await db.users.findOne({ _id: id })));
const NAMES = { last_name: null, username: null, photo_url: null };
const profile = (id: string, first_name = "דנה") => ({ id, first_name, ...NAMES });

describe("signing in", () => {
  it("makes the person once, however many times at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => signInUser(db, profile("5"), NOON)));
    expect(await db.users.countDocuments({ _id: "5" })).toBe(1);
    const person = { id: "5", first_name: "דנה", role: "regular", created_at: NOON };
    expect(await findUser("5")).toMatchObject(person);
  });

  it("refreshes the name and keeps what the person chose", async () => {
    const later = afterNoon(1000);
    await signInUser(db, profile("6", "Old"), NOON);
    await setUserLocale(db, "6", "he");
    await signInUser(db, profile("6", "New"), later);
    const person = { first_name: "New", locale: "he", created_at: NOON, last_login_at: later };
    expect(await findUser("6")).toMatchObject(person);
  });
});

for (const id of ["1", "2", "7", "8", "9"]) await signInUser(db, profile(id), NOON);
const open = (id: string) => createSession(db, newOwner(id), NOON);

describe("a session", () => {
  it("is not shown with its person", async () => {
    const { id } = await open("1");
    expect((await findUserBySession(db, "1", id, NOON))?.user).not.toHaveProperty("sessions");
  });

  it("ends when its person signs in twenty times more", async () => {
    const oldest = await open("9");
    expect(await findUserBySession(db, "9", oldest.id, NOON)).not.toBeNull();
    const newer = [];
    for (let i = 0; i < MAX_SESSIONS; i++) newer.push(await open("9"));

    expect(await findUserBySession(db, "9", oldest.id, NOON)).toBeNull();
    expect(await findUserBySession(db, "9", itemAt(newer, 0).id, NOON)).not.toBeNull();
  });

  it("stands for thirty days and no longer", async () => {
    const { id } = await open("1");
    expect(await findUserBySession(db, "1", id, afterNoon(SESSION_LIFETIME_MS - 1))).toMatchObject({
      user: { id: "1" },
    });
    expect(await findUserBySession(db, "1", id, afterNoon(SESSION_LIFETIME_MS))).toBeNull();
  });

  it("lives on from the moment it is renewed", async () => {
    const { id } = await open("1");
    const half = afterNoon(SESSION_LIFETIME_MS / 2);
    expect(await renewSession(db, "1", id, half)).toBe(true);
    expect(await findUserBySession(db, "1", id, afterNoon(SESSION_LIFETIME_MS))).toMatchObject({
      renewed_at: half,
    });
  });

  it("cannot be renewed once it is revoked", async () => {
    const { id } = await open("1");
    await removeSession(db, "1", id);
    expect(await renewSession(db, "1", id, NOON)).toBe(false);
    expect(await findUserBySession(db, "1", id, NOON)).toBeNull();
  });

  it("stays where all others of its person are ended", async () => {
    const [here, there] = [await open("2"), await open("2")];

    expect(await removeOtherSessions(db, "2", here.id)).toBe(1);

    expect(await findUserBySession(db, "2", here.id, NOON)).not.toBeNull();
    expect(await findUserBySession(db, "2", there.id, NOON)).toBeNull();
    expect(await events("sessions_revoked")).toMatchObject([
      { count: 1, resource: { type: "user", id: toEventPerson("2") } },
    ]);
  });
});

const event = { what: "token_created", device: null } as const;

it("the newest security events of a person are kept, the newest first, and none of anybody else", async () => {
  for (let i = 0; i <= SECURITY_EVENTS_MAX; i += 1) await recordSecurityEvent(db, "1", event, afterNoon(i));
  const listed = await listSecurityEvents(db, "1", afterNoon(100));
  expect(listed).toHaveLength(SECURITY_EVENTS_MAX);
  expect(listed[0]).toEqual({ ...event, at: afterNoon(SECURITY_EVENTS_MAX) });
  expect(listed.at(-1)?.at).toEqual(afterNoon(1));
  expect(await listSecurityEvents(db, "2", NOON)).toEqual([]);
});

it("a security event is shown for 90 days, and all of them go 90 days after the last", async () => {
  await recordSecurityEvent(db, "3", event, NOON);
  await recordSecurityEvent(db, "3", event, afterNoon(DAY_MS));
  expect(await listSecurityEvents(db, "3", afterNoon(90 * DAY_MS - 1))).toHaveLength(2);
  expect(await listSecurityEvents(db, "3", afterNoon(90 * DAY_MS))).toHaveLength(1);
  expect(await db.security_logs.findOne({ _id: "3" })).toMatchObject({ expires_at: afterNoon(91 * DAY_MS) });
});
