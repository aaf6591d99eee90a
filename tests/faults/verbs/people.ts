import { ObjectId } from "mongodb";
import { setInstructions } from "#db/accounts/agent-instructions.server.ts";
import { authenticateFeed, createOrReplaceFeed, removeFeed } from "#db/accounts/feeds.server.ts";
import {
  addIdentity,
  findUserByIdentity,
  recordIdentityUse,
  removeIdentity,
  reserveUserId,
} from "#db/accounts/identities.server.ts";
import { assignInvitation, createInvitation, removeInvitation } from "#db/accounts/invitations.server.ts";
import {
  answerJoinRequest,
  createJoinRequest,
  listOpenJoinRequests,
  removeJoinRequest,
} from "#db/accounts/join-requests.server.ts";
import { recordPasskeyUse } from "#db/accounts/passkeys.server.ts";
import { setGroupRole, setUserRole } from "#db/accounts/people.server.ts";
import { recordSecurityEvent } from "#db/accounts/security-events.server.ts";
import { moveDevicesToSession, sessionKey } from "#db/accounts/session-devices.server.ts";
import {
  createSession,
  recordSessionUse,
  removeOtherSessions,
  removeSession,
  renewSession,
} from "#db/accounts/sessions.server.ts";
import { authenticateToken, createToken, removeToken } from "#db/accounts/tokens.server.ts";
import { claimLoginProof } from "#db/accounts/used-logins.server.ts";
import {
  dismissAnnouncement,
  recordSignIn,
  setKeepRunResults,
  setKeyboardShortcuts,
  setUserLocale,
  setUserTimezone,
  setWelcomeSeen,
  signInUser,
} from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { lockAccount, unlockAccount } from "#db/operations/account-lock.server.ts";
import { removeAccountData, startAccountRemoval } from "#db/operations/account-removal.server.ts";
import { endAllCredentials, endCredential } from "#db/operations/credentials.server.ts";
import { messengerKey } from "#domain/accounts/identity.ts";
import { required } from "#domain/required.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import {
  givenDevice,
  givenFiles,
  givenNote,
  givenReminder,
  givenUser,
  inRepo,
  LATER,
  ME,
  MONTH_AGO,
} from "./given.ts";

const TOKEN = { name: "script", scope: "read", lifetimeDays: 90 } as const;
const OIDC = { key: "oidc:dana", label: "dana@example.com" };
const OIDC_RECORD = {
  ...{ _id: OIDC.key, user_id: OWNER, label: OIDC.label },
  ...{ created_at: MONTH_AGO, last_used_at: null },
};
const PROFILE = { id: OWNER, first_name: "Dana", last_name: null, username: null, photo_url: null };

const givenTokens = (db: Db, more: object = {}) =>
  db.tokens.insertMany(
    [1, 2].map((slot) => ({
      ...{
        _id: new ObjectId(),
        user_id: OWNER,
        slot,
        digest: `d${slot}`,
        ending: "wxyz",
        name: `t${slot}`,
        scope: "read" as const,
      },
      ...{ created_at: MONTH_AGO, expires_at: NOON, last_used_at: null, epoch: 0, ...more },
    })),
  );

const session = (id: string) => ({ id, created_at: NOON, renewed_at: NOON, expires_at: LATER, epoch: 0 });

async function givenSessions(db: Db): Promise<void> {
  await Promise.all([
    givenUser(db, { sessions: [session("s1"), session("s2"), session("s3")] }),
    ...["one", "two"].map((name) => givenDevice(db, name, { session_key: sessionKey("s1") })),
  ]);
}

/** Two credentials of each kind, from the previous epoch. */
async function givenCredentials(db: Db): Promise<void> {
  await Promise.all([
    givenSessions(db),
    givenTokens(db),
    // A person has one address; the second shows what the filter could reach besides it.
    db.feeds.insertOne({
      _id: new ObjectId(),
      user_id: OWNER,
      digest: "f1",
      made_at: NOON,
      last_read_at: null,
      epoch: 0,
    }),
  ]);
}

const findMe = async (db: Db) => required(await findUserByIdentity(db, messengerKey(OWNER)));

