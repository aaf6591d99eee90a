import { endpoint } from "#app/web/api/api.server.ts";
import { findInstructions } from "#db/accounts/agent-instructions.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { composePrimer, PRIMER_FILES } from "#domain/accounts/agent-instructions.ts";
import { isRefusal } from "#domain/refusal.ts";
import { redact } from "#platform/secrets/redact.ts";

const CACHING = { "Cache-Control": "private, max-age=60" };

/** The introduction for an agent, with secrets removed from its text. */
export const agentEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/agent/primer",
    gate: "user",
    summary: "Get the instructions for agents",
    returns: { 200: "text/plain", 204: null },
    answer: async ({ signedIn, services: { db } }) => {
      const [{ text }, page] = await Promise.all([
        findInstructions(db, signedIn.user.id),
        listFiles(db, signedIn.user.id, { sort: "created_at_desc", limit: PRIMER_FILES }),
      ]);
      if (isRefusal(page)) return page;
      const files = page.files.map(({ id, file_name }) => ({ id, file_name: String(redact(file_name)) }));
      const primer = composePrimer(String(redact(text)), files);
      if (primer === "") return new Response(null, { status: 204, headers: CACHING });
      return new Response(primer, { headers: { ...CACHING, "Content-Type": "text/plain; charset=utf-8" } });
    },
  }),
];
