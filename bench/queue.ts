/**
 * Reminders on their way to devices. First ten a second for half a minute, then
 * 1,000 that come due in the same second, to 250 people, beside a bare loop that sends as many messages and keeps nothing, and
 * what a message costs in processor time, of which the encryption alone.
 */

import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import webPush from "web-push";
import type { Db } from "#db/client.ts";
import { listDevices } from "#db/reminders/push/push-subscriptions.server.ts";
import { reminderMessage } from "#domain/reminders/push-message.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { systemClock } from "#platform/clock.ts";
import { createOutbound } from "#platform/outbound/outbound.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { createPushSender } from "#platform/outbound/web-push.ts";
import { givenDevice, givenReminder } from "#tests/support/reminders/given-reminders.ts";
import { withStore } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { ms, percentile, processorMs } from "./measure.ts";
import { quick } from "./options.ts";
import { endProcess, startWorker } from "./product.ts";
import { openPushSink, type PushSink } from "./push-sink.ts";

const PEOPLE = 250;
const REMINDERS = quick ? 300 : 1_000;
const MAX_P99_MS = 2_000;
const IN_FLIGHT = 32;
const ORDINARY = quick ? 50 : 300;
const ORDINARY_EVERY_MS = 100;
const TEXT = JSON.stringify({ notification: { title: "Reminder", body: "Water the plants" }, data: {} });
const A_REMINDER = { file_id: null, board_id: null, remind_at: "", preview: "" };
const pair = generateVapidPair();

type Stage = { db: Db; enginePid: number | null; sink: PushSink; startWorker(): Promise<ChildProcess> };

function withStage(measure: (stage: Stage) => Promise<Figure[]>): Promise<Figure[]> {
  return withStore(async ({ databases, db }) => {
    const sink = await openPushSink();
    Object.assign(process.env, {
      VAPID_PUBLIC_KEY: pair.publicKey,
      VAPID_PRIVATE_KEY: pair.privateKey,
      PUSH_ALLOW_LOOPBACK: "1",
    });
    const stage = { db, enginePid: databases.enginePid, sink, startWorker: () => startWorker(databases) };
    return measure(stage).finally(sink.close);
  });
}

async function until(isSo: () => Promise<boolean> | boolean, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error("It did not come to an end");
    await pause(50);
  }
}

