import type { Db } from "#db/client.ts";
import type { EventResource } from "#domain/events/event-resource.ts";

type FaultEvent = "db_save_code_snippet_error" | "db_get_latest_version_error" | "db_delete_file_error";

/** What is only known once the work has begun is computed when it has failed. */
type Subject = EventResource | (() => EventResource);

/** Announces a fault by its kind alone, because its message may quote what it was about, and passes it on. */
export async function emitOnFault<T>(
  event: FaultEvent,
  db: Db,
  about: Subject,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const resource = typeof about === "function" ? about() : about;
    db.emit(event, { error: error instanceof Error ? error.name : typeof error, resource });
    throw error;
  }
}
