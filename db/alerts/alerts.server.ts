import { createHash } from "node:crypto";
import { type Filter, ObjectId } from "mongodb";
import type { AlertDoc } from "#db/alerts/documents.ts";
import type { Db } from "#db/client.ts";
import { escapeRegex } from "#db/core/escape-regex.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { readInPages } from "#db/core/pages.ts";
import { type Alarm, type Alert, COOLDOWN_MINUTES } from "#domain/alerts/alert.ts";
import type { ListCursor } from "#domain/cursor.ts";
import { SEVERITIES, type Severity } from "#domain/events/severity.ts";
import { listSteps, type TimeWindow } from "#domain/events/time-window.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { mapKeys } from "#domain/typed-keys.ts";
import { redact } from "#platform/secrets/redact.ts";

const READ_AT_ONCE = 1_000;
const START_KEPT_MS = 29 * DAY_MS;

export type IncomingAlert = Pick<Alert, "name" | "severity" | "summary" | "status" | "metadata"> & {
  fingerprint: string;
  started_at: Date;
  ended_at: Date | null;
};

/**
 * Stores alerts of Alertmanager. It repeats an alert while it lasts and reports its end; the same alert with the same start is
 * one record. A repetition that arrives after the end does not undo it.
 */
export async function recordAlerts(db: Db, incoming: readonly IncomingAlert[], now: Date): Promise<void> {
  for (const alert of incoming) {
    const { fingerprint, started_at, ended_at, status, ...fields } = alert;
    const uid = digestUid(`${fingerprint} ${started_at.toISOString()}`);
    const ending = status === "resolved" ? { status, ended_at } : {};
    await db.alerts.updateOne(
      { _id: uid },
      {
        $setOnInsert: {
          ...fields,
          metadata: redact(fields.metadata),
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
      name: fields.name.slice(0, 120),
      status,
      resource: { type: "alert", id: uid },
    });
  }
}

/** Limits the start to times that are not in the future and not so old that the alert would expire at once. */
const clampStart = (startedAt: Date, now: Date) =>
  new Date(Math.min(now.getTime(), Math.max(startedAt.getTime(), now.getTime() - START_KEPT_MS)));

const digestUid = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 24);

/**
 * Raises an internal alert; during the cooldown of its subject it counts as a repeat of the earlier alert, of any process. The
 * subject is claimed first by a conditional write. If a crash prevents the alert from being written, the next alarm writes it.
 * Returns true for a new alert.
 */
