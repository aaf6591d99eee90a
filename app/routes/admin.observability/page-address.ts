import { writeSort } from "#domain/sort.ts";
import type { ObservabilityPage } from "./observability-view.server.ts";

export const PAGE = "/admin/observability";

type Changes = Partial<Record<string, string | undefined>>;

/** The same page with some of what it is asked for changed. */
export function buildAddress(asked: ObservabilityPage["asked"], changes: Changes, hash = ""): string {
  const { chosen, timerange, severity, status, search, sort, refresh } = asked;
  const kept: Changes = {
    ...(chosen ?? { timerange: timerange === "24h" ? undefined : timerange }),
    severity,
    status,
    search,
    sort: writeSort(sort) === "-p95_ms" ? undefined : writeSort(sort),
    refresh: refresh ? undefined : "off",
    ...changes,
  };
  const given = Object.entries(kept).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const query = new URLSearchParams(given);
  return `${PAGE}${query.size > 0 ? `?${query}` : ""}${hash}`;
}
