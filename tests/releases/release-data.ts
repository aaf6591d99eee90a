/** A small library with one of each thing that must survive later releases, and what must be in it afterwards. */
import { ObjectId } from "mongodb";
import { createSession, findUserBySession } from "#db/accounts/sessions.server.ts";
import { authenticateToken, createToken } from "#db/accounts/tokens.server.ts";
import { signInUser } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { findBody } from "#db/files/file-versions.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { createNote, findNote } from "#db/notes/notes.server.ts";
import { listDevices, setSubscription } from "#db/reminders/push/push-subscriptions.server.ts";
import { search } from "#db/search/search.server.ts";
import { createShare, findShare, readSharedText } from "#db/shares/shares.server.ts";
import { NEW_NOTE } from "#domain/notes/note-schema.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { parseSearchQuery } from "#domain/search/search-query.ts";

/** The ids and secrets for reading an archive's contents. */
type ReleaseFacts = {
  owner: string;
  file: string;
  note: string;
  share: string;
  session: string;
  token: string;
};

/** Far ahead: the store removes by its own clock what expired. */
export const MADE_AT = new Date("2037-11-14T12:00:00.000Z");

const TEXTS = ["def greet():\n    return 'hello'\n", "def greet():\n    return 'שלום'\n"];
const DEVICE = {
  endpoint: "https://push.example/device",
  p256dh: "p",
  auth: "a",
  locale: "en",
  browser: "firefox",
  system: "linux",
} as const;

function need<Made>(made: Made | Refusal): Made {
  if (isRefusal(made)) throw new Error(`Refused: ${made.refused}`);
  return made as Made;
}

export async function fillRelease(db: Db): Promise<ReleaseFacts> {
  const names = { first_name: "Dana", last_name: null, username: null, photo_url: null };
  const user = await signInUser(db, { id: "4711", ...names }, MADE_AT);
  const session = await createSession(db, user, MADE_AT);
  const token = need(
    await createToken(db, user, { name: "script", scope: "write", lifetimeDays: null }, MADE_AT),
  );
  const { file } = need(
    await saveFile(db, user.id, { file_name: "greet.py", body: itemAt(TEXTS, 0) }, MADE_AT),
  );
  need(await saveFile(db, user.id, { file_name: "greet.py", body: itemAt(TEXTS, 1) }, MADE_AT));
  const note = need(
    await createNote(db, user.id, {
      target: { kind: "file", file_id: file.id },
      fields: { ...NEW_NOTE, mode: "surface", content: EXPECTED.note },
      quota: { maxPerUser: 1_000 },
      now: MADE_AT,
    }),
  );
  const wish = { version: 1, mode: "full", lines: null, days: null, maxViews: null, password: null } as const;
  const share = need(await createShare(db, user.id, file.id, wish, MADE_AT));
  need(await setSubscription(db, user, DEVICE, "a key", MADE_AT, session.id));
  return {
    owner: user.id,
    file: file.id,
    note: note.id,
    share: share.id,
    session: session.id,
    token: token.secret,
  };
}

export async function readRelease(db: Db, facts: ReleaseFacts): Promise<Record<string, unknown>> {
  const { owner, file } = facts;
  const found = need(
    await search(db, owner, need(parseSearchQuery("שלום")), { offset: 0, limit: 5, now: MADE_AT }),
  );
  const share = required(await findShare(db, facts.share, MADE_AT));
  const user = required(await findUserBySession(db, owner, facts.session, MADE_AT)).user;
  return {
    texts: await Promise.all([1, 2].map((version) => findBody(db, owner, new ObjectId(file), version))),
    found: found.hits.length,
    note: (await findNote(db, owner, facts.note))?.content,
    shared: await readSharedText(db, share, itemAt(share.files, 0)),
    session: user.first_name,
    token: need(required(await authenticateToken(db, facts.token, MADE_AT))).scope,
    devices: (await listDevices(db, user)).length,
  };
}

export const EXPECTED = {
  texts: TEXTS,
  found: 1,
  note: "say it in two languages",
  shared: itemAt(TEXTS, 0),
  session: "Dana",
  token: "write",
  devices: 1,
};
