import { randomUUID } from "node:crypto";
import { done, type FailedPart, failuresResponse, xmlResponse } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { checkConditions, type Guard } from "#app/dav/guard.server.ts";
import { writeLock } from "#app/dav/live-properties.ts";
import { findResource, type Resource } from "#app/dav/resource.server.ts";
import { restoreDepartedFile } from "#app/dav/returning.server.ts";
import { noParent } from "#app/dav/writing.server.ts";
import { findDav, isDav, parseXml, XML_MAX_BYTES } from "#app/dav/xml-read.ts";
import { davDocument, davElement, writeElement } from "#app/dav/xml-write.ts";
import { readBytes } from "#app/web/door/body.server.ts";
import { setJunk } from "#db/dav/dav-junk.server.ts";
import { createLock, extendLock, removeLock } from "#db/dav/dav-locks.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { parseDepth, parseLockToken, parseTimeout } from "#domain/dav/dav-headers.ts";
import { type DavLock, LOCK_OWNER_MAX_BYTES } from "#domain/dav/dav-lock.ts";
import { DavProblem, isProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { utf8Bytes } from "#domain/text/text.ts";

type LockRequest = Pick<DavLock, "scope" | "owner">;

/** LOCK: creates a lock, or renews one if the request has no body. A missing resource becomes an empty file. */
export async function answerLock(call: DavCall): Promise<DavAnswer> {
  const { request, services, ownerId, path, now } = call;
  const bytes = await readBytes(request, XML_MAX_BYTES);
  if (isRefusal(bytes)) return toProblem(bytes);
  const lockRequest = bytes.byteLength === 0 ? null : readLockRequest(bytes);
  if (isProblem(lockRequest)) return lockRequest;
  const depth = parseDepth(request.headers.get("Depth"), "infinity");
  if (isProblem(depth)) return depth;
  if (depth === "1") return DavProblem(400, "A lock has the Depth 0 or infinity.");
  const resource = await findResource(services.db, ownerId, path, now);
  if (resource.parentId === undefined) return noParent();
  const guard = await checkConditions(call, resource);
  if (isProblem(guard)) return guard;
  const seconds = parseTimeout(request.headers.get("Timeout"));
  const time = { seconds, expires_at: new Date(now.getTime() + seconds * 1_000) };
  if (!lockRequest) return renewLock(call, resource, guard, time);
  const isFolder = resource.kind === "folder";
  const token = `opaquelocktoken:${randomUUID()}`;
  const lock: DavLock = {
    token,
    names: path.names,
    isFolder,
    ...lockRequest,
    depth: isFolder ? depth : "0",
    ...time,
  };
  return takeLock(call, resource, guard, lock);
}

function readLockRequest(bytes: Uint8Array): LockRequest | DavProblem {
  const root = parseXml(bytes);
  if (isProblem(root)) return root;
  const [scope, type] = [findDav(root, "lockscope"), findDav(root, "locktype")];
  if (!isDav(root, "lockinfo") || !scope || !type || !findDav(type, "write"))
    return DavProblem(400, "The body is no lockinfo of a write lock.");
  const isShared = findDav(scope, "shared") !== undefined;
  if (!isShared && !findDav(scope, "exclusive")) return DavProblem(400, "A lock is exclusive or shared.");
  const ownerElement = findDav(root, "owner");
  const owner = ownerElement ? writeElement(ownerElement) : "";
  if (utf8Bytes(owner) > LOCK_OWNER_MAX_BYTES)
    return DavProblem(413, `The owner of a lock may have ${LOCK_OWNER_MAX_BYTES} bytes.`);
  return { scope: isShared ? "shared" : "exclusive", owner };
}

async function renewLock(
  { services, ownerId, path, now }: DavCall,
  { kind }: Resource,
  { tokens }: Guard,
  time: Pick<DavLock, "seconds" | "expires_at">,
): Promise<DavAnswer> {
  if (tokens.length === 0) return DavProblem(400, "Send a lockinfo, or the token of a lock in an If header.");
  const target = { names: path.names, isFolder: kind === "folder" };
  const lock = await extendLock(services.db, ownerId, target, tokens, time, now);
  return isProblem(lock) ? lock : answerWithLock(200, lock, now);
}

async function takeLock(call: DavCall, resource: Resource, guard: Guard, lock: DavLock): Promise<DavAnswer> {
  const { services, ownerId, now } = call;
  const isMissing = resource.kind === "missing";
  const parent = { names: lock.names.slice(0, -1), isFolder: true };
  const refusal = isMissing ? guard.refuse(parent) : null;
  if (refusal) return refusal;
  const result = await createLock(services.db, ownerId, lock, now);
  if (isProblem(result)) return refuseLock(result, lock);
  const problem = isMissing ? await createEmpty(call, resource) : null;
  if (!problem) return answerWithLock(isMissing ? 201 : 200, lock, now);
  await removeLock(services.db, ownerId, lock, lock.token, now);
  return problem;
}

/** Lists locks within the folder in a 207, beside the folder that could not be locked because of them. */
function refuseLock(problem: DavProblem, { names, isFolder }: DavLock): DavAnswer {
  const within = (problem.paths ?? []).filter((path) => path.length > names.length);
  if (problem.status !== 423 || within.length === 0) return problem;
  const failed = DavProblem(424, "Something within it is locked.");
  const members = within.map((path): FailedPart => ({ names: path, isFolder: false, problem }));
  return failuresResponse([...members, { names, isFolder, problem: failed }]);
}

async function createEmpty(
  call: DavCall,
  resource: Extract<Resource, { kind: "missing" }>,
): Promise<DavProblem | null> {
  const { services, ownerId, path, now } = call;
  const name = required(path.names.at(-1), "name");
  if (resource.isJunk) {
    const location = { folder_id: resource.parentId ?? null, name };
    const junk = await setJunk(services.db, ownerId, location, new Uint8Array(), now);
    return isProblem(junk) ? junk : null;
  }
  if ((await restoreDepartedFile(call, resource)).kind === "file") return null;
  const put = { folders: path.names.slice(0, -1), file_name: name, body: "" };
  // If a file was written in the meantime, that file is locked.
  const saved = await putFile(services.db, ownerId, { ...put, expects: (current) => current === null }, now);
  return isRefusal(saved) && saved.refused !== "version_changed" ? toProblem(saved) : null;
}

function answerWithLock(status: 200 | 201, lock: DavLock, now: Date): Response {
  const discovery = davElement("lockdiscovery", writeLock(lock, now));
  return xmlResponse(status, davDocument("prop", discovery), { "Lock-Token": `<${lock.token}>` });
}

export async function answerUnlock(call: DavCall): Promise<DavAnswer> {
  const { request, services, ownerId, path, now } = call;
  const token = parseLockToken(request.headers.get("Lock-Token"));
  if (token === null) return DavProblem(400, "Send the token of the lock in a Lock-Token header.");
  const resource = await findResource(services.db, ownerId, path, now);
  const target = { names: path.names, isFolder: resource.kind === "folder" };
  return (await removeLock(services.db, ownerId, target, token, now)) ?? done(204);
}
