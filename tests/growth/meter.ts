/**
 * Loaded into a web process of the tests before its own program. It tells the processor time of the main thread, and the most of it
 * that went by between two turns of the event loop: so long nobody else is answered. Time that other processes took is not in it.
 */
const TICK_MS = 2;

const usedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let [beganMs, lastMs, longestMs] = [usedMs(), usedMs(), 0];

function look(): void {
  const nowMs = usedMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
}

setInterval(look, TICK_MS).unref();

export type Asked = { meter: "start" | "stop" };
export type Reading = { meter: true; usedMs: number; longestMs: number };

process.on("message", (asked: Partial<Asked>) => {
  if (asked?.meter === undefined) return;
  look();
  const reading: Reading = { meter: true, usedMs: lastMs - beganMs, longestMs };
  if (asked.meter === "start") [beganMs, longestMs] = [lastMs, 0];
  process.send?.(reading);
});
// The program that is measured decides when it ends; a listener of ours does not keep it.
process.channel?.unref();
