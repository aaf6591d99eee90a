import { done, notFound } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { copyResource } from "#app/dav/copying.server.ts";
import { checkConditions, type Guard } from "#app/dav/guard.server.ts";
import { moveResource } from "#app/dav/moving.server.ts";
import { findResource, type Resource, type Transfer } from "#app/dav/resource.server.ts";
import { noParent, removeResource } from "#app/dav/writing.server.ts";
import { removeLocksWithin } from "#db/dav/dav-locks.server.ts";
import { parseDepth, parseOverwrite } from "#domain/dav/dav-headers.ts";
import { parseDestination, toPathKey } from "#domain/dav/dav-path.ts";
import { DavProblem, isProblem } from "#domain/dav/dav-problem.ts";

export const answerCopy = (call: DavCall): Promise<DavAnswer> => answerTransfer(call, false);
export const answerMove = (call: DavCall): Promise<DavAnswer> => answerTransfer(call, true);

async function answerTransfer(call: DavCall, isMove: boolean): Promise<DavAnswer> {
  const transfer = await readTransfer(call, isMove);
  if (isProblem(transfer)) return transfer;
  const { source, target } = transfer;
  const guard = await checkConditions(call, source);
  if (isProblem(guard)) return guard;
  const refusal = refuseTransfer(guard, transfer, isMove);
  if (refusal) return refusal;
  const targetExists = target.kind !== "missing" && !isSameFolder(source, target);
  // A text moved onto a file becomes its next version; anything else in the way goes to the trash.
  const isReplaced = targetExists && (source.kind === "folder" || target.kind === "folder");
  const problem = isReplaced ? await removeResource(call, target) : null;
  if (problem) return problem;
  const answer = await (isMove ? moveResource(call, transfer) : copyResource(call, transfer));
  if (answer) return answer;
  if (isMove) {
    const removed = { names: source.names, isFolder: source.kind === "folder" };
    await removeLocksWithin(call.services.db, call.ownerId, removed, call.now);
  }
  return done(targetExists ? 204 : 201);
}

async function readTransfer(call: DavCall, isMove: boolean): Promise<Transfer | DavProblem> {
  const { request, services, ownerId, now } = call;
  const path = parseDestination(request.headers.get("Destination"), call.host);
  if (isProblem(path)) return path;
  const overwrite = parseOverwrite(request.headers.get("Overwrite"));
  if (isProblem(overwrite)) return overwrite;
  const depth = parseDepth(request.headers.get("Depth"), "infinity");
  if (isProblem(depth)) return depth;
  const source = await findResource(services.db, ownerId, call.path, now);
  if (source.kind === "missing") return notFound();
  if (source.kind === "folder" && (depth === "1" || (isMove && depth === "0")))
    return DavProblem(400, "This Depth is not one for a folder here.");
  const target = await findResource(services.db, ownerId, path, now);
  const problem = checkPlaces(source, target);
  if (problem) return problem;
  if (target.parentId === undefined) return noParent();
  if (target.kind !== "missing" && !overwrite && !isSameFolder(source, target))
    return DavProblem(412, "Something is at the Destination already.");
  return { source, target, depth };
}

/** Renaming a folder to another case makes it its own destination. */
function isSameFolder(source: Resource, target: Resource): boolean {
  return source.kind === "folder" && target.kind === "folder" && source.folder?.id === target.folder?.id;
}

function checkPlaces(source: Resource, target: Resource): DavProblem | null {
  const from = toPathKey(source.names, source.kind === "folder");
  const to = toPathKey(target.names, source.kind === "folder");
  const isRenamed = source.names.at(-1) !== target.names.at(-1);
  if (target.names.length === 0 || source.names.length === 0)
    return DavProblem(403, "The library itself is neither moved nor copied.");
  if (from === to) return isRenamed ? null : DavProblem(403, "It is there already.");
  if (source.kind === "folder" && to.startsWith(from))
    return DavProblem(403, "A folder cannot be put into itself.", { code: "folder_into_itself" });
  if (target.kind === "folder" && from.startsWith(toPathKey(target.names, true)))
    return DavProblem(403, "A folder cannot be replaced by what is in it.");
  return null;
}

function refuseTransfer(guard: Guard, { source, target }: Transfer, isMove: boolean): DavAnswer | null {
  const isFolder = source.kind === "folder";
  const leaving = { names: source.names, isFolder, changesParent: true, changesMembers: isFolder };
  const targetExists = target.kind !== "missing";
  const arriving = {
    names: target.names,
    isFolder: targetExists ? target.kind === "folder" : isFolder,
    changesParent: !targetExists || isFolder || target.kind === "folder",
    changesMembers: target.kind === "folder",
  };
  return (isMove ? guard.refuse(leaving) : null) ?? guard.refuse(arriving);
}
