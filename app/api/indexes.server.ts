import { endpoint } from "#app/http/api.server.ts";
import { reportBinExpiry } from "#db/bin-repair.server.ts";
import { listIndexRows } from "#db/index-report.server.ts";

export const indexEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/indexes",
    gate: "admin",
    answer: async ({ shelf: { db, clock } }) => {
      const [collections, recycle_bin_ttl] = await Promise.all([
        listIndexRows(db),
        reportBinExpiry(db, clock()),
      ]);
      return { ok: true, collections, recycle_bin_ttl };
    },
  }),
];
