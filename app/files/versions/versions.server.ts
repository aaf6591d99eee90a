import { z } from "zod";
import { savedShape, toWireSavedFile } from "#app/files/file-wire.server.ts";
import { parseVersionNumber } from "#app/files/versions/shown-version.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { count, createLimitParam, cursorParam, ok, timestamp } from "#app/web/api/shapes.server.ts";
import type { Db } from "#db/client.ts";
import { restoreVersion } from "#db/files/file-history.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { listVersions } from "#db/files/file-versions.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const VERSIONS_PAGE_SIZE = 20;
export const VERSIONS_LIMIT_MAX = 100;

const versionsQuery = z.object({
  cursor: cursorParam,
  limit: createLimitParam(VERSIONS_PAGE_SIZE, VERSIONS_LIMIT_MAX),
});

const versionShape = z
  .object({
    version: z.int().min(1),
    size_bytes: count,
    lines: count,
    created_at: timestamp,
    note: z.null().meta({ description: "Versions have no notes." }),
  })
  .meta({ id: "FileVersion" });

export const versionEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/file/:file_id/versions",
    gate: "user",
    summary: "List the versions of a file, newest first",
    onFailure: { ok: false },
    refuses: ["invalid_cursor"],
    returns: {
      200: z.object({ ok, versions: z.array(versionShape), next_cursor: z.string().nullable() }),
    },
    query: versionsQuery,
    answer: async ({ services: { db }, signedIn: { user }, params: { file_id }, query }) => {
      const page = await listVersionPage(db, user.id, file_id, query);
      return isRefusal(page) ? page : { ok: true, ...page };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/file/:file_id/restore-version",
    gate: "user",
    summary: "Restore a version",
    refuses: ["version_not_found", "library_full"],
    returns: { 200: savedShape.extend({ restored: z.int().min(1) }) },
    body: z.object({ version: z.number().int().min(1) }),
    answer: async ({ services: { db, clock }, signedIn, params, body }) => {
      const saved = await restoreVersion(db, signedIn.user.id, params.file_id, body.version, clock());
      return isRefusal(saved) ? saved : { ok: true, ...toWireSavedFile(saved), restored: body.version };
    },
  }),
];

type ListedVersion = { version: number; size_bytes: number; lines: number; created_at: Date };

function toWireVersion({ version, size_bytes, lines, created_at }: ListedVersion) {
  return { version, size_bytes, lines, created_at: toTimestamp(created_at), note: null };
}

export async function listVersionPage(
  db: Db,
  ownerId: string,
  file_id: string,
  { cursor, limit = VERSIONS_PAGE_SIZE }: { cursor?: string; limit?: number },
) {
  const before = cursor === undefined ? undefined : parseVersionNumber(cursor);
  if (before === null) return Refusal("invalid_cursor");
  const file = await findFile(db, ownerId, file_id);
  if (!file) return Refusal("file_not_found", { file_id });
  const { versions, more } = await listVersions(db, ownerId, file, { before, limit });
  const last = more ? versions.at(-1) : undefined;
  return { versions: versions.map(toWireVersion), next_cursor: last ? String(last.version) : null };
}
