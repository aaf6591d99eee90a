import { z } from "zod";
import { answerText } from "#app/files/file-text.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { createNumberText } from "#app/web/api/shapes.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { findFileByPath } from "#db/files/folders/folder-files.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const contentQuery = z.object({
  version: createNumberText({ minimum: 1 }).describe(
    "Number of the version; the newest if you leave it out.",
  ),
});
const TEXT = "text/plain";
const returns = { 200: TEXT, 206: TEXT } as const;

/** The exact text of a file by its id or path. */
export const fileContentEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/file/:file_id/content",
    gate: "user",
    summary: "Read the exact text of a file",
    conditions: ["If-None-Match"],
    returns,
    query: contentQuery,
    refuses: ["version_not_found", "range_not_satisfiable"],
    answer: async ({ request, services: { db }, signedIn: { user }, params: { file_id }, query }) => {
      const file = await findFile(db, user.id, file_id);
      if (!file) return Refusal("file_not_found", { file_id });
      return answerText(db, request, file, query.version);
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/files/*path",
    gate: "user",
    summary: "Read the exact text of the file at this path",
    description:
      "The answer has a strong ETag for `If-Match` and `If-None-Match`, X-File-Id and X-File-Version.",
    conditions: ["If-None-Match"],
    returns,
    query: contentQuery,
    refuses: ["version_not_found", "range_not_satisfiable"],
    answer: async ({ request, services: { db }, signedIn: { user }, params: { path }, query }) => {
      const file = await findFileByPath(db, user.id, path);
      if (isRefusal(file)) return file;
      return answerText(db, request, file, query.version);
    },
  }),
];
