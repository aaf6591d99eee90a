import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { notFound, statusLine } from "#app/dav/answers.ts";
import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import {
  type Described,
  LIVE_PROPERTIES,
  listDeadProperties,
  ONLY_BY_NAME,
} from "#app/dav/live-properties.ts";
import { type FolderResource, findResource, type Resource } from "#app/dav/resource.server.ts";
import { DAV, findDav, isDav, listElements, parseXml, XML_MAX_BYTES } from "#app/dav/xml-read.ts";
import { davElement, emptyElement, XML_HEAD, XML_TYPE } from "#app/dav/xml-write.ts";
import { readBytes } from "#app/web/door/body.server.ts";
import { listDavFiles } from "#db/dav/dav-files.server.ts";
import { listJunk } from "#db/dav/dav-junk.server.ts";
import { listLocks } from "#db/dav/dav-locks.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { readUsage } from "#db/files/usage/library-usage.server.ts";
import { parseDepth } from "#domain/dav/dav-headers.ts";
import { createLockFinder } from "#domain/dav/dav-lock.ts";
import { toHref } from "#domain/dav/dav-path.ts";
import { DavProblem, isProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { listChildren } from "#domain/files/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { hasKey } from "#domain/typed-keys.ts";

type PropertyName = { namespace: string; name: string };
const NAMES_MAX = 200;
/** The folders of one portion; other requests run between portions. */
const PORTION = 100;
/**
 * The space of an answer for names that resources lack. A folder of thousands would otherwise repeat each name for every member; clients
 * treat a name that is left out as missing.
 */
const MISSING_MAX_CHARACTERS = 1_000_000;

type PropertyRequest = { kind: "names" } | { kind: "all" | "some"; names: readonly PropertyName[] };

/** PROPFIND: the properties of a resource and, with depth 1, of the members of a folder, streamed while they are read. */
export async function answerPropfind(call: DavCall): Promise<DavAnswer> {
  const { request, services, ownerId, path, now } = call;
  const depth = parseDepth(request.headers.get("Depth"), "infinity");
  if (isProblem(depth)) return depth;
  if (depth === "infinity")
    return DavProblem(403, "Ask for one folder at a time: Depth 0 or 1.", {
      condition: "propfind-finite-depth",
    });
  const requested = await readPropertyRequest(request);
  if (isProblem(requested)) return requested;
  const [resource, locks, usage] = await Promise.all([
    findResource(services.db, ownerId, path, now),
    listLocks(services.db, ownerId, now),
    wantsUsage(requested) ? readUsage(services.db, ownerId, now) : null,
  ]);
  if (resource.kind === "missing" || isInOtherCase(resource)) return notFound();
  const findLocks = createLockFinder(locks);
  let missingLeft = MISSING_MAX_CHARACTERS;
  const write = (member: Described["resource"]) => {
    const isFolder = member.kind === "folder";
    const covering = findLocks({ names: member.names, isFolder });
    const described = { resource: member, locks: covering, usage: isFolder ? usage : null, now };
    const { present, missing } = findProperties(described, requested);
    missingLeft -= missing.reduce((sum, name) => sum + name.length, 0);
    return writeResponse(member, present, missingLeft > 0 ? missing : []);
  };
  const isListed = depth === "1" && resource.kind === "folder";
  const members = isListed ? listMembers(call, resource) : NO_MEMBERS;
  return streamResponse(write(resource), members, write);
}

/** Clients that distinguish case look for the new name before they rename a folder, and would copy it onto itself if it were there. */
const isInOtherCase = (resource: Resource) =>
  resource.kind === "folder" &&
  resource.folder !== null &&
  resource.folder.name.normalize("NFC") !== resource.names.at(-1)?.normalize("NFC");

const wantsUsage = (requested: PropertyRequest) =>
  requested.kind !== "names" &&
  requested.names.some(({ namespace, name }) => namespace === DAV && ONLY_BY_NAME.includes(name));

async function readPropertyRequest(request: Request): Promise<PropertyRequest | DavProblem> {
  const bytes = await readBytes(request, XML_MAX_BYTES);
  if (isRefusal(bytes)) return toProblem(bytes);
  if (bytes.byteLength === 0) return { kind: "all", names: [] };
  const root = parseXml(bytes);
  if (isProblem(root)) return root;
  if (!isDav(root, "propfind")) return DavProblem(400, "The body is no propfind.");
  if (findDav(root, "propname")) return { kind: "names" };
  const included = findDav(root, "include");
  if (findDav(root, "allprop")) return readNames("all", included ? listElements(included) : []);
  const some = findDav(root, "prop");
  return some ? readNames("some", listElements(some)) : DavProblem(400, "The propfind asks for nothing.");
}

function readNames(kind: "all" | "some", elements: readonly PropertyName[]): PropertyRequest | DavProblem {
  const names = [...new Map(elements.map((name) => [`${name.namespace} ${name.name}`, name])).values()];
  if (names.length > NAMES_MAX)
    return DavProblem(400, `A propfind may ask for ${NAMES_MAX} properties at a time.`);
  return { kind, names };
}

/** The members of a folder in portions: folders and junk first, then files. */
async function* listMembers(
  { services: { db }, ownerId, path, now }: DavCall,
  { folder }: FolderResource,
): AsyncGenerator<Described["resource"][]> {
  const parentId = folder?.id ?? null;
  const within = (name: string) => ({ names: [...path.names, name], parentId });
  const [tree, junk] = await Promise.all([readFolders(db, ownerId), listJunk(db, ownerId, parentId, now)]);
  const first = [
    ...listChildren(tree, parentId).map((child) => ({
      kind: "folder" as const,
      ...within(child.name),
      folder: child,
    })),
    ...junk.map((file) => ({ kind: "junk" as const, ...within(file.name), junk: file })),
  ];
  for (let start = 0; start < first.length; start += PORTION) yield first.slice(start, start + PORTION);
  for await (const files of listDavFiles(db, ownerId, parentId))
    yield files.map((file) => ({ kind: "file" as const, ...within(file.file.file_name), ...file }));
}

type Members = AsyncIterable<Described["resource"][]> | readonly Described["resource"][][];

const NO_MEMBERS: Members = [];

/** Reads the first portions before the answer begins, so that a missing store still becomes a status. */
async function streamResponse(
  first: string,
  members: Members,
  write: (member: Described["resource"]) => string,
): Promise<Response> {
  const portions = writePortions(members, write);
  const head = `${XML_HEAD}<D:multistatus xmlns:D="DAV:">${first}`;
  const [folders, files] = [await portions.next(), await portions.next()];
  async function* writeDocument() {
    yield head + (folders.value ?? "") + (files.value ?? "");
    yield* portions;
    yield "</D:multistatus>\n";
  }
  const body = createReadableStreamFromReadable(Readable.from(writeDocument(), { objectMode: false }));
  return new Response(body, {
    status: 207,
    headers: { "Content-Type": XML_TYPE, "Cache-Control": "private, no-store" },
  });
}

async function* writePortions(
  members: Members,
  write: (member: Described["resource"]) => string,
): AsyncGenerator<string> {
  for await (const portion of members) {
    yield portion.map(write).join("");
    await setImmediate();
  }
}

function writeResponse(
  resource: Described["resource"],
  present: readonly string[],
  missing: readonly string[],
): string {
  const propstats = [
    present.length > 0 || missing.length === 0 ? writePropstat(present, 200) : "",
    missing.length > 0 ? writePropstat(missing, 404) : "",
  ];
  const href = davElement("href", toHref(resource.names, resource.kind === "folder"));
  return davElement("response", href + propstats.join(""));
}

const writePropstat = (properties: readonly string[], status: number) =>
  davElement("propstat", davElement("prop", properties.join("")) + statusLine(status));

function findProperties(
  described: Described,
  requested: PropertyRequest,
): { present: string[]; missing: string[] } {
  const dead = listDeadProperties(described.resource);
  const live = Object.keys(LIVE_PROPERTIES).filter((name) => !ONLY_BY_NAME.includes(name));
  if (requested.kind === "names") {
    const names = live.filter((name) => LIVE_PROPERTIES[name]?.(described) !== null);
    return { present: [...names.map((name) => davElement(name)), ...dead.map(emptyElement)], missing: [] };
  }
  const all = requested.kind === "all" ? live.map((name) => writeLive(described, name)) : [];
  const present = all.filter((xml) => xml !== null);
  if (requested.kind === "all") present.push(...dead.map(({ xml }) => xml));
  const missing: string[] = [];
  for (const property of requested.names) {
    const xml =
      property.namespace === DAV && hasKey(LIVE_PROPERTIES, property.name)
        ? writeLive(described, property.name)
        : dead.find(({ namespace, name }) => namespace === property.namespace && name === property.name)?.xml;
    if (xml) present.push(xml);
    else missing.push(emptyElement(property));
  }
  return { present, missing };
}

function writeLive(described: Described, name: string): string | null {
  const inner = LIVE_PROPERTIES[name]?.(described) ?? null;
  return inner === null ? null : davElement(name, inner);
}
