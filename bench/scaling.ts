/**
 * How many cores a given number of people needs, simulated: arrivals of a peak second by chance, each served by the first free core of
 * the web, then by the store. Inputs by flags, for example `--users=1000000 --web-ms=5`. It says what would be, not what was.
 */
import { itemAt } from "#domain/required.ts";
import type { Figure } from "./figures.ts";

type Inputs = {
  users: number;
  /** Of all, who is there on a day, in percent. */
  activePercent: number;
  /** Requests of one of them on that day. */
  requests: number;
  /** How much busier the busiest hour is than the mean hour. */
  peak: number;
  /** How long a core of the web is busy with a request, and one of the store with a call, in ms. */
  webMs: number;
  storeMs: number;
  /** Calls to the store of a request. */
  calls: number;
  goalMs: number;
};

const DEFAULTS: Inputs = {
  users: 1_000_000,
  activePercent: 5,
  requests: 80,
  peak: 4,
  webMs: 3.3,
  storeMs: 0.7,
  calls: 8,
  goalMs: 100,
};

const HOURS = 24;
const SECONDS = 20;
const SEED = 7;
const MAX_SPARE = 11;

function inputs(): Inputs {
  const given = Object.entries(DEFAULTS).map(([name, otherwise]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}=`;
    const word = process.argv.find((one) => one.startsWith(flag));
    return [name, word ? Number(word.slice(flag.length)) : otherwise];
  });
  return Object.fromEntries(given);
}

/** Numbers between 0 and 1, the same in every run. */
function* chances(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield (state + 1) / (2 ** 32 + 1);
  }
}

const exponential = (chance: number, mean: number) => -Math.log(chance) * mean;

/** When each arrival is done, served in turn by the core that is free first. */
function serve(
  arrivals: readonly number[],
  meanMs: number,
  cores: number,
  chance: Generator<number>,
): number[] {
  const free = new Array<number>(cores).fill(0);
  return arrivals.map((arrival) => {
    let first = 0;
    for (let core = 1; core < cores; core += 1) if (itemAt(free, core) < itemAt(free, first)) first = core;
    const done = Math.max(arrival, itemAt(free, first)) + exponential(chance.next().value, meanMs);
    free[first] = done;
    return done;
  });
}

function p95(arrivals: readonly number[], done: readonly number[]): number {
  const waits = done.map((end, i) => end - itemAt(arrivals, i)).sort((a, b) => a - b);
  return itemAt(waits, Math.floor(waits.length * 0.95));
}

export async function run(): Promise<Figure[]> {
  const given = inputs();
  const { users, activePercent, requests, peak, webMs, storeMs, calls, goalMs } = given;
  const perSecond = (users * (activePercent / 100) * requests * peak) / (HOURS * 3_600);
  const chance = chances(SEED);
  const arrivals: number[] = [];
  for (let at = 0; at < SECONDS * 1_000; at += exponential(chance.next().value, 1_000 / perSecond))
    arrivals.push(at);
  console.log(`scaling, simulated from ${JSON.stringify(given)}`);
  console.log(
    `${Math.round(perSecond)} requests in the busiest second, ${Math.round(perSecond * calls)} calls to the store`,
  );
  const least = (meanMs: number) => Math.max(1, Math.ceil((perSecond * meanMs) / 1_000));
  for (let spare = 0; ; spare += 1) {
    const [web, store] = [least(webMs) + spare, least(storeMs * calls) + spare];
    const fromWeb = serve(arrivals, webMs, web, chance);
    const order = [...fromWeb.keys()].sort((a, b) => itemAt(fromWeb, a) - itemAt(fromWeb, b));
    const done: number[] = [];
    const finished = serve(
      order.map((i) => itemAt(fromWeb, i)),
      storeMs * calls,
      store,
      chance,
    );
    for (const [place, i] of order.entries()) done[i] = itemAt(finished, place);
    const wait = p95(arrivals, done);
    console.log(`${web} cores of web and ${store} of the store: p95 ${wait.toFixed(0)} ms`);
    if (wait <= goalMs || spare === MAX_SPARE) {
      const what = `simulated, ${users} people: p95 with ${web} cores of web and ${store} of the store`;
      return [{ what, ours: wait, unit: "ms", goal: { atMost: goalMs } }];
    }
  }
}
