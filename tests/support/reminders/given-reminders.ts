/** People with notes, reminders and devices, made by the product's own verbs. */
import type { Db } from "#db/client.ts";
import { createNote } from "#db/notes/notes.server.ts";
import { type Device, setSubscription } from "#db/reminders/push/push-subscriptions.server.ts";
import { type Reminder, setReminder } from "#db/reminders/reminders.server.ts";
import { checkNewNote } from "#domain/notes/note-schema.ts";
import { givenAccount } from "#tests/support/accounts/accounts.ts";
import type { FakeBrowser } from "#tests/support/reminders/push-service.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

let places = 0;

/** A note on a file of a repository, with a reminder at a moment. */
export async function givenReminder(
  db: Db,
  owner: string,
  at: Date,
  content = "Water the plants",
): Promise<Reminder> {
  places += 1;
  const target = { kind: "repo", repo_name: "a/b", repo_path: `${owner}/${places}.ts` } as const;
  const draft = orThrow(checkNewNote({ content }));
  const note = orThrow(
    await createNote(db, owner, { target: target, fields: draft, quota: { maxPerUser: 100_000 }, now: at }),
  );
  return setReminder(db, owner, note, at, at);
}

export async function givenDevice(db: Db, owner: string, browser: FakeBrowser, now: Date): Promise<Device> {
  const { endpoint, keys } = browser.subscription;
  const device = { endpoint, ...keys, locale: "en", browser: "firefox", system: "linux" } as const;
  return orThrow(
    await setSubscription(db, await givenAccount(db, owner, now), device, "a key of tests", now),
  );
}
