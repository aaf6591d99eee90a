/** What an event is about. */
export type EventResource = { type: string; id: string };

/** Fields that name a thing by themselves, the most telling first, and what it is. */
const NAMING_FIELDS: readonly [field: string, type: string][] = [
  ["run_id", "job_run"],
  ["alert_uid", "alert"],
  ["share_id", "share"],
  ["endpoint_hash", "device"],
  ["worker_id", "worker"],
  ["index", "index"],
  ["repo", "repo"],
];

/** The thing that an event's own fields name, or null for an event that concerns none. */
export function findResource(fields: Readonly<Record<string, unknown>>): EventResource | null {
  for (const [field, type] of NAMING_FIELDS) {
    const id = fields[field];
    if (typeof id === "string" && id !== "") return { type, id };
  }
  return null;
}
