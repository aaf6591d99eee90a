import { z } from "zod";
import { endpoint } from "#app/web/api/api.server.ts";
import { count, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import { countFilesByValue } from "#db/files/listing/file-facets.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const RECENT_FILES = 10;

const recentFile = z.object({
  id: opaqueId,
  file_name: z.string(),
  language: z.string(),
  created_at: timestamp,
});
const statsShape = z.object({
  total_files: count,
  languages: z.record(z.string(), count),
  recent_files: z.array(recentFile),
});

export const statsEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/stats",
    gate: "user",
    summary: "Get library statistics",
    returns: { 200: statsShape },
    answer: async ({ services: { db }, signedIn: { user } }) => {
      const [languages, recent] = await Promise.all([
        countFilesByValue(db, user.id, "language"),
        listFiles(db, user.id, { sort: "created_at_desc", limit: RECENT_FILES }),
      ]);
      if (isRefusal(recent)) return recent;
      return {
        total_files: languages.reduce((total, { count }) => total + count, 0),
        languages: Object.fromEntries(languages.map(({ value, count }) => [value, count])),
        recent_files: recent.files.map(({ id, file_name, language, created_at }) => ({
          id,
          file_name,
          language,
          created_at: toTimestamp(created_at),
        })),
      };
    },
  }),
];
