import type { MongoClient } from "mongodb";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";

/** Why the driver says that there is no connection. */
const CHECKOUT_FAILURES = ["connectionError", "poolClosed", "timeout"];

/** Follows the driver's pool of connections: how many there are, how many are in use, and how long questions wait for one. */
export function measurePool(client: MongoClient, metrics: Metrics): void {
  const now = { open: 0, in_use: 0, waiting: 0 };
  for (const state of ["open", "in_use"] as const)
    metrics.gauge("codeshelf_db_connections", { state }, () => now[state]);
  metrics.gauge("codeshelf_db_checkouts_waiting", {}, () => now.waiting);
  for (const reason of CHECKOUT_FAILURES)
    metrics.startAtZero("codeshelf_db_checkout_failures_total", { reason });
  client.on("connectionCreated", () => void now.open++);
  client.on("connectionClosed", () => void now.open--);
  client.on("connectionCheckOutStarted", () => void now.waiting++);
  client.on("connectionCheckedIn", () => void now.in_use--);
  client.on("connectionCheckedOut", ({ durationMS }) => {
    now.waiting--;
    now.in_use++;
    metrics.observe("codeshelf_db_checkout_seconds", durationMS / SECOND_MS);
  });
  client.on("connectionCheckOutFailed", ({ reason }) => {
    now.waiting--;
    metrics.count("codeshelf_db_checkout_failures_total", { reason: String(reason) });
  });
}
