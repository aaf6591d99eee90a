import { Binary, ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { setInstructions } from "#db/accounts/agent-instructions.server.ts";
import { createOrReplaceFeed } from "#db/accounts/feeds.server.ts";
import { createSession } from "#db/accounts/sessions.server.ts";
import { authenticateToken, createToken } from "#db/accounts/tokens.server.ts";
import { signInUser } from "#db/accounts/users.server.ts";
import type { CollectionName } from "#db/collections.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { startReceivingImport } from "#db/library-zip/library-imports.server.ts";
import {
  listLeavingUserIds,
  REMOVALS,
  removeAccountData,
  startAccountRemoval,
} from "#db/operations/account-removal.server.ts";
import { createPushEvent } from "#db/reminders/push/push-events.server.ts";
import { setReminder } from "#db/reminders/reminders.server.ts";
import { required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, mongo, clock, emitter, events, given } = await openTestStore();
const profile = (id: string) => ({ id, first_name: "דנה", last_name: null, username: null, photo_url: null });

/** Creates a person with a document in every collection that holds personal data. */
async function givenPerson(id: string): Promise<{ secret: string }> {
  await signInUser(db, profile(id), NOON);
  await createSession(db, newOwner(id), NOON);
  const token = orThrow(
    await createToken(db, newOwner(id), { name: "t", scope: "write", lifetimeDays: null }, NOON),
  );
  await given.file(id, `of-${id}.py`, "one\n", "two\n");
  await given.trashed(id, "trashed.py");
  await given.board(id, "plans");
  await given.folder(id, "lib");
  const note = await given.note(id, { content: "remember" });
  await setReminder(db, id, note, afterNoon(1000), NOON);
  await tallyLibrary(db, id);
  await setInstructions(db, id, "be brief", null, NOON);
  await createPushEvent(db, id, { kind: "note_added", note_id: "n", file_id: null }, NOON);
  await createOrReplaceFeed(db, newOwner(id), NOON);
  await startReceivingImport(db, id, NOON);
  const _id = new ObjectId();
  const own = { user_id: id, expires_at: afterNoon(9e8) };
  const repo_id = new ObjectId();
  const ofRepo = { _id: new ObjectId(), repo_id, user_id: id };
  const docs: Partial<Record<CollectionName, object>> = {
    library_import_chunks: { _id: `${id}.0`, user_id: id },
    run_results: { _id, ...own },
    folder_trees: { _id: id, revision: 0, folders: {} },
    dav_locks: { _id: id, revision: 1, locks: [], expires_at: own.expires_at },
    identities: { _id: `oidc:${id}`, user_id: id, created_at: NOON },
    invitations: { _id: `invitation-${id}`, user_id: id, used_by: null },
    security_logs: { _id: id, entries: [], expires_at: own.expires_at },
    dav_departures: { _id: `${id}:x`, ...own },
    dav_junk: { _id: `${id}:1`, ...own },
    quick_fix_uses: { _id, user_id: id, used_at: NOON },
    shares: { _id: `share-${id}`, user_id: id, slot: 0 },
    push_subscriptions: { _id, user_id: id, endpoint: `https://push.example/${id}`, endpoint_hash: id },
    repos: { _id: repo_id, user_id: id, slot: 0, named: "dana/tools" },
    repo_files: { ...ofRepo, path: "a.py" },
    repo_folders: { ...ofRepo, path: "src" },
    repo_texts: { ...ofRepo, _id: `text-${id}`, text: "" },
    repo_renames: { ...ofRepo, from: "b.py" },
    repo_commits: { ...ofRepo, _id: `commit-${id}` },
    repo_analyses: { _id: repo_id, user_id: id },
    search_chunks: { _id: `${id}:segment:000000`, data: new Binary() },
  };
  for (const [name, doc] of Object.entries(docs))
    await mongo.collection(name as CollectionName).insertOne(doc);
  await emitter.flush();
  return { secret: token.secret };
}

/** Counts the documents with a person's id anywhere in them, by collection. */
async function countTraces(id: string): Promise<Record<string, number>> {
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

const UNOWNED =
  "event_counts request_timings alerts alert_cooldowns alert_explanations announcements active_announcement join_requests " +
  "used_logins installation job_runs job_settings webhook_deliveries workers";

describe("deleting an account", () => {
  it("lets nobody in from the first moment, and leaves nothing of the person in any collection and everything of everyone else", async () => {
    const { secret } = await givenPerson("7001");
    expect(await authenticateToken(db, secret, NOON)).not.toBeNull();
    await givenPerson("7002");
    const theirs = await countTraces("7002");
    const owned = ["users", ...Object.keys(REMOVALS)].filter((name) => !UNOWNED.split(" ").includes(name));
    expect(Object.keys(await countTraces("7001")).sort()).toEqual(owned.sort());

    await startAccountRemoval(db, "7001", NOON);
    expect(required(await db.users.findOne({ _id: "7001" })).sessions).toEqual([]);
    expect(await authenticateToken(db, secret, NOON)).toBeNull();
    for (const id of ["7001", "7002"]) expect(await removeAccountData(db, id, clock)).toBe(true);

    expect(await countTraces("7001")).toEqual({});
    expect(await countTraces("7002")).toEqual(theirs);
    expect(await events("account_deleted")).toHaveLength(1);
  });

  it("that died half way is found and finished", async () => {
    const id = "7104";
    await givenPerson(id);
    await startAccountRemoval(db, id, NOON);
    let callsLeft = 4;
    const dying = replaceVerb(db, "users", "updateOne", (updateOne, ...words) => {
      if (callsLeft === 0) throw new Error("killed");
      callsLeft -= 1;
      return updateOne(...words);
    });
    await expect(removeAccountData(dying, id, clock)).rejects.toThrow("killed");
    expect(await countTraces(id)).not.toEqual({});

    expect(await listLeavingUserIds(db)).toContain(id);
    expect(await removeAccountData(db, id, () => afterNoon(11 * 60_000))).toBe(true);

    expect(await countTraces(id)).toEqual({});
    expect(await listLeavingUserIds(db)).not.toContain(id);
  });

  it("is done by one process at a time", async () => {
    await givenPerson("7004");
    await startAccountRemoval(db, "7004", NOON);
    const outcomes = await Promise.all([1, 2, 3].map(() => removeAccountData(db, "7004", clock)));
    expect(outcomes.filter((won) => won)).toHaveLength(1);
    expect(await countTraces("7004")).toEqual({});
  });
});
