/**
 * Reminders on their way to devices. First ten a second for half a minute, then
 * 1,000 that come due in the same second, to 250 people, beside a bare loop that sends as many messages and keeps nothing, and
 * what a message costs in processor time, of which the encryption alone. Then the worker is killed with SIGKILL at
 * random moments while reminders of one person with two devices come due (`--kills=50 --reminders=200`; `--quick`: fewer of everything): fails where one is
 * lost, where there are more repeats than kills, or where a run of a killed worker stays open.
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import webPush from "web-push";
import { connectMongo, type Db } from "#db/client.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { releaseQueue } from "#db/jobs/queue.server.ts";
import { listDevices } from "#db/push/push-subscriptions.server.ts";
import { reminderMessage } from "#domain/reminders/push-message.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import { createOutbound } from "#platform/outbound/outbound.ts";
import { newVapidPair } from "#platform/outbound/vapid.ts";
import { createPushSender } from "#platform/outbound/web-push.ts";
import { givenDevice, givenReminder } from "#tests/support/reminders/given-reminders.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { orphanReconcile } from "#worker/jobs/orphan-reconcile.ts";
import { startDocuments } from "./documents.ts";
import type { Figure } from "./figures.ts";
import { ms, percentile, processorMs } from "./measure.ts";
import { option, quick } from "./options.ts";
import { startPostgres } from "./postgres.ts";
import { stopped } from "./product.ts";
import { openPushSink, type PushSink } from "./push-sink.ts";

const ROOT = join(import.meta.dirname, "..");
const PEOPLE = 250;
const REMINDERS = quick ? 300 : 1_000;
const MAX_P99_MS = 2_000;
const IN_FLIGHT = 32;
const ORDINARY = quick ? 50 : 300;
const ORDINARY_EVERY_MS = 100;
const TEXT = JSON.stringify({ notification: { title: "Reminder", body: "Water the plants" }, data: {} });
const A_REMINDER = { file_id: null, board_id: null, remind_at: "", preview: "" };
const pair = newVapidPair();

type Site = { db: Db; enginePid: number | null; sink: PushSink; startWorker(): Promise<ChildProcess> };

async function withSite(measure: (site: Site) => Promise<Figure[]>): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-"));
  const documents = await startDocuments(directory);
  const postgres = await startPostgres({ directory: join(directory, "postgres"), log: () => {} });
  const mongo = await connectMongo(documents.uri, { appName: "codeshelf-bench" });
  const sink = await openPushSink();
  try {
    await ensureIndexes(mongo.collection);
    await releaseQueue({ databaseUrl: postgres.url, log: silentLog });
    const env = {
      ...process.env,
      MONGODB_URI: documents.uri,
      DATABASE_URL: postgres.url,
      VAPID_PUBLIC_KEY: pair.publicKey,
      VAPID_PRIVATE_KEY: pair.privateKey,
      PUSH_ALLOW_LOOPBACK: "1",
      LOG_LEVEL: "error",
    };
    const startWorker = async () => {
      const options = { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit", "ipc"] as const };
      const worker = fork(join(ROOT, "worker", "index.ts"), [], { ...options, stdio: [...options.stdio] });
      await once(worker, "message");
      return worker;
    };
    return await measure({
      enginePid: documents.enginePid,
      db: { ...mongo.collections, emit: () => {} },
      sink,
      startWorker,
    });
  } finally {
    sink.close();
    await mongo.close();
    await postgres.stop();
    await documents.stop();
    await rm(directory, { recursive: true, force: true });
  }
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
async function ordinary({ db, sink, startWorker }: Site): Promise<Figure[]> {
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
  await stopped(worker);
  const delays = sink.arrivals.map(({ at, topic }) => at - required(dueAt.get(topic)));
  console.log(`\n${ORDINARY} reminders, one each ${ORDINARY_EVERY_MS} ms, ms from due to sent\n${HEAD}`);
  const { p50 } = tell("worker", delays, ORDINARY * ORDINARY_EVERY_MS);
  return [{ what: "ten reminders a second, due to sent, p50", ours: p50, unit: "ms" }];
}

/** Everything at once: how late the last one is. */
async function burst({ db, enginePid, sink, startWorker }: Site): Promise<Figure[]> {
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
  await stopped(worker);

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

/** SIGKILL at random moments; what came is counted against what was due. */
async function killing({ db, sink, startWorker }: Site): Promise<Figure[]> {
  const kills = option("kills", quick ? 5 : 50);
  const reminders = option("reminders", quick ? 40 : 200);
  const owner = "killed";
  const since = sink.arrivals.length;
  for (const name of ["left", "right"]) await givenDevice(db, owner, sink.browser(name), new Date());
  const begin = Date.now() + 3 * SECOND_MS;
  const spanMs = kills * 2 * SECOND_MS;
  for (let i = 0; i < reminders; i += 1)
    await givenReminder(db, owner, new Date(begin + (i * spanMs) / reminders));
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = await startWorker();
    await pause(Math.random() * 1_500);
    const exit = once(worker, "exit");
    worker.kill("SIGKILL");
    await exit;
  }
  const last = await startWorker();
  await until(async () => (await unpaid(db)) === 0, spanMs + 2 * MINUTE_MS);
  await stopped(last);

  const got = Map.groupBy(sink.arrivals.slice(since), ({ device, topic }) => `${device} ${topic}`);
  const repeats = got.values().reduce((sum, same) => sum + same.length - 1, 0);
  const lost = reminders * 2 - got.size;
  const open = await closeRuns(db);
  console.log(
    `\nkill -9 ${kills} times, ${reminders} reminders on 2 devices each: ${got.size} of ${reminders * 2} arrived`,
  );
  console.log(
    `lost ${lost}, repeated ${repeats}; runs left by killed workers ${open.found}, closed ${open.closed}`,
  );
  if (lost > 0 || repeats > kills || open.found !== open.closed)
    throw new Error("That is not what it promises");
  return [
    { what: `messages lost in ${kills} kills`, ours: lost, unit: "messages", goal: { atMost: 0 } },
    { what: `messages repeated in ${kills} kills`, ours: repeats, unit: "messages", goal: { atMost: kills } },
  ];
}

/** As the next start of a worker does it, once the silence has lasted long enough. */
async function closeRuns(db: Db): Promise<{ found: number; closed: number }> {
  const found = await db.job_runs.countDocuments({ status: "running" });
  const later = new Date(Date.now() + 6 * MINUTE_MS);
  const clock = () => later;
  const lock = { held: true, acquiredAt: later, release: async () => {} };
  const work = {
    payload: {},
    signal: new AbortController().signal,
    report: async () => {},
    trigger: "scheduled" as const,
    writeLog: () => {},
  };
  await orphanReconcile({ ...work, services: createTestServices({ db, clock }, { lock }) });
  return { found, closed: found - (await db.job_runs.countDocuments({ status: "running" })) };
}

export async function run(): Promise<Figure[]> {
  return withSite(async (site) => {
    const { db, sink } = site;
    for (let i = 0; i < PEOPLE; i += 1) await givenDevice(db, `p${i}`, sink.browser(`d${i}`), new Date());
    return [...(await ordinary(site)), ...(await burst(site)), ...(await killing(site))];
  });
}
