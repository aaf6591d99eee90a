import { type Filter, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { EventDoc, EventRecord } from "#db/events/documents.ts";
import { readInPages } from "#db/pages.ts";
import type { ListCursor } from "#domain/cursor.ts";
import type { Severity } from "#domain/events/severity.ts";
import type { TimeWindow } from "#domain/events/time-window.ts";

const READ_AT_ONCE = 1_000;

/** An event as it was kept. */
export type StoredEvent = EventRecord & { event_id: string };

type EventQuery = {
  window: TimeWindow;
  severity?: Severity;
  event?: string;
  /** The request, or the run of a job, in which they happened or which they are about. */
  request_id?: string;
  after?: ListCursor | null;
  newestFirst?: true;
  limit: number;
};

/** The narrowest index that holds the order of the list. */
const listIndex = ({ event, severity }: EventQuery) =>
  event ? "by_event" : severity ? "by_severity" : "by_time";

/** The events of a window as they happened, oldest first unless the newest are asked for. */
export async function listEvents(db: Db, query: EventQuery): Promise<StoredEvent[]> {
  const direction = query.newestFirst ? -1 : 1;
  const docs = await db.events
    .find(toFilter(query), { hint: listIndex(query) })
    .sort({ timestamp: direction, _id: direction })
    .limit(query.limit)
    .toArray();
  return docs.map(toStored);
}

/** The same, as many as there are, without holding them all. */
export async function* eachEvent(db: Db, window: TimeWindow): AsyncGenerator<StoredEvent> {
  const events = readInPages(db.events, {
    filter: toFilter({ window }),
    order: { timestamp: 1, _id: 1 },
    pageSize: READ_AT_ONCE,
  });
  for await (const doc of events) yield toStored(doc);
}

function toFilter({
  window,
  severity,
  event,
  request_id,
  after,
  newestFirst,
}: Omit<EventQuery, "limit">): Filter<EventDoc> {
  const at = after ? new Date(after.createdAtMs) : null;
  const beyond = newestFirst ? "$lt" : "$gt";
  const either: Filter<EventDoc>[] = [];
  if (request_id) either.push({ $or: [{ request_id }, { "resource.id": request_id }] });
  if (after && at)
    either.push({
      $or: [{ timestamp: { [beyond]: at } }, { timestamp: at, _id: { [beyond]: new ObjectId(after.id) } }],
    });
  const { start, end } = window;
  const within = !at
    ? { $gte: start, $lt: end }
    : newestFirst
      ? { $gte: start, $lte: at < end ? at : end }
      : { $gte: at > start ? at : start, $lt: end };
  return {
    timestamp: within,
    ...(severity ? { severity } : {}),
    ...(event ? { event } : {}),
    ...(either.length > 0 ? { $and: either } : {}),
  };
}

const toStored = ({ _id, ...rest }: EventDoc): StoredEvent => ({ event_id: _id.toHexString(), ...rest });
