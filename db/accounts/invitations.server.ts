import { createHash } from "node:crypto";
import type { InvitationDoc } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { INVITATION_DAYS, INVITATIONS_MAX } from "#domain/accounts/invitation.ts";
import type { Role } from "#domain/accounts/role.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

/** An open invitation. Only its digest is stored, because the link is shown once. */
export type Invitation = { id: string; role: Role; created_at: Date; expires_at: Date };
type NewInvitation = {
  /** Null for the invitation by the release step. */
  createdBy: string | null;
  role: Role;
};

const digestToken = (token: string) => createHash("sha256").update(token).digest("base64url");
const isOpen = (now: Date) => ({ used_by: null, expires_at: { $gt: now } });

export async function createInvitation(
  db: Db,
  { createdBy, role }: NewInvitation,
  now: Date,
): Promise<{ token: string } | Refusal> {
  await db.invitations.deleteMany({ expires_at: { $lte: now } });
  if ((await listOpenInvitations(db, now)).length >= INVITATIONS_MAX)
    return Refusal("invitation_limit", { max: INVITATIONS_MAX });
  const token = generateToken();
  const _id = digestToken(token);
  await db.invitations.insertOne({
    _id,
    user_id: createdBy,
    role,
    created_at: now,
    expires_at: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    used_by: null,
  });
  db.emit("invitation_created", { role, resource: { type: "invitation", id: _id } });
  return { token };
}

export async function listOpenInvitations(db: Db, now: Date): Promise<Invitation[]> {
  const docs = await db.invitations
    .find(isOpen(now))
    .sort({ created_at: -1 })
    .limit(INVITATIONS_MAX)
    .toArray();
  return docs.map(toInvitation);
}

export async function removeInvitation(db: Db, id: string): Promise<true | Refusal> {
  const { deletedCount } = await db.invitations.deleteOne({ _id: id, used_by: null });
  return deletedCount === 1 || Refusal("invitation_not_found");
}

/** Finds the invitation of a link while it can be used: by a new person, or by the person who was interrupted while using it. */
export async function findUsableInvitation(db: Db, token: string, now: Date): Promise<Invitation | null> {
  const doc = await db.invitations.findOne({ _id: digestToken(token), expires_at: { $gt: now } });
  if (!doc || (doc.used_by !== null && (await db.users.findOne({ _id: doc.used_by })))) return null;
  return toInvitation(doc);
}

/** Assigns an invitation to an account. If two claim it at once, one gets it; the account that has it may claim it again. */
export async function assignInvitation(
  db: Db,
  token: string,
  userId: string,
  now: Date,
): Promise<Invitation | null> {
  const doc = await db.invitations.findOneAndUpdate(
    { _id: digestToken(token), used_by: { $in: [null, userId] }, expires_at: { $gt: now } },
    { $set: { used_by: userId } },
    { returnDocument: "after" },
  );
  return doc && toInvitation(doc);
}

/** Creates the first invitation of an installation without people. Returns null if there are people, because then administrators invite. */
export async function inviteFirstAdministrator(db: Db, now: Date): Promise<string | null> {
  if (await db.users.findOne({}, { projection: { _id: 1 } })) return null;
  await db.invitations.deleteOne({ user_id: null, created_at: { $lt: now } });
  const invitation = await createInvitation(db, { createdBy: null, role: "admin" }, now);
  return "token" in invitation ? invitation.token : null;
}

const toInvitation = ({ _id, role, created_at, expires_at }: InvitationDoc): Invitation => ({
  id: _id,
  role,
  created_at,
  expires_at,
});