/** Prints a line; answers how many a second, and how late half of them were at most. */
function tell(name: string, delays: number[], tookMs: number) {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number) => ms(percentile(sorted, share)).padStart(8);
  const perSecond = Math.round(delays.length / (tookMs / SECOND_MS));
  console.log(`${name.padEnd(28)} ${at(0.5)} ${at(0.95)} ${at(0.99)} ${String(perSecond).padStart(8)}/s`);
  return { perSecond, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

const HEAD = `${"".padEnd(28)} ${["p50", "p95", "p99"].map((name) => name.padStart(8)).join(" ")}`;
const unpaid = (db: Db) => db.reminders.countDocuments({ push_at: { $gt: new Date(0) } });

/** As on any day: ten a second, each at its own moment. */
async function ordinary({ db, sink, startWorker }: Stage): Promise<Figure[]> {
  const worker = await startWorker();
  const from = Date.now() + 10 * SECOND_MS;
  const dueAt = new Map<string, number>();
  for (let i = 0; i < ORDINARY; i += 1) {
    const at = new Date(from + i * ORDINARY_EVERY_MS);
    const { note_id } = await givenReminder(db, `p${i % PEOPLE}`, at);
    dueAt.set(reminderMessage({ ...A_REMINDER, note_id }, "en").topic, at.getTime());
  }
  await until(() => sink.arrivals.length >= ORDINARY, 2 * MINUTE_MS);
  await until(async () => (await unpaid(db)) === 0, MINUTE_MS);
  await endProcess(worker);
  const delays = sink.arrivals.map(({ at, topic }) => at - required(dueAt.get(topic)));
  console.log(`\n${ORDINARY} reminders, one each ${ORDINARY_EVERY_MS} ms, ms from due to sent\n${HEAD}`);
  const { p50 } = tell("worker", delays, ORDINARY * ORDINARY_EVERY_MS);
  return [{ what: "ten reminders a second, due to sent, p50", ours: p50, unit: "ms" }];
}

/** Everything at once: how late the last one is. */
async function burst({ db, enginePid, sink, startWorker }: Stage): Promise<Figure[]> {
  const worker = await startWorker();
  const farOff = new Date(Date.now() + DAY_MS);
  for (let i = 0; i < REMINDERS; i += 1) await givenReminder(db, `p${i % PEOPLE}`, farOff);
  const before = sink.arrivals.length;
  const dueAt = new Date(Date.now() + 5 * SECOND_MS);
  await db.reminders.updateMany({ remind_at: farOff }, { $set: { remind_at: dueAt, push_at: dueAt } });
  const spent = () => [required(worker.pid), ...(enginePid === null ? [] : [enginePid])].map(processorMs);
  const spentBefore = spent();
  await until(() => sink.arrivals.length >= before + REMINDERS, MINUTE_MS);
  const delays = sink.arrivals.slice(before).map(({ at }) => at - dueAt.getTime());
  await until(async () => (await unpaid(db)) === 0, MINUTE_MS);
  const [byWorker, byStore] = spent().map((after, i) => (after - itemAt(spentBefore, i)) / REMINDERS);
  await endProcess(worker);

  console.log(`\n${REMINDERS} reminders of ${PEOPLE} people due in one second, ms from due to sent\n${HEAD}`);
  const ours = tell("worker", delays, Math.max(...delays));
  const bare = await bareLoop(db, sink);
  const encrypting = encryptionMs(sink);
  console.log(
    `processor ms a message: worker ${ms(required(byWorker))}, store ${byStore === undefined ? "not measured" : ms(byStore)}; encrypting one ${ms(encrypting)}`,
  );
  const what = `${REMINDERS} reminders of one second, beside a bare loop`;
  return [
    { what, ours: ours.perSecond, baseline: bare.perSecond, unit: "messages/s" },
    {
      what: `${REMINDERS} reminders of one second, due to sent, p99`,
      ours: ours.p99,
      baseline: bare.p99,
      unit: "ms",
      goal: { atMost: MAX_P99_MS },
    },
    {
      what: "processor time of a message, beside its encryption",
      ours: required(byWorker),
      baseline: encrypting,
      unit: "ms",
    },
  ];
}

/** What it takes to make one message that only its device can read: a key pair, an agreement and a cipher. */
function encryptionMs(sink: PushSink): number {
  const messages = 300;
  const { endpoint, keys } = sink.browser("encrypted").subscription;
  const began = process.cpuUsage();
  for (let i = 0; i < messages; i += 1)
    webPush.generateRequestDetails({ endpoint, keys }, TEXT, {
      headers: { Authorization: "none" },
      contentEncoding: "aes128gcm",
    });
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000 / messages;
}

/** The same messages, encrypted, signed and sent by the same code, with nothing claimed, checked or written down. */
async function bareLoop(db: Db, sink: PushSink): Promise<ReturnType<typeof tell>> {
  const outbound = createOutbound({ allowLoopback: true });
  const vapid = { ...pair, subject: "mailto:bench@example.com" };
  const send = createPushSender({ vapid, outbound, timeoutMs: 10 * SECOND_MS, clock: systemClock });
  const devices = (
    await Promise.all(
      Array.from({ length: PEOPLE }, (_, i) => listDevices(db, { id: `p${i}`, credential_epoch: 0 })),
    )
  ).flat();
  const before = sink.arrivals.length;
  const startedAt = Date.now();
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < REMINDERS; i = next++)
      await send(itemAt(devices, i % devices.length), { text: TEXT, topic: `bare${i}` });
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  const delays = sink.arrivals.slice(before).map(({ at }) => at - startedAt);
  const told = tell("bare loop, 32 in flight", delays, Date.now() - startedAt);
  outbound.close();
  return told;
}

export async function run(): Promise<Figure[]> {
  return withStage(async (stage) => {
    const { db, sink } = stage;
    for (let i = 0; i < PEOPLE; i += 1) await givenDevice(db, `p${i}`, sink.browser(`d${i}`), new Date());
    return [...(await ordinary(stage)), ...(await burst(stage))];
  });
}
