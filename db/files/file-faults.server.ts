import type { Db } from "#db/client.ts";
import type { EventResource } from "#domain/events/event-resource.ts";

type FaultEvent = "db_save_code_snippet_error" | "db_get_latest_version_error" | "db_delete_file_error";

/** A function for a resource that is only known after the work began; it is called if the work fails. */
type Subject = EventResource | (() => EventResource);

/** Emits an event with only the kind of a fault, because its message may quote private content, and throws the fault again. */
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
