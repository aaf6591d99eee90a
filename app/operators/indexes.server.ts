import { z } from "zod";
import { endpoint } from "#app/web/api/api.server.ts";
import { ok } from "#app/web/api/shapes.server.ts";
import { reportTrashExpiry } from "#db/files/trash/trash-repair.server.ts";
import { listIndexRows } from "#db/open/indexes/index-report.server.ts";

const state = z.enum(["present", "missing", "different", "unchecked"]);
const indexShape = z.object({
  index: z.string(),
  key: z.record(z.string(), z.number()),
  options: z.record(z.string(), z.unknown()),
  state,
});

export const indexEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/indexes",
    gate: "admin",
    summary: "The wanted indexes of every collection, their state, and whether the trash empties itself",
    returns: {
      200: z.object({
        ok,
        collections: z.array(
          z.object({ collection: z.string(), indexes: z.array(indexShape), others: z.array(z.string()) }),
        ),
        recycle_bin_ttl: z.object({ state, overdue: z.number().nullable() }),
      }),
    },
    answer: async ({ services: { db, clock } }) => {
      const [collections, recycle_bin_ttl] = await Promise.all([
        listIndexRows(db),
        reportTrashExpiry(db, clock()),
      ]);
      return { ok: true, collections, recycle_bin_ttl };
    },
  }),
];