const givenInvitation = (_id: string, expires_at: Date) => ({
  ...{ _id, user_id: OWNER, role: "regular" as const, used_by: null },
  ...{ created_at: MONTH_AGO, expires_at },
});

const accounts = {
  "account-lock/lockAccount": row(givenUser, (db) => lockAccount(db, OWNER, NOON)),
  "account-lock/unlockAccount": row(
    async (db) => {
      await givenUser(db, { locked_at: NOON });
      const notes = await Promise.all([givenNote(db, inRepo()), givenNote(db, inRepo())]);
      await Promise.all(notes.map(({ id }) => givenReminder(db, id, { push_at: LATER })));
      const event = {
        user_id: OWNER,
        kind: "file_saved",
        created_at: NOON,
        needs_push: true,
        retry_at: LATER,
      };
      await db.push_events.insertMany([1, 2].map(() => ({ _id: new ObjectId(), ...event })));
    },
    (db) => unlockAccount(db, OWNER, NOON),
  ),
  "invitations/createInvitation": row(
    (db) =>
      db.invitations.insertMany([
        givenInvitation("old", MONTH_AGO),
        givenInvitation("older", MONTH_AGO),
        givenInvitation("new", LATER),
      ]),
    (db) => createInvitation(db, { createdBy: OWNER, role: "regular" }, NOON),
    { mayDiffer: { _id: "each has a token of its own" } },
  ),
  "invitations/removeInvitation": row(
    (db) => db.invitations.insertOne(givenInvitation("one", LATER)),
    (db) => removeInvitation(db, "one"),
  ),
  "invitations/assignInvitation": row(
    async (db) => required(await createInvitation(db, { createdBy: OWNER, role: "admin" }, NOON)),
    (db, made) => assignInvitation(db, "token" in made ? made.token : "", OWNER, NOON),
  ),
  "join-requests/createJoinRequest": row(nothing, (db) => createJoinRequest(db, OIDC, "Dana", NOON)),
  "join-requests/answerJoinRequest": row(
    async (db) => {
      await createJoinRequest(db, OIDC, "Dana", NOON);
      return required((await listOpenJoinRequests(db, NOON))[0]);
    },
    (db, { id }) => answerJoinRequest(db, id, "approved", NOON),
  ),
  "join-requests/removeJoinRequest": row(
    (db) => createJoinRequest(db, OIDC, "Dana", NOON),
    (db) => removeJoinRequest(db, OIDC.key),
  ),
  "security-events/recordSecurityEvent": row(nothing, (db) =>
    recordSecurityEvent(db, OWNER, { what: "all_ended", device: null }, NOON),
  ),
  "account-removal/startAccountRemoval": row(givenUser, (db) => startAccountRemoval(db, OWNER, NOON), {
    mayDiffer: { credential_epoch: "it ends every credential, however high it is" },
  }),
  "account-removal/removeAccountData": row(
    async (db) => {
      await givenUser(db, { leaving_at: NOON });
      await Promise.all([givenFiles(db), ...[1, 2].map(() => givenNote(db, inRepo())), givenTokens(db)]);
    },
    (db) => removeAccountData(db, OWNER, () => NOON),
    {
      finish: // The worker continues after the first caller's lease has ended.
        (db) => removeAccountData(db, OWNER, () => LATER),
    },
  ),
  "agent-instructions/setInstructions": row(
    (db) => db.agent_instructions.insertOne({ _id: OWNER, text: "old", updated_at: MONTH_AGO }),
    (db) => setInstructions(db, OWNER, "new", MONTH_AGO, NOON),
  ),
  "identities/reserveUserId": row(nothing, (db) => reserveUserId(db, OIDC, NOON), {
    mayDiffer: { user_id: "each row draws an id of its own" },
  }),
  "identities/addIdentity": row(givenUser, async (db) => addIdentity(db, await findMe(db), OIDC, NOON)),
  "identities/removeIdentity": row(
    async (db) => {
      await givenUser(db, {
        has_group_role: true,
        role: "admin",
        identity_keys: [messengerKey(OWNER), OIDC.key],
      });
      await db.identities.insertOne(OIDC_RECORD);
    },
    (db) => removeIdentity(db, OWNER, OIDC.key),
  ),
  "identities/recordIdentityUse": row(
    (db) => db.identities.insertOne({ ...OIDC_RECORD }),
    (db) => recordIdentityUse(db, OIDC, LATER),
  ),
  "passkeys/recordPasskeyUse": row(
    (db) =>
      db.identities.insertOne({
        ...OIDC_RECORD,
        _id: "passkey:one",
        passkey: { public_key: "", counter: 1, transports: [] },
      }),
    (db) => recordPasskeyUse(db, "one", 2, LATER),
  ),
  "used-logins/claimLoginProof": row(nothing, (db) => claimLoginProof(db, "proof", LATER)),
  "people/setGroupRole": row(givenUser, (db) => setGroupRole(db, OWNER, "premium")),
  "users/recordSignIn": row(
    (db) => givenUser(db).then(() => findMe(db)),
    (db, user) => recordSignIn(db, user, LATER),
  ),
  "people/setUserRole": row(givenUser, (db) => setUserRole(db, OWNER, "admin")),
  "users/signInUser": row(nothing, (db) => signInUser(db, PROFILE, NOON)),
  "users/setUserLocale": row(givenUser, (db) => setUserLocale(db, OWNER, "he")),
  "users/setKeyboardShortcuts": row(givenUser, (db) => setKeyboardShortcuts(db, OWNER, false)),
  "users/setWelcomeSeen": row(givenUser, (db) => setWelcomeSeen(db, OWNER)),
  "users/setKeepRunResults": row(givenUser, (db) => setKeepRunResults(db, OWNER, true)),
  "users/dismissAnnouncement": row(givenUser, (db) => dismissAnnouncement(db, OWNER, "a1")),
  "users/setUserTimezone": row(givenUser, (db) => setUserTimezone(db, OWNER, "Asia/Jerusalem")),
};

