import { done, notFound } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { checkConditions, type Guard } from "#app/dav/guard.server.ts";
import { createJunkEtag, type FileResource, findResource, type Resource } from "#app/dav/resource.server.ts";
import { isLeftover, recordDepartedFile, restoreDepartedFile } from "#app/dav/returning.server.ts";
import { createFileEtag } from "#app/files/file-etag.ts";
import { readBytes } from "#app/web/door/body.server.ts";
import { setClientModified } from "#db/dav/dav-files.server.ts";
import { removeJunk, setJunk } from "#db/dav/dav-junk.server.ts";
import { removeLocksWithin } from "#db/dav/dav-locks.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { moveFolderToTrash } from "#db/files/folders/folder-trash.server.ts";
import { createFolder } from "#db/files/folders/folders.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { parseModified } from "#domain/dav/dav-headers.ts";
import { DavProblem, isProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { BODY_MAX_BYTES, decodeBody } from "#domain/files/file.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

export const noParent = () => DavProblem(409, "The folder that this is in does not exist.");

export async function answerPut(call: DavCall): Promise<DavAnswer> {
  const { request, services, ownerId, path, now } = call;
  const resource = await findResource(services.db, ownerId, path, now);
  if (resource.kind === "folder" || (path.endsWithSlash && resource.kind === "missing"))
    return DavProblem(405, "A folder has no text.");
  if (request.headers.has("Content-Range")) return DavProblem(400, "Send the whole file.");
  if (resource.parentId === undefined) return noParent();
  const guard = await checkConditions(call, resource);
  if (isProblem(guard)) return guard;
  const change = { names: path.names, isFolder: false, changesParent: resource.kind === "missing" };
  const refusal = guard.refuse(change);
  if (refusal) return refusal;
  const bytes = await readBytes(request, BODY_MAX_BYTES);
  if (isRefusal(bytes)) return toProblem(bytes);
  if (resource.kind === "junk" || (resource.kind === "missing" && resource.isJunk))
    return putJunk(call, resource, resource.parentId, bytes);
  return putText(call, resource, guard, bytes);
}

async function putJunk(
  { services, ownerId, path, now }: DavCall,
  { kind }: Resource,
  folder_id: string | null,
  bytes: Uint8Array,
): Promise<DavAnswer> {
  const location = { folder_id, name: required(path.names.at(-1), "name") };
  const junk = await setJunk(services.db, ownerId, location, bytes, now);
  if (isProblem(junk)) return junk;
  return done(kind === "missing" ? 201 : 204, { ETag: createJunkEtag(junk) });
}

async function putText(
  call: DavCall,
  resource: Resource,
  guard: Guard,
  bytes: Uint8Array,
): Promise<DavAnswer> {
  const { services, ownerId, path, now } = call;
  const body = decodeBody(bytes);
  if (isRefusal(body)) return toProblem(body);
  // The conditions were checked while nothing was at the path.
  const hasReturned =
    resource.kind === "missing" && (await restoreDepartedFile(call, resource)).kind === "file";
  const isGuarded = guard.hasConditions && !hasReturned;
  const expects: Parameters<typeof putFile>[2]["expects"] = isGuarded
    ? (current) => guard.holdsFor(current, current && createFileEtag(current))
    : undefined;
  const saved = await putFile(
    services.db,
    ownerId,
    {
      folders: path.names.slice(0, -1),
      file_name: required(path.names.at(-1), "name"),
      body,
      ...(expects ? { expects } : {}),
    },
    now,
  );
  if (isRefusal(saved)) return toProblem(saved);
  const { version } = saved;
  const headers = { ETag: createFileEtag({ id: saved.file.id, version }) };
  const status = saved.created || hasReturned ? 201 : 204;
  const modified = parseModified(call.request.headers.get("X-OC-Mtime"));
  if (!modified) return done(status, headers);
  await setClientModified(services.db, ownerId, { id: saved.file.id, version }, modified);
  return done(status, { ...headers, "X-OC-Mtime": "accepted" });
}

export async function answerMkcol(call: DavCall): Promise<DavAnswer> {
  const { request, services, ownerId, path, now } = call;
  const resource = await findResource(services.db, ownerId, path, now);
  if (resource.kind === "folder" || resource.kind === "file")
    return DavProblem(405, "Something is at this address already.", { condition: "resource-must-be-null" });
  if (resource.parentId === undefined) return noParent();
  const body = await readBytes(request, BODY_MAX_BYTES);
  if (isRefusal(body)) return toProblem(body);
  if (body.byteLength > 0) return DavProblem(415, "A folder is made by a request without a body.");
  const guard = await checkConditions(call, resource);
  if (isProblem(guard)) return guard;
  const refusal = guard.refuse({ names: path.names, isFolder: true, changesParent: true });
  if (refusal) return refusal;
  const draft = { name: required(path.names.at(-1), "name"), parent_id: resource.parentId };
  const folder = await createFolder(services.db, ownerId, draft, now);
  if (!isRefusal(folder)) return done(201);
  return folder.refused === "folder_name_taken"
    ? DavProblem(405, "A folder of this name is there already.")
    : toProblem(folder);
}

export async function answerDelete(call: DavCall): Promise<DavAnswer> {
  const { services, ownerId, path, now } = call;
  const resource = await findResource(services.db, ownerId, path, now);
  if (resource.kind === "missing") return notFound();
  if (path.names.length === 0) return DavProblem(403, "The library itself cannot be deleted.");
  const isFolder = resource.kind === "folder";
  const depth = call.request.headers.get("Depth");
  if (isFolder && depth !== null && depth.toLowerCase() !== "infinity")
    return DavProblem(400, "A folder is deleted with all that is in it.");
  const guard = await checkConditions(call, resource);
  if (isProblem(guard)) return guard;
  const change = { names: path.names, isFolder, changesParent: true, changesMembers: isFolder };
  const refusal = guard.refuse(change);
  if (refusal) return refusal;
  const problem = await removeResource(call, resource);
  if (problem) return problem;
  await removeLocksWithin(services.db, ownerId, { names: path.names, isFolder }, now);
  return done(204);
}

export async function removeResource(call: DavCall, resource: Resource): Promise<DavProblem | null> {
  const { ownerId, now } = call;
  const { db } = call.services;
  if (resource.kind === "missing") return null;
  if (resource.kind === "junk") {
    await removeJunk(db, ownerId, { folder_id: resource.parentId, name: resource.junk.name });
    return null;
  }
  if (resource.kind === "file") return removeFile(call, resource);
  const deletion = await moveFolderToTrash(db, ownerId, required(resource.folder, "folder").id, {}, now);
  return isRefusal(deletion) ? toProblem(deletion) : null;
}

async function removeFile(call: DavCall, resource: FileResource): Promise<DavProblem | null> {
  const { services, ownerId, now } = call;
  const { file } = resource;
  const wasLeft = await isLeftover(call, resource, file);
  const deletion = await trashFile(services.db, ownerId, file.id, now);
  if (isRefusal(deletion)) return toProblem(deletion);
  if (wasLeft) await purgeFile(services.db, ownerId, file.id, now);
  else await recordDepartedFile(call, resource, file);
  return null;
}
