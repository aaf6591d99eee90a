import { Binary, ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { listLeaving, markLeaving, REMOVALS, removeLeaving } from "#db/accounts/account.server.ts";
import { setInstructions } from "#db/accounts/agent-instructions.server.ts";
import { renewFeed } from "#db/accounts/feeds.server.ts";
import { createSession } from "#db/accounts/sessions.server.ts";
import { createToken, findByToken } from "#db/accounts/tokens.server.ts";
import { signInUser } from "#db/accounts/users.server.ts";
import { createBoard } from "#db/boards/boards.server.ts";
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import { saveFile } from "#db/files/files.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { createFolder } from "#db/folders/folders.server.ts";
import { beginReceiving } from "#db/library-zip/library-imports.server.ts";
import { createPushEvent } from "#db/push/push-events.server.ts";
import { setReminder } from "#db/reminders/reminders.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { givenNote } from "#tests/support/notes/given-notes.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db, mongo, clock, emitter, events } = await openTestStore();
const later = (ms: number) => new Date(NOON.getTime() + ms);
const profile = (id: string) => ({ id, first_name: "דנה", last_name: null, username: null, photo_url: null });

/** Something of this person in every collection that holds anything of anyone. */
async function givenPerson(id: string): Promise<{ secret: string }> {
  await signInUser(db, profile(id), NOON);
  await createSession(db, newOwner(id), NOON);
  const token = await createToken(db, newOwner(id), { name: "t", scope: "write", lifetimeDays: null }, NOON);
  for (const text of ["one\n", "two\n"])
    await saveFile(db, id, { file_name: `of-${id}.py`, body: text }, NOON);
  const trashed = await saveFile(db, id, { file_name: "trashed.py", body: "gone\n" }, NOON);
  if (isRefusal(trashed) || isRefusal(token)) throw new Error("not given");
  await trashFile(db, id, trashed.file.id, NOON);
  await createBoard(db, id, "plans", NOON);
  await createFolder(db, id, { name: "lib", parent_id: null }, NOON);
  const note = await givenNote(db, id, { content: "remember" });
  await setReminder(db, id, note, later(1000), NOON);
  await tallyLibrary(db, id);
  await setInstructions(db, id, "be brief", null, NOON);
  await createPushEvent(db, id, { kind: "note_added", note_id: "n", file_id: null }, NOON);
  await renewFeed(db, newOwner(id), NOON);
  await beginReceiving(db, id, NOON);
  await db.library_import_chunks.insertOne({ _id: `${id}.0`, user_id: id } as never);
  await db.run_results.insertOne({ _id: new ObjectId(), user_id: id, expires_at: later(9e8) } as never);
  await db.dav_locks.insertOne({ _id: id, revision: 1, locks: [], expires_at: later(9e8) });
  await db.identities.insertOne({ _id: `oidc:${id}`, user_id: id, created_at: NOON } as never);
  await db.invitations.insertOne({ _id: `invitation-${id}`, user_id: id, used_by: null } as never);
  await db.security_logs.insertOne({ _id: id, entries: [], expires_at: later(9e8) });
  await db.dav_junk.insertOne({ _id: `${id}:1`, user_id: id, expires_at: later(9e8) } as never);
  await db.quick_fix_uses.insertOne({ _id: new ObjectId(), user_id: id, used_at: NOON } as never);
  await db.shares.insertOne({ _id: `share-${id}`, user_id: id, slot: 0 } as never);
  await db.push_subscriptions.insertOne({
    _id: new ObjectId(),
    user_id: id,
    endpoint: `https://push.example/${id}`,
    endpoint_hash: id,
  } as never);
  const repo_id = new ObjectId();
  await db.repos.insertOne({ _id: repo_id, user_id: id, slot: 0, named: "dana/tools" } as never);
  await db.repo_files.insertOne({ _id: new ObjectId(), repo_id, user_id: id, path: "a.py" } as never);
  await db.repo_folders.insertOne({ _id: new ObjectId(), repo_id, user_id: id, path: "src" } as never);
  await db.repo_texts.insertOne({ _id: `text-${id}`, repo_id, user_id: id, text: "" });
  await db.repo_renames.insertOne({ _id: new ObjectId(), repo_id, user_id: id, from: "b.py" } as never);
  await db.repo_commits.insertOne({ _id: `commit-${id}`, repo_id, user_id: id } as never);
  await db.repo_analyses.insertOne({ _id: repo_id, user_id: id } as never);
  await db.search_chunks.insertOne({ _id: `${id}:segment:000000`, data: new Binary() });
  await db.postings.insertOne({ _id: `${id}:abc:0` });
  await emitter.flush();
  return { secret: token.secret };
}

/** Every document of every collection in which the id of a person stands anywhere. */
async function tracesOf(id: string): Promise<Record<string, number>> {
  await emitter.flush();
  const mentions = new RegExp(`"(${id}|${toEventPerson(id)})[":]`);
  const traces: Record<string, number> = {};
  for (const name of ["users", ...Object.keys(REMOVALS)]) {
    const docs = await mongo.collection(name).find().toArray();
    const count = docs.filter((doc) => mentions.test(JSON.stringify(doc))).length;
    if (count > 0) traces[name] = count;
  }
  return traces;
}

/** Deletes as far as the given number of steps, and dies there. */
function dyingAfter(steps: number): Db {
  let left = steps;
  const updateOne = (...args: Parameters<Db["users"]["updateOne"]>) => {
    if (left === 0) throw new Error("killed");
    left -= 1;
    return db.users.updateOne(...args);
  };
  const users = new Proxy(db.users, {
    get: (target, name) => {
      if (name === "updateOne") return updateOne;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...db, users };
}

const UNOWNED: CollectionName[] = [
  "event_counts",
  "request_timings",
  "alerts",
  "alert_cooldowns",
  "alert_explanations",
  "announcements",
  "active_announcement",
  "join_requests",
  "used_logins",
  "installation",
  "job_runs",
  "job_settings",
  "webhook_deliveries",
  "workers",
];

describe("deleting an account", () => {
  it("leaves nothing of the person in any collection and everything of everyone else", async () => {
    await givenPerson("7001");
    await givenPerson("7002");
    const theirs = await tracesOf("7002");
    const owned = ["users", ...Object.keys(REMOVALS)].filter((name) => !UNOWNED.includes(name as never));
    expect(Object.keys(await tracesOf("7001")).sort()).toEqual(owned.sort());

    await markLeaving(db, "7001", NOON);
    expect(await removeLeaving(db, "7001", clock)).toBe(true);

    expect(await tracesOf("7001")).toEqual({});
    expect(await tracesOf("7002")).toEqual(theirs);
    expect(await events("account_deleted")).toHaveLength(1);
  });

  it("lets nobody in from the first moment", async () => {
    const { secret } = await givenPerson("7003");
    expect(await findByToken(db, secret, NOON)).not.toBeNull();

    await markLeaving(db, "7003", NOON);

    expect(required(await db.users.findOne({ _id: "7003" })).sessions).toEqual([]);
    expect(await findByToken(db, secret, NOON)).toBeNull();
  });

  it.each([0, 1, 4, 7, 11])("that died after %i steps is found and finished", async (steps) => {
    const id = `71${String(steps).padStart(2, "0")}`;
    await givenPerson(id);
    await markLeaving(db, id, NOON);
    await expect(removeLeaving(dyingAfter(steps), id, clock)).rejects.toThrow("killed");
    expect(await tracesOf(id)).not.toEqual({});

    expect(await listLeaving(db)).toContain(id);
    const afterwards = () => later(11 * 60_000);
    expect(await removeLeaving(db, id, afterwards)).toBe(true);

    expect(await tracesOf(id)).toEqual({});
    expect(await listLeaving(db)).not.toContain(id);
  });

  it("is done by one process at a time", async () => {
    await givenPerson("7004");
    await markLeaving(db, "7004", NOON);
    const outcomes = await Promise.all([1, 2, 3].map(() => removeLeaving(db, "7004", clock)));
    expect(outcomes.filter((won) => won)).toHaveLength(1);
    expect(await tracesOf("7004")).toEqual({});
  });

  it("touches nobody who is not leaving", async () => {
    await givenPerson("7005");
    const before = await tracesOf("7005");
    expect(await removeLeaving(db, "7005", clock)).toBe(true);
    expect(await tracesOf("7005")).toEqual(before);
  });
});
