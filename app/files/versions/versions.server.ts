import { z } from "zod";
import { savedOnWire, savedShape } from "#app/files/file-wire.server.ts";
import { endpoint } from "#app/http/api/api.server.ts";
import { restoreVersion } from "#db/files/file-history.server.ts";
import { isRefusal } from "#domain/refusal.ts";

export const versionEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/file/:file_id/restore-version",
    gate: "user",
    summary: "Restore a version",
    returns: { 200: savedShape.extend({ restored: z.int().min(1) }) },
    body: z.object({ version: z.number().int().min(1) }),
    answer: async ({ services: { db, clock }, visitor, params, body }) => {
      const saved = await restoreVersion(db, visitor.user.id, params.file_id, body.version, clock());
      return isRefusal(saved) ? saved : { ok: true, ...savedOnWire(saved), restored: body.version };
    },
  }),
];
