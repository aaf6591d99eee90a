import { createHash } from "node:crypto";
import type { JoinRequestDoc } from "#db/accounts/documents.ts";
import type { ProvenIdentity } from "#db/accounts/identities.server.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { type IdentityKind, identityKind } from "#domain/accounts/identity.ts";
import { JOIN_REQUEST_DAYS, JOIN_REQUESTS_MAX, type JoinAnswer } from "#domain/accounts/join-request.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/** A person with a proven identity who waits for an administrator's answer. */
export type JoinRequest = { id: string; kind: IdentityKind; label: string; name: string; created_at: Date };

/** A second request of the same identity changes nothing. */
const toRequestId = (identityKey: string) => createHash("sha256").update(identityKey).digest("base64url");
const toExpiry = (now: Date) => new Date(now.getTime() + JOIN_REQUEST_DAYS * DAY_MS);

/** Changes nothing if there already was a request or an answer. */
export async function createJoinRequest(
  db: Db,
  { key, label }: ProvenIdentity,
  name: string,
  now: Date,
): Promise<true | Refusal> {
  if ((await listOpenJoinRequests(db, now)).length >= JOIN_REQUESTS_MAX)
    return Refusal("join_request_limit", { max: JOIN_REQUESTS_MAX });
  const _id = toRequestId(key);
  await db.join_requests.deleteOne({ _id, expires_at: { $lte: now } });
  const request = { _id, kind: identityKind(key), label, name, created_at: now };
  const waiting = { ...request, expires_at: toExpiry(now), answer: null };
  if (!(await skipDuplicate(db.join_requests.insertOne(waiting)))) return true;
  db.emit("join_requested", { resource: { type: "join_request", id: _id } });
  return true;
}

export async function listOpenJoinRequests(db: Db, now: Date): Promise<JoinRequest[]> {
  const docs = await db.join_requests
    .find({ answer: null, expires_at: { $gt: now } })
    .sort({ created_at: -1 })
    .limit(JOIN_REQUESTS_MAX)
    .toArray();
  return docs.map(toJoinRequest);
}

/** If two answers collide, the first counts. */
export async function answerJoinRequest(
  db: Db,
  id: string,
  answer: JoinAnswer,
  now: Date,
): Promise<true | Refusal> {
  const answered = await db.join_requests.updateOne(
    { _id: id, answer: null, expires_at: { $gt: now } },
    { $set: { answer, expires_at: toExpiry(now) } },
  );
  if (answered.matchedCount === 0) return Refusal("join_request_not_found");
  db.emit("join_request_answered", { answer, resource: { type: "join_request", id } });
  return true;
}

export async function isJoinApproved(db: Db, identityKey: string, now: Date): Promise<boolean> {
  const isApproved = { answer: "approved" as const, expires_at: { $gt: now } };
  return (await db.join_requests.findOne({ _id: toRequestId(identityKey), ...isApproved })) !== null;
}

export async function removeJoinRequest(db: Db, identityKey: string): Promise<void> {
  await db.join_requests.deleteOne({ _id: toRequestId(identityKey) });
}

const toJoinRequest = ({ _id, kind, label, name, created_at }: JoinRequestDoc): JoinRequest => ({
  id: _id,
  kind,
  label,
  name,
  created_at,
});
