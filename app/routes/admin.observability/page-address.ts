import { toSortText } from "#domain/sort.ts";
import type { ObservabilityPage } from "./observability-view.server.ts";

export const PAGE = "/admin/observability";

type Changes = Partial<Record<string, string | undefined>>;

export function buildAddress(query: ObservabilityPage["query"], changes: Changes, hash = ""): string {
  const { chosen, timerange, severity, status, search, sort, request, refresh } = query;
  const parameters: Changes = {
    ...(chosen ?? { timerange: timerange === "24h" ? undefined : timerange }),
    severity,
    status,
    search,
    sort: toSortText(sort) === "-p95_ms" ? undefined : toSortText(sort),
    request,
    refresh: refresh ? undefined : "off",
    ...changes,
  };
  const entries = Object.entries(parameters).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const params = new URLSearchParams(entries);
  return `${PAGE}${params.size > 0 ? `?${params}` : ""}${hash}`;
}
