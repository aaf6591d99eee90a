import type { MongoClient } from "mongodb";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";

/** The driver's reasons for a failed checkout. */
const CHECKOUT_FAILURES = ["connectionError", "poolClosed", "timeout"];

/** Measures the driver's connection pool: connections, connections in use, and the waiting time for a connection. */
export function measurePool(client: MongoClient, metrics: Metrics): void {
  const counts = { open: 0, in_use: 0, waiting: 0 };
  for (const state of ["open", "in_use"] as const)
    metrics.gauge("codeshelf_db_connections", { state }, () => counts[state]);
  metrics.gauge("codeshelf_db_checkouts_waiting", {}, () => counts.waiting);
  for (const reason of CHECKOUT_FAILURES)
    metrics.startAtZero("codeshelf_db_checkout_failures_total", { reason });
  client.on("connectionCreated", () => void counts.open++);
  client.on("connectionClosed", () => void counts.open--);
  client.on("connectionCheckOutStarted", () => void counts.waiting++);
  client.on("connectionCheckedIn", () => void counts.in_use--);
  client.on("connectionCheckedOut", ({ durationMS }) => {
    counts.waiting--;
    counts.in_use++;
    metrics.observe("codeshelf_db_checkout_seconds", durationMS / SECOND_MS);
  });
  client.on("connectionCheckOutFailed", ({ reason }) => {
    counts.waiting--;
    metrics.count("codeshelf_db_checkout_failures_total", { reason: String(reason) });
  });
}
