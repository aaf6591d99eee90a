import { createHash } from "node:crypto";
import { type Filter, ObjectId } from "mongodb";
import type { AlertDoc } from "#db/alerts/documents.ts";
import type { Db } from "#db/client.ts";
import { escapeRegex } from "#db/escape-regex.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { readInPages } from "#db/pages.ts";
import { type Alarm, type Alert, COOLDOWN_MINUTES } from "#domain/alerts/alert.ts";
import type { ListCursor } from "#domain/cursor.ts";
import { SEVERITIES, type Severity } from "#domain/events/severity.ts";
import { listSteps, type TimeWindow } from "#domain/events/time-window.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { mapKeys } from "#domain/typed-keys.ts";
import { redact } from "#platform/secrets/redact.ts";

const READ_AT_ONCE = 1_000;
const START_KEPT_MS = 29 * DAY_MS;

/** An alert from Alertmanager, already parsed. */
export type IncomingAlert = Pick<Alert, "name" | "severity" | "summary" | "status" | "metadata"> & {
  fingerprint: string;
  started_at: Date;
  ended_at: Date | null;
};

/**
 * Stores what Alertmanager sends. It repeats an alert while it lasts and reports its end: the same alert with the same start is one
 * record. A repetition that arrives after the end does not undo it.
 */
export async function recordAlerts(db: Db, incoming: readonly IncomingAlert[], now: Date): Promise<void> {
  for (const alert of incoming) {
    const { fingerprint, started_at, ended_at, status, ...known } = alert;
    const uid = digestUid(`${fingerprint} ${started_at.toISOString()}`);
    const ending = status === "resolved" ? { status, ended_at } : {};
    await db.alerts.updateOne(
      { _id: uid },
      {
        $setOnInsert: {
          ...known,
          metadata: redact(known.metadata),
          timestamp: clampStart(started_at, now),
          source: "alertmanager",
          ...(status === "firing" ? { status, ended_at: null } : {}),
        },
        $set: { last_seen_at: now, ...ending },
        $inc: { repeats: 1 },
      },
      { upsert: true },
    );
    db.emit("alert_received", {
      alert_uid: uid,
      name: known.name.slice(0, 120),
      status,
      resource: { type: "alert", id: uid },
    });
  }
}

/** Neither in the future nor so long ago that the store would remove the alert at once. */
const clampStart = (startedAt: Date, now: Date) =>
  new Date(Math.min(now.getTime(), Math.max(startedAt.getTime(), now.getTime() - START_KEPT_MS)));

const digestUid = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 24);

/**
 * Raises an alert of our own, or, where its subject was raised a short while ago by whichever process, counts it on that one.
 * The subject is claimed first by a conditional write. If a crash keeps the alert from being written, the next alarm
 * writes it. True where a new alert was raised.
 */
export async function raiseAlert(db: Db, alarm: Alarm, now: Date): Promise<boolean> {
  const key = makeAlarmKey(alarm.rule, alarm.subject);
  const fresh = new ObjectId().toHexString();
  const alert_uid = await claimSubject(db, key, fresh, COOLDOWN_MINUTES[alarm.rule] * MINUTE_MS, now);
  const { rule: name, severity, summary, metadata } = alarm;
  const done = await db.alerts.updateOne(
    { _id: alert_uid },
    {
      $setOnInsert: {
        name,
        severity,
        summary,
        metadata: { ...redact(metadata), subject: alarm.subject },
        timestamp: now,
        source: "internal",
        status: "firing",
        ended_at: null,
      },
      $set: { last_seen_at: now },
      $inc: { repeats: 1 },
    },
    { upsert: true },
  );
  const raised = done.upsertedCount === 1;
  if (raised) db.emit("alert_raised", { alert_uid, name, resource: { type: "alert", id: alert_uid } });
  return raised;
}

export const makeAlarmKey = (rule: string, subject: string) => `${rule} ${subject}`;

async function claimSubject(
  db: Db,
  key: string,
  fresh: string,
  cooldownMs: number,
  now: Date,
): Promise<string> {
  try {
    await db.alert_cooldowns.updateOne(
      { _id: key, raised_at: { $lte: new Date(now.getTime() - cooldownMs) } },
      { $set: { raised_at: now, alert_uid: fresh } },
      { upsert: true },
    );
    return fresh;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await db.alert_cooldowns.findOne({ _id: key }))?.alert_uid ?? fresh;
  }
}

type AlertQuery = {
  window: TimeWindow;
  severity?: Severity;
  status?: Alert["status"];
  search?: string;
  /** Names that fit what is searched for, whatever the alert itself says. */
  names?: readonly string[];
  /** Counted from 1; where `after` is given it only names the page. */
  page: number;
  perPage: number;
  /** The last alert of the page before. */
  after?: ListCursor | null;
};

type AlertPage = { alerts: Alert[]; total: number; next: ListCursor | null };

/** It holds the order of the list, and all that is counted but the words looked for. */
const listIndex = ({ severity }: AlertQuery) => (severity ? "by_severity" : "by_time");

const NEWEST_FIRST = { timestamp: -1, _id: -1 } as const;
const KEYS_AT_ONCE = 1_000;