export async function raiseAlert(db: Db, alarm: Alarm, now: Date): Promise<boolean> {
  const key = makeAlarmKey(alarm.rule, alarm.subject);
  const newUid = new ObjectId().toHexString();
  const alert_uid = await claimAlertUid(db, key, newUid, COOLDOWN_MINUTES[alarm.rule] * MINUTE_MS, now);
  const { rule: name, severity, summary, metadata } = alarm;
  const result = await db.alerts.updateOne(
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
  const isNew = result.upsertedCount === 1;
  if (isNew) db.emit("alert_raised", { alert_uid, name, resource: { type: "alert", id: alert_uid } });
  return isNew;
}

export const makeAlarmKey = (rule: string, subject: string) => `${rule} ${subject}`;

async function claimAlertUid(
  db: Db,
  key: string,
  newUid: string,
  cooldownMs: number,
  now: Date,
): Promise<string> {
  const claimed = await skipDuplicate(
    db.alert_cooldowns.updateOne(
      { _id: key, raised_at: { $lte: new Date(now.getTime() - cooldownMs) } },
      { $set: { raised_at: now, alert_uid: newUid } },
      { upsert: true },
    ),
  );
  return claimed ? newUid : ((await db.alert_cooldowns.findOne({ _id: key }))?.alert_uid ?? newUid);
}

type AlertQuery = {
  window: TimeWindow;
  severity?: Severity;
  status?: Alert["status"];
  search?: string;
  /** Names of alerts that match the search, in addition to the alerts' own texts. */
  names?: readonly string[];
  /** Counted from 1. With `after` it only numbers the page. */
  page: number;
  perPage: number;
  /** The last alert of the previous page. */
  after?: ListCursor | null;
};

type AlertPage = { alerts: Alert[]; total: number; next: ListCursor | null };

/** Returns the index with the order of the list and all counted fields except the searched words. */
const listIndex = ({ severity }: AlertQuery) => (severity ? "by_severity" : "by_time");

const NEWEST_FIRST = { timestamp: -1, _id: -1 } as const;
const KEYS_AT_ONCE = 1_000;

/** Returns a page of alerts, newest first, their total number, and the start of the next page. */
export async function listAlerts(db: Db, query: AlertQuery): Promise<AlertPage> {
  const { page, perPage } = query;
  const counting = db.alerts.countDocuments(toFilter(query, null), { hint: listIndex(query) });
  const [after, total] = await Promise.all([
    query.after ?? (page > 1 ? findPageEnd(db, query, (page - 1) * perPage, counting) : null),
    counting,
  ]);
  if (after === "beyond") return { alerts: [], total, next: null };
  const docs = await db.alerts
    .find(toFilter(query, after), { hint: listIndex(query) })
    .sort(NEWEST_FIRST)
    .limit(perPage + 1)
    .toArray();
  const pageDocs = docs.slice(0, perPage);
  const last = docs.length > perPage ? pageDocs.at(-1) : undefined;
  return { alerts: pageDocs.map(toAlert), total, next: last ? toCursor(last) : null };
}

const toCursor = ({ timestamp, _id }: Pick<AlertDoc, "_id" | "timestamp">): ListCursor => ({
  createdAtMs: timestamp.getTime(),
  id: _id,
});

/** Finds the position after a number of alerts by keys alone, for a page given by its number. */
async function findPageEnd(
  db: Db,
  query: AlertQuery,
  skipped: number,
  counting: Promise<number>,
): Promise<ListCursor | null | "beyond"> {
  if (skipped >= (await counting)) return "beyond";
  let end: ListCursor | null = null;
  for (let remaining = skipped; remaining > 0; ) {
    const keys: Pick<AlertDoc, "_id" | "timestamp">[] = await db.alerts
      .find(toFilter(query, end), { hint: listIndex(query) })
      .project<Pick<AlertDoc, "_id" | "timestamp">>({ timestamp: 1 })
      .sort(NEWEST_FIRST)
      .limit(Math.min(remaining, KEYS_AT_ONCE))
      .toArray();
    const last = keys.at(-1);
    if (!last) return "beyond";
    end = toCursor(last);
    remaining -= keys.length;
  }
  return end;
}

function toFilter(
  { window, severity, status, search, names = [] }: AlertQuery,
  after: ListCursor | null,
): Filter<AlertDoc> {
  const words = search && { $regex: escapeRegex(search), $options: "i" };
  const from = after && new Date(after.createdAtMs);
  const clauses: Filter<AlertDoc>[] = [];
  if (words) clauses.push({ $or: [{ name: words }, { summary: words }, { name: { $in: [...names] } }] });
  if (from)
    clauses.push({ $or: [{ timestamp: { $lt: from } }, { timestamp: from, _id: { $lt: after.id } }] });
  return {
    timestamp: { $gte: window.start, ...(from ? { $lte: from, $lt: window.end } : { $lt: window.end }) },
    ...(severity ? { severity } : {}),
    ...(status ? { status } : {}),
    ...(clauses.length > 0 ? { $and: clauses } : {}),
  };
}

export async function countAlertsBySeverity(
  db: Db,
  { start, end }: TimeWindow,
): Promise<Record<Severity, number>> {
  const count = (severity: Severity) =>
    db.alerts.countDocuments({ severity, timestamp: { $gte: start, $lt: end } }, { hint: "by_severity" });
  const counts = await Promise.all(SEVERITIES.map(async (severity) => [severity, await count(severity)]));
  return Object.fromEntries(counts);
}

export async function* readAlerts(db: Db, window: TimeWindow): AsyncGenerator<Alert> {
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

/** Counts the alerts that began in each step of a window by severity, including steps without alerts. */
export async function countAlertsByStep(
  db: Db,
  window: TimeWindow,
  stepSeconds: number,
): Promise<AlertStep[]> {
  const stepMs = stepSeconds * SECOND_MS;
  const counts = await db.alerts
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
  const zeros = mapKeys(SEVERITIES, () => 0);
  const steps = new Map(
    listSteps(window, stepSeconds).map((at) => [at.getTime(), { at, total: 0, ...zeros }]),
  );
  for (const { _id, count } of counts) {
    const step = steps.get(Number(_id.step) * stepMs);
    if (!step) continue;
    step.total += count;
    step[_id.severity] += count;
  }
  return [...steps.values()];
}

export function toAlert({ _id, ...alert }: AlertDoc): Alert {
  return { alert_uid: _id, ...alert, repeats: alert.repeats - 1 };
}
