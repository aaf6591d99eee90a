import { readFileSync } from "node:fs";
import { required } from "#domain/required.ts";

/** Time taken by repeated calls, told as percentiles. */
export interface Timing {
  p50: number;
  p95: number;
}

export function percentile(sorted: readonly number[], share: number): number {
  return required(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
}

export function toTiming(samplesMs: number[]): Timing {
  const sorted = [...samplesMs].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

/** Calls `once` after a tenth of warm-up calls that do not count. */
export async function time(calls: number, once: (call: number) => unknown): Promise<Timing> {
  const samples: number[] = [];
  const warmUp = Math.ceil(calls / 10);
  for (let call = 0; call < calls + warmUp; call++) {
    const started = performance.now();
    await once(call);
    if (call >= warmUp) samples.push(performance.now() - started);
  }
  return toTiming(samples);
}

export function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}

const TICK_MS = 10;

/** The processor time a process has used so far; Linux counts it in hundredths of a second. */
export const processorMs = (pid: number) => readTicks(pid, 11, 12) * TICK_MS;

/** What all ended children of a process have used, from their start to their end. */
export const childrenProcessorMs = (pid: number) => readTicks(pid, 13, 14) * TICK_MS;

/** What a process holds of the machine's memory, where pages have 4 KiB. */
export const residentMb = (pid: number) =>
  (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4_096) / 2 ** 20;

/** What a process takes of the machine's memory, with its share of what it has in common with others; 0 once it has ended. */
export function proportionalMb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(required(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1], "Pss")) / 1_024;
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return 0;
    throw error;
  }
}

function readTicks(pid: number, ...places: number[]): number {
  const after = required(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)).split(" ");
  return places.reduce((sum, place) => sum + Number(after[place]), 0);
}
