export type EventResource = { type: string; id: string };

/** Fields that name the subject of an event, in order of preference, with its type. */
export const NAMING_FIELDS = [
  ["run_id", "job_run"],
  ["alert_uid", "alert"],
  ["share_id", "share"],
  ["endpoint_hash", "device"],
  ["worker_id", "worker"],
  ["index", "index"],
] as const;
export type NamingField = (typeof NAMING_FIELDS)[number][0];

export const isNamingField = (field: string): boolean => NAMING_FIELDS.some(([name]) => name === field);

/** Reads the subject from an event's own fields; null if they name none. */
export function findResource(fields: Readonly<Record<string, unknown>>): EventResource | null {
  for (const [field, type] of NAMING_FIELDS) {
    const id = fields[field];
    if (typeof id === "string" && id !== "") return { type, id };
  }
  return null;
}
