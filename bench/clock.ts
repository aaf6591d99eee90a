/**
 * Web and worker while their clock is set an hour ahead, an hour back and 400 days ahead, and each time right again, by libfaketime
 * (Debian's package `faketime`; LIBFAKETIME names the library elsewhere); the databases keep the time. Fails where a reminder is lost or
 * comes twice, or where a person cannot get in. Tells that it is not installed where it is not.
 */

import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { reminderMessage } from "#domain/reminders/push-message.ts";
import { itemAt } from "#domain/required.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { newVapidPair } from "#platform/outbound/vapid.ts";
import { givenDevice, givenReminder } from "#tests/support/reminders/given-reminders.ts";
import { signed } from "#tests/support/sign-in/widget-login.ts";
import { withStore } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { BOT_TOKEN, type Site, startWeb, startWorker, stopped } from "./product.ts";
import { openPushSink, type PushSink } from "./push-sink.ts";

const OWNER = "7";
const JUMPS: [name: string, byMs: number][] = [
  ["right", 0],
  ["an hour ahead", HOUR_MS],
  ["right again", 0],
  ["an hour back", -HOUR_MS],
  ["right again", 0],
  ["400 days ahead", 400 * DAY_MS],
  ["right again", 0],
];
const PATIENCE_MS = MINUTE_MS;
/** The library looks at the file that sets the clock once a second, in each process for itself. */
const SEEN_WITHIN_MS = 1_500;
const A_REMINDER = { file_id: null, board_id: null, remind_at: "", preview: "" };

function findLibrary(): string | null {
  const named = process.env.LIBFAKETIME ?? globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0];
  return named && existsSync(named) ? named : null;
}

async function secondsUntil(isSo: () => Promise<boolean> | boolean, what: string): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`It never came true: ${what}`);
    await pause(100);
  }
  return (performance.now() - began) / SECOND_MS;
}

type Stage = { db: Db; sink: PushSink; web: Site; setClock(byMs: number): void };

function withStage(library: string, measure: (stage: Stage) => Promise<Figure[]>): Promise<Figure[]> {
  return withStore(async (databases, mongo) => {
    const sink = await openPushSink();
    const closing: (() => unknown)[] = [() => sink.close()];
    const timeFile = join(databases.directory, "clock");
    const setClock = (byMs: number) =>
      writeFileSync(timeFile, `${byMs < 0 ? "-" : "+"}${Math.abs(byMs) / SECOND_MS}\n`);
    setClock(0);
    const pair = newVapidPair();
    Object.assign(process.env, {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: timeFile,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      VAPID_PUBLIC_KEY: pair.publicKey,
      VAPID_PRIVATE_KEY: pair.privateKey,
      PUSH_ALLOW_LOOPBACK: "1",
    });
    try {
      const web = await startWeb(databases);
      closing.push(() => web.stop());
      const worker = await startWorker(databases);
      closing.push(() => stopped(worker));
      return await measure({ db: { ...mongo.collections, emit: () => {} }, sink, web, setClock });
    } finally {
      for (const close of closing.reverse()) await close();
    }
  });
}

/** As the widget would sign it at the time that the product believes in. */
async function logInAt(url: string, now: number): Promise<string> {
  const login = signed({ id: OWNER, first_name: "Bench", auth_date: Math.floor(now / SECOND_MS) }, BOT_TOKEN);
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/auth/messenger`, {
    method: "POST",
    headers,
    body: JSON.stringify(login),
  });
  if (!answer.ok) throw new Error(`a login answered ${answer.status}`);
  return itemAt(itemAt(answer.headers.getSetCookie(), 0).split(";"), 0);
}

/** Whether an answer is dated by the clock that was set. */
async function showsClock(url: string, byMs: number): Promise<boolean> {
  const dated = Date.parse((await fetch(`${url}/healthz`)).headers.get("Date") ?? "");
  return Math.abs(dated - Date.now() - byMs) < MINUTE_MS;
}

async function measure({ db, sink, web, setClock }: Stage): Promise<Figure[]> {
  await givenDevice(db, OWNER, sink.browser("device"), new Date());
  const due = new Set<string>();
  const remind = async (at: number) => {
    const { note_id } = await givenReminder(db, OWNER, new Date(at));
    const { topic } = reminderMessage({ ...A_REMINDER, note_id }, "en");
    due.add(topic);
    return topic;
  };
  const began = Date.now();
  // These come due by a jump, and would again if their having been sent were forgotten by the next.
  const byJumps = [await remind(began + 30 * MINUTE_MS), await remind(began + 10 * DAY_MS)];
  let cookie = await logInAt(web.url, Date.now());
  const figures: Figure[] = [];
  for (const [name, byMs] of JUMPS) {
    setClock(byMs);
    await secondsUntil(() => showsClock(web.url, byMs), `the clock ${name}`);
    await pause(SEEN_WITHIN_MS);
    const ready = await secondsUntil(
      async () => (await fetch(`${web.url}/readyz`)).ok,
      `ready, the clock ${name}`,
    );
    const topic = await remind(Date.now() + byMs + 2 * SECOND_MS);
    const sent = await secondsUntil(
      () => sink.arrivals.some((one) => one.topic === topic),
      `sent, the clock ${name}`,
    );
    const lists = async () => (await fetch(`${web.url}/api/files`, { headers: { Cookie: cookie } })).status;
    if ((await lists()) === 401) cookie = await logInAt(web.url, Date.now() + byMs);
    const status = await lists();
    if (status !== 200) throw new Error(`the list answered ${status}, the clock ${name}`);
    console.log(
      `clock ${name}: ready after ${ready.toFixed(1)} s, a reminder of two seconds later after ${sent.toFixed(1)} s`,
    );
    figures.push({ what: `ready, the clock ${name}`, ours: ready, unit: "s", goal: { atMost: 30 } });
  }
  await secondsUntil(
    () => byJumps.every((topic) => sink.arrivals.some((one) => one.topic === topic)),
    "sent by a jump",
  );
  const lost = [...due].filter((topic) => !sink.arrivals.some((one) => one.topic === topic)).length;
  const repeated = sink.arrivals.length - new Set(sink.arrivals.map(({ topic }) => topic)).size;
  if (lost + repeated > 0) throw new Error(`${lost} reminders lost, ${repeated} sent twice`);
  const goal = { atMost: 0 };
  return [
    ...figures,
    { what: `of ${due.size} reminders, lost or sent twice`, ours: lost + repeated, unit: "reminders", goal },
  ];
}

export async function run(): Promise<Figure[]> {
  const library = findLibrary();
  if (library) return withStage(library, measure);
  console.log("libfaketime is not installed (Debian: faketime), so nothing is measured.");
  return [];
}
