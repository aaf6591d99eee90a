/**
 * Loaded into a web process of the tests before its own program. It measures the main thread's processor time, and its longest stretch
 * between two turns of the event loop, when no other request is answered. Both are scaled to the machine on which the limits were set: a
 * fixed piece of work, timed just before and after, shows how much slower this machine is at that moment.
 */
const TICK_MS = 2;
/** Duration of the fixed work on two idle cores of that machine. */
const FIXED_WORK_MS = 4.5;
const WARM_UPS = 20;

const usedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

function measureFixedWork(): number {
  const startMs = usedMs();
  let text = "";
  for (let n = 0; n < 20_000; n += 1) text = `${n}${text}`.slice(0, 50);
  if (text.length === 0) throw new Error("unreachable");
  return usedMs() - startMs;
}

// The first rounds are slower, until the work is compiled.
for (let n = 0; n < WARM_UPS; n += 1) measureFixedWork();

let fixedWorkMs = FIXED_WORK_MS;
let [beganMs, lastMs, longestMs] = [usedMs(), usedMs(), 0];

function look(): void {
  const nowMs = usedMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
}

setInterval(look, TICK_MS).unref();

export type Asked = { meter: "start" | "stop" };
export type Reading = { meter: true; usedMs: number; longestMs: number };

process.on("message", (message: Partial<Asked>) => {
  if (message?.meter === undefined) return;
  look();
  const measured = { usedMs: lastMs - beganMs, longestMs };
  const slowness = Math.max(FIXED_WORK_MS, fixedWorkMs, measureFixedWork()) / FIXED_WORK_MS;
  const reading: Reading = {
    meter: true,
    usedMs: measured.usedMs / slowness,
    longestMs: measured.longestMs / slowness,
  };
  if (message.meter === "start") {
    fixedWorkMs = measureFixedWork();
    look();
    [beganMs, longestMs] = [lastMs, 0];
  }
  process.send?.(reading);
});
// The measured program decides when it ends; this listener must not keep it alive.
process.channel?.unref();
