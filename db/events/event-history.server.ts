import { type Filter, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { readInPages } from "#db/core/pages.ts";
import type { EventDoc, EventRecord } from "#db/events/documents.ts";
import type { ListCursor } from "#domain/cursor.ts";
import type { Severity } from "#domain/events/severity.ts";
import type { TimeWindow } from "#domain/events/time-window.ts";

const PAGE_SIZE = 1_000;

export type StoredEvent = EventRecord & { event_id: string };

type EventQuery = {
  window: TimeWindow;
  severity?: Severity;
  event?: string;
  /** The id of a request or a job's run in which the events happened, or which they are about. */
  request_id?: string;
  after?: ListCursor | null;
  newestFirst?: true;
  limit: number;
};

const listIndex = ({ event, severity }: EventQuery) =>
  event ? "by_event" : severity ? "by_severity" : "by_time";

export async function listEvents(db: Db, query: EventQuery): Promise<StoredEvent[]> {
  const direction = query.newestFirst ? -1 : 1;
  const docs = await db.events
    .find(toFilter(query), { hint: listIndex(query) })
    .sort({ timestamp: direction, _id: direction })
    .limit(query.limit)
    .toArray();
  return docs.map(toStored);
}

export async function* readEvents(db: Db, window: TimeWindow): AsyncGenerator<StoredEvent> {
  const events = readInPages(db.events, {
    filter: toFilter({ window }),
    order: { timestamp: 1, _id: 1 },
    pageSize: PAGE_SIZE,
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
  const from = after ? new Date(after.createdAtMs) : null;
  const past = newestFirst ? "$lt" : "$gt";
  const clauses: Filter<EventDoc>[] = [];
  if (request_id) clauses.push({ $or: [{ request_id }, { "resource.id": request_id }] });
  if (after && from)
    clauses.push({
      $or: [{ timestamp: { [past]: from } }, { timestamp: from, _id: { [past]: new ObjectId(after.id) } }],
    });
  const { start, end } = window;
  const timeRange = !from
    ? { $gte: start, $lt: end }
    : newestFirst
      ? { $gte: start, $lte: from < end ? from : end }
      : { $gte: from > start ? from : start, $lt: end };
  return {
    timestamp: timeRange,
    ...(severity ? { severity } : {}),
    ...(event ? { event } : {}),
    ...(clauses.length > 0 ? { $and: clauses } : {}),
  };
}

const toStored = ({ _id, ...event }: EventDoc): StoredEvent => ({ event_id: _id.toHexString(), ...event });