const credentials = {
  "credentials/endCredential": row(
    givenSessions,
    (db) => endCredential(db, OWNER, `session.${sessionKey("s1")}`),
    {
      finish: // A device without a session gets no message; the next log-out removes it.
        (db) => removeSession(db, OWNER, "s1"),
    },
  ),
  "credentials/endAllCredentials": row(givenCredentials, (db) => endAllCredentials(db, OWNER), {
    mayDiffer: { credential_epoch: "it ends every credential, however high it is" },
  }),
  "feeds/createOrReplaceFeed": row(nothing, (db) => createOrReplaceFeed(db, ME, NOON)),
  "feeds/removeFeed": row(
    (db) => createOrReplaceFeed(db, ME, NOON),
    (db) => removeFeed(db, OWNER),
  ),
  "feeds/authenticateFeed": row(
    async (db) => {
      await givenUser(db);
      return orThrow(await createOrReplaceFeed(db, ME, NOON)).secret;
    },
    (db, secret) => authenticateFeed(db, secret, LATER),
  ),
  "tokens/createToken": row(givenTokens, (db) => createToken(db, ME, TOKEN, NOON)),
  "tokens/removeToken": row(
    async (db) => orThrow(await createToken(db, ME, TOKEN, NOON)).token,
    (db, { id }) => removeToken(db, OWNER, id),
  ),
  "tokens/authenticateToken": row(
    async (db) => {
      await givenUser(db);
      return orThrow(await createToken(db, ME, TOKEN, NOON)).secret;
    },
    (db, secret) => authenticateToken(db, secret, LATER),
  ),
  "session-devices/moveDevicesToSession": row(givenSessions, (db) =>
    moveDevicesToSession(db, OWNER, "s1", "s2"),
  ),
  "sessions/createSession": row(givenUser, (db) => createSession(db, ME, NOON)),
  "sessions/renewSession": row(givenSessions, (db) => renewSession(db, OWNER, "s1", LATER)),
  "sessions/recordSessionUse": row(givenSessions, (db) => recordSessionUse(db, OWNER, "s1", LATER)),
  "sessions/removeOtherSessions": row(givenSessions, (db) => removeOtherSessions(db, OWNER, "s2")),
  "sessions/removeSession": row(givenSessions, (db) => removeSession(db, OWNER, "s1")),
};

export const PEOPLE_VERBS: Record<string, VerbRow> = { ...accounts, ...credentials };
