import { type FailedPart, failuresResponse } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import type { FileResource, JunkResource, Resource, Transfer } from "#app/dav/resource.server.ts";
import { type DavFile, listDavFiles } from "#db/dav/dav-files.server.ts";
import { setJunk } from "#db/dav/dav-junk.server.ts";
import { updateFileProperties } from "#db/dav/dav-properties.server.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { type PutResult, putFile } from "#db/files/file-puts.server.ts";
import { readBody } from "#db/files/file-records.server.ts";
import { copyFolderTree } from "#db/files/folders/folders.server.ts";
import { type DavProblem, isProblem, toProblem } from "#domain/dav/dav-problem.ts";
import type { DeadProperty } from "#domain/files/dead-property.ts";
import { decodeBody } from "#domain/files/file.ts";
import { pickDetails } from "#domain/files/file-details.ts";
import type { Folder } from "#domain/files/folders/folder-tree.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

/** Copies to a target that is free, or the text of a file onto a file. Null if done. */
export async function copyResource(call: DavCall, transfer: Transfer): Promise<DavAnswer | null> {
  const { source, target, depth } = transfer;
  if (source.kind === "file") return copyFile(call, source, target);
  if (source.kind === "junk") return copyJunk(call, source, target);
  if (source.kind === "missing") return null;
  const folder = required(source.folder, "folder");
  const failed = await copyFolder(call, folder, target, depth);
  const first = failed[0];
  if (!first) return null;
  return first.names === target.names ? first.problem : failuresResponse(failed);
}

/** Copies the newest text of a file and its dead properties to another path. A new file gets the details too. */
export async function copyFile(
  call: DavCall,
  source: FileResource | DavFile,
  { names }: Pick<Resource, "names">,
): Promise<DavProblem | null> {
  const { services, ownerId } = call;
  const body = await readBody(services.db, ownerId, source.file);
  const copy = await putText(call, names, body);
  if (isProblem(copy)) return copy;
  if (copy.created) {
    const { language } = source.file;
    const details = { ...pickDetails(source.file), ...(isLanguage(language) ? { language } : {}) };
    const result = await updateDetails(services.db, ownerId, copy.file.id, details);
    if (isRefusal(result)) return toProblem(result);
  }
  return source.properties.length > 0
    ? updateFileProperties(services.db, ownerId, copy.file.id, toChanges(source.properties))
    : null;
}

async function putText(
  { services, ownerId, now }: DavCall,
  names: readonly string[],
  body: string,
): Promise<PutResult | DavProblem> {
  const file_name = required(names.at(-1), "name");
  const put = { folders: names.slice(0, -1), file_name, body };
  const saved = await putFile(services.db, ownerId, put, now);
  return isRefusal(saved) ? toProblem(saved) : saved;
}

const toChanges = (properties: readonly DeadProperty[]) => properties.map((set) => ({ set }));

/** Copies a junk file; under a name that is not junk it becomes a file of the library. */
export async function copyJunk(
  call: DavCall,
  { junk }: JunkResource,
  target: Resource,
): Promise<DavProblem | null> {
  const name = required(target.names.at(-1), "name");
  if (target.kind === "junk" || (target.kind === "missing" && target.isJunk)) {
    const location = { folder_id: target.parentId ?? null, name };
    const stored = await setJunk(call.services.db, call.ownerId, location, junk.bytes, call.now);
    return isProblem(stored) ? stored : null;
  }
  const body = decodeBody(junk.bytes);
  const put = isRefusal(body) ? toProblem(body) : await putText(call, target.names, body);
  return isProblem(put) ? put : null;
}

/** Copies a folder with its contents. What cannot be copied is listed in the answer; everything else is copied. */
async function copyFolder(
  call: DavCall,
  folder: Folder,
  { names, parentId }: Pick<Resource, "names" | "parentId">,
  depth: Transfer["depth"],
): Promise<FailedPart[]> {
  const { services, ownerId, now } = call;
  const target = { name: required(names.at(-1), "name"), parent_id: parentId ?? null };
  const isDeep = depth !== "0";
  const copies = await copyFolderTree(services.db, ownerId, folder.id, target, isDeep, now);
  if (isRefusal(copies)) return [{ names, isFolder: true, problem: toProblem(copies) }];
  const failed: FailedPart[] = [];
  for (const { source, below, copy } of copies) {
    const path = [...names, ...below];
    if (isRefusal(copy)) failed.push({ names: path, isFolder: true, problem: toProblem(copy) });
    else if (isDeep)
      for await (const files of listDavFiles(services.db, ownerId, source.id))
        for (const file of files) await copyMember(call, file, [...path, file.file.file_name], failed);
  }
  return failed;
}

async function copyMember(
  call: DavCall,
  file: DavFile,
  names: readonly string[],
  failed: FailedPart[],
): Promise<void> {
  const problem = await copyFile(call, file, { names });
  if (problem) failed.push({ names, isFolder: false, problem });
}
