import { notFound, statusLine, xmlResponse } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { checkConditions } from "#app/dav/guard.server.ts";
import { LIVE_PROPERTIES } from "#app/dav/live-properties.ts";
import { findResource, type Resource } from "#app/dav/resource.server.ts";
import {
  DAV,
  findDav,
  isDav,
  listElements,
  parseXml,
  XML_MAX_BYTES,
  type XmlElement,
} from "#app/dav/xml-read.ts";
import { davDocument, davElement, emptyElement, writeElement } from "#app/dav/xml-write.ts";
import { readBytes } from "#app/web/door/body.server.ts";
import { setClientModified } from "#db/dav/dav-files.server.ts";
import { updateFileProperties, updateFolderProperties } from "#db/dav/dav-properties.server.ts";
import { parseModified } from "#domain/dav/dav-headers.ts";
import { toHref } from "#domain/dav/dav-path.ts";
import { DavProblem, isProblem, toProblem } from "#domain/dav/dav-problem.ts";
import type { PropertyChange } from "#domain/dav/property-changes.ts";
import { isRefusal } from "#domain/refusal.ts";
import { hasKey } from "#domain/typed-keys.ts";

/** PROPPATCH: stores properties of a file or folder, all changes or none. */
export async function answerProppatch(call: DavCall): Promise<DavAnswer> {
  const { request, services, ownerId, path, now } = call;
  const changes = await readChanges(request);
  if (isProblem(changes)) return changes;
  const resource = await findResource(services.db, ownerId, path, now);
  if (resource.kind === "missing") return notFound();
  const guard = await checkConditions(call, resource);
  if (isProblem(guard)) return guard;
  const isFolder = resource.kind === "folder";
  const refusal = guard.refuse({ names: path.names, isFolder });
  if (refusal) return refusal;
  const isProtected = changes.map(namesLiveProperty);
  const problem = isProtected.includes(true) ? null : await changeResource(call, resource, changes);
  if (problem && [404, 503].includes(problem.status)) return problem;
  const statuses = isProtected.map((isLive) =>
    isProtected.includes(true) ? (isLive ? 403 : 424) : (problem?.status ?? 200),
  );
  return answerChanges(toHref(path.names, isFolder), changes, statuses);
}

async function readChanges(request: Request): Promise<PropertyChange[] | DavProblem> {
  const bytes = await readBytes(request, XML_MAX_BYTES);
  if (isRefusal(bytes)) return toProblem(bytes);
  const root = parseXml(bytes);
  if (isProblem(root)) return root;
  if (!isDav(root, "propertyupdate")) return DavProblem(400, "The body is no propertyupdate.");
  const changes = listElements(root).flatMap((part) => {
    const properties = findDav(part, "prop");
    return properties ? listElements(properties).map((property) => toChange(part, property)) : [];
  });
  return changes.length > 0 ? changes : DavProblem(400, "The propertyupdate changes nothing.");
}

function toChange(part: XmlElement, property: XmlElement): PropertyChange {
  const { namespace, name } = property;
  if (isDav(part, "remove")) return { remove: { namespace, name } };
  return { set: { namespace, name, xml: writeElement(property) } };
}

const MODIFIED = new Set([`${DAV} lastmodified`, "urn:schemas-microsoft-com: Win32LastModifiedTime"]);

/** The time of writing that rclone or Windows sends as a property. */
function findModified(changes: readonly PropertyChange[]): Date | null {
  for (const change of changes) {
    const { namespace, name } = findName(change);
    if ("set" in change && MODIFIED.has(`${namespace} ${name}`))
      return parseModified(/>([^<]*)</.exec(change.set.xml)?.[1] ?? null);
  }
  return null;
}

const findName = (change: PropertyChange) => ("set" in change ? change.set : change.remove);

function namesLiveProperty(change: PropertyChange): boolean {
  const { namespace, name } = findName(change);
  return namespace === DAV && hasKey(LIVE_PROPERTIES, name);
}

async function changeResource(
  { services: { db }, ownerId }: DavCall,
  resource: Resource,
  changes: readonly PropertyChange[],
): Promise<DavProblem | null> {
  if (resource.kind === "file") {
    const problem = await updateFileProperties(db, ownerId, resource.file.id, changes);
    const modified = findModified(changes);
    if (!problem && modified) await setClientModified(db, ownerId, resource.file, modified);
    return problem;
  }
  // For junk, answers as if the properties were stored.
  if (resource.kind !== "folder") return null;
  if (!resource.folder) return DavProblem(403, "The library itself keeps no properties.");
  return updateFolderProperties(db, ownerId, resource.folder.id, changes);
}

function answerChanges(
  href: string,
  changes: readonly PropertyChange[],
  statuses: readonly number[],
): Response {
  const byStatus = Map.groupBy(changes.entries(), ([i]) => statuses[i] ?? 200);
  const propstats = [...byStatus].map(([status, entries]) => {
    const names = entries.map(([, change]) => emptyElement(findName(change))).join("");
    const error = status === 403 ? davElement("error", davElement("cannot-modify-protected-property")) : "";
    return davElement("propstat", davElement("prop", names) + statusLine(status) + error);
  });
  const response = davElement("response", davElement("href", href) + propstats.join(""));
  return xmlResponse(207, davDocument("multistatus", response));
}