/** A page of alerts, newest first, how many there are in all, and where the next page begins. */
export async function listAlerts(db: Db, query: AlertQuery): Promise<AlertPage> {
  const { page, perPage } = query;
  const counting = db.alerts.countDocuments(toFilter(query, null), { hint: listIndex(query) });
  const [after, total] = await Promise.all([
    query.after ?? (page > 1 ? endOfPage(db, query, (page - 1) * perPage, counting) : null),
    counting,
  ]);
  if (after === "beyond") return { alerts: [], total, next: null };
  const found = await db.alerts
    .find(toFilter(query, after), { hint: listIndex(query) })
    .sort(NEWEST_FIRST)
    .limit(perPage + 1)
    .toArray();
  const shown = found.slice(0, perPage);
  const last = found.length > perPage ? shown.at(-1) : undefined;
  return { alerts: shown.map(toAlert), total, next: last ? toCursor(last) : null };
}

const toCursor = ({ timestamp, _id }: Pick<AlertDoc, "_id" | "timestamp">): ListCursor => ({
  createdAtMs: timestamp.getTime(),
  id: _id,
});

/** The place after so many alerts, found by keys alone, for a page that is named by its number. */
async function endOfPage(
  db: Db,
  query: AlertQuery,
  places: number,
  counting: Promise<number>,
): Promise<ListCursor | null | "beyond"> {
  if (places >= (await counting)) return "beyond";
  let end: ListCursor | null = null;
  for (let left = places; left > 0; ) {
    const keys: Pick<AlertDoc, "_id" | "timestamp">[] = await db.alerts
      .find(toFilter(query, end), { hint: listIndex(query) })
      .project<Pick<AlertDoc, "_id" | "timestamp">>({ timestamp: 1 })
      .sort(NEWEST_FIRST)
      .limit(Math.min(left, KEYS_AT_ONCE))
      .toArray();
    const last = keys.at(-1);
    if (!last) return "beyond";
    end = toCursor(last);
    left -= keys.length;
  }
  return end;
}

function toFilter(
  { window, severity, status, search, names = [] }: AlertQuery,
  after: ListCursor | null,
): Filter<AlertDoc> {
  const words = search && { $regex: escapeRegex(search), $options: "i" };
  const from = after && new Date(after.createdAtMs);
  const either: Filter<AlertDoc>[] = [];
  if (words) either.push({ $or: [{ name: words }, { summary: words }, { name: { $in: [...names] } }] });
  if (from) either.push({ $or: [{ timestamp: { $lt: from } }, { timestamp: from, _id: { $lt: after.id } }] });
  return {
    timestamp: { $gte: window.start, ...(from ? { $lte: from, $lt: window.end } : { $lt: window.end }) },
    ...(severity ? { severity } : {}),
    ...(status ? { status } : {}),
    ...(either.length > 0 ? { $and: either } : {}),
  };
}

/** How many alerts of each severity began in a window. */
export async function countAlertsBySeverity(
  db: Db,
  { start, end }: TimeWindow,
): Promise<Record<Severity, number>> {
  const count = (severity: Severity) =>
    db.alerts.countDocuments({ severity, timestamp: { $gte: start, $lt: end } }, { hint: "by_severity" });
  const counts = await Promise.all(SEVERITIES.map(async (severity) => [severity, await count(severity)]));
  return Object.fromEntries(counts);
}

/** Oldest first, as many as there are, without holding them all. */
export async function* eachAlert(db: Db, window: TimeWindow): AsyncGenerator<Alert> {
  const alerts = readInPages(db.alerts, {
    filter: { timestamp: { $gte: window.start, $lt: window.end } },
    order: { timestamp: 1, _id: 1 },
    pageSize: READ_AT_ONCE,
  });
  for await (const doc of alerts) yield toAlert(doc);
}

export async function findAlert(db: Db, alertUid: string): Promise<Alert | null> {
  const doc = await db.alerts.findOne({ _id: alertUid });
  return doc && toAlert(doc);
}

type AlertStep = { at: Date; total: number } & Record<Severity, number>;

/** How many alerts began in each step of a window, by severity; quiet steps included. */
export async function listAlertSteps(db: Db, window: TimeWindow, stepSeconds: number): Promise<AlertStep[]> {
  const stepMs = stepSeconds * SECOND_MS;
  const found = await db.alerts
    .aggregate<{ _id: { step: number; severity: Severity }; count: number }>([
      { $match: { timestamp: { $gte: window.start, $lt: window.end } } },
      {
        $group: {
          _id: {
            step: { $floor: { $divide: [{ $toLong: "$timestamp" }, stepMs] } },
            severity: "$severity",
          },
          count: { $sum: 1 },
        },
      },
    ])
    .toArray();
  const quiet = mapKeys(SEVERITIES, () => 0);
  const steps = new Map(
    listSteps(window, stepSeconds).map((at) => [at.getTime(), { at, total: 0, ...quiet }]),
  );
  for (const { _id, count } of found) {
    const step = steps.get(Number(_id.step) * stepMs);
    if (!step) continue;
    step.total += count;
    step[_id.severity] += count;
  }
  return [...steps.values()];
}

export function toAlert({ _id, ...rest }: AlertDoc): Alert {
  return { alert_uid: _id, ...rest, repeats: rest.repeats - 1 };
}
