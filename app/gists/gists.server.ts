import { z } from "zod";
import { fetchGist } from "#app/gists/read-gists.server.ts";
import { saveGists } from "#app/gists/save-gists.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, ok, opaqueId } from "#app/web/api/shapes.server.ts";
import { GIST_JSON_MAX_BYTES } from "#domain/files/gist.ts";
import { gistImport } from "#domain/files/gist-schema.ts";
import { isRefusal } from "#domain/refusal.ts";

export const gistEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "POST",
    path: "/api/gists",
    gate: "user",
    summary: "Import gists of the code host as folders and files",
    body: { deferred: gistImport, maxBytes: GIST_JSON_MAX_BYTES },
    refuses: [
      "invalid_gist",
      "invalid_gist_url",
      "gist_not_found",
      "codehost_session_required",
      "codehost_not_configured",
      "codehost_rate_limited",
      "codehost_timeout",
      "codehost_failed",
      "library_full",
    ],
    returns: {
      200: z.object({
        ok,
        folders: z.array(z.object({ id: opaqueId, name: z.string() })),
        files: count,
        unchanged: count,
        skipped: z.array(z.object({ name: z.string(), why: z.string() })),
      }),
    },
    answer: async ({ services, signedIn, body }) => {
      const fields = await body();
      if (isRefusal(fields)) return fields;
      const gists = fields.gist ?? (await fetchGist(services, signedIn, fields.url ?? ""));
      if (isRefusal(gists)) return gists;
      return { ok: true, ...(await saveGists(services.db, signedIn.user.id, gists, services.clock())) };
    },
  }),
]);
