import { createJunkEtag, type Resource } from "#app/dav/resource.server.ts";
import { davElement, escapeXml } from "#app/dav/xml-write.ts";
import { createFileEtag } from "#app/files/file-etag.ts";
import type { DavLock } from "#domain/dav/dav-lock.ts";
import { toHref } from "#domain/dav/dav-path.ts";
import type { DeadProperty } from "#domain/files/dead-property.ts";

type LibraryUsage = { used_bytes: number; max_bytes: number | null };

/** The input of properties. `usage` is set for a folder whose quota was requested. */
export type Described = {
  resource: Exclude<Resource, { kind: "missing" }>;
  locks: readonly DavLock[];
  usage: LibraryUsage | null;
  now: Date;
};

type LiveProperty = (described: Described) => string | null;

const LIBRARY_NAME = "Codeshelf";
const TEXT_TYPE = "text/plain; charset=utf-8";

const ENTRIES = ["exclusive", "shared"].map((scope) =>
  davElement(
    "lockentry",
    davElement("lockscope", davElement(scope)) + davElement("locktype", davElement("write")),
  ),
);
const SUPPORTED_LOCK = ENTRIES.join("");

/** Properties derived from the library, by their names in `DAV:`; null if a resource lacks one. Clients cannot set them. */
export const LIVE_PROPERTIES: Record<string, LiveProperty> = {
  creationdate: ({ resource }) => findDates(resource)?.created.toISOString() ?? null,
  displayname: ({ resource: { names } }) => escapeXml(names.at(-1) ?? LIBRARY_NAME),
  getcontentlength: ({ resource }) => {
    if (resource.kind === "folder") return null;
    return String(resource.kind === "file" ? resource.file.size_bytes : resource.junk.bytes.byteLength);
  },
  getcontenttype: ({ resource }) => {
    if (resource.kind === "folder") return null;
    return resource.kind === "file" ? TEXT_TYPE : "application/octet-stream";
  },
  getetag: ({ resource }) => {
    if (resource.kind === "folder") return null;
    return escapeXml(
      resource.kind === "file" ? createFileEtag(resource.file) : createJunkEtag(resource.junk),
    );
  },
  getlastmodified: ({ resource }) => findDates(resource)?.modified.toUTCString() ?? null,
  resourcetype: ({ resource }) => (resource.kind === "folder" ? davElement("collection") : ""),
  supportedlock: () => SUPPORTED_LOCK,
  lockdiscovery: ({ locks, now }) => locks.map((lock) => writeLock(lock, now)).join(""),
  "quota-available-bytes": ({ usage }) =>
    usage && usage.max_bytes !== null ? String(Math.max(0, usage.max_bytes - usage.used_bytes)) : null,
  "quota-used-bytes": ({ usage }) => (usage ? String(usage.used_bytes) : null),
};

/** RFC 4331: sent only if requested by name. */
export const ONLY_BY_NAME: readonly string[] = ["quota-available-bytes", "quota-used-bytes"];

function findDates(resource: Described["resource"]): { created: Date; modified: Date } | null {
  if (resource.kind === "junk")
    return { created: resource.junk.written_at, modified: resource.junk.written_at };
  if (resource.kind === "file") return { created: resource.file.created_at, modified: resource.modified };
  const { folder } = resource;
  return folder && { created: folder.created_at, modified: folder.updated_at };
}

export function listDeadProperties(resource: Described["resource"]): readonly DeadProperty[] {
  if (resource.kind === "file") return resource.properties;
  return resource.kind === "folder" ? (resource.folder?.dead_properties ?? []) : [];
}

export function writeLock(
  { scope, depth, owner, token, names, isFolder, expires_at }: DavLock,
  now: Date,
): string {
  const seconds = Math.max(0, Math.round((expires_at.getTime() - now.getTime()) / 1_000));
  const parts = [
    davElement("locktype", davElement("write")),
    davElement("lockscope", davElement(scope)),
    davElement("depth", depth),
    owner,
    davElement("timeout", `Second-${seconds}`),
    davElement("locktoken", davElement("href", escapeXml(token))),
    davElement("lockroot", davElement("href", toHref(names, isFolder))),
  ];
  return davElement("activelock", parts.join(""));
}
