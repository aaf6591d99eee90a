/** A kind of work for the threads of a pool: a function of a module, and what one run of it may cost. */
export type ThreadJob<Input, Output> = {
  /** As `/metrics` calls it; from a closed set. */
  name: string;
  /** As `import()` takes it: a name from the `imports` of package.json, or an address. Each thread loads it at its first use. */
  module: string;
  /** The exported function: it takes the input and answers the output or a promise of it. Both are cloned on their way. */
  run: string;
  /** Processor time of one run. Waiting for a busy machine does not count. */
  processorMs: number;
  /** How large the answer may be: its characters, and eight for everything else in it. */
  maxOutput: number;
  /** For the compiler only: the types of input and output. */
  readonly types?: (input: Input) => Output;
};

export type ThreadResult<Output> = { ok: true; value: Output } | { ok: false; reason: GaveUp };

/** Why there is no answer: past its time, its thread broke, the answer would be too large, or too many were waiting. */
export type GaveUp = "too_slow" | "failed" | "too_large" | "busy";

/** What a thread is sent, one at a time. */
export type ThreadTask = { module: string; run: string; input: unknown; maxOutput: number };

/**
 * What a thread reports: that a task begins, with the processor time used before it, and then how the task ended. A result comes with
 * the processor time it took and the memory that the thread's heap holds then.
 */
export type ThreadMessage =
  | { begun: number }
  | { value: unknown; size: number; usedMs: number; heapBytes: number }
  | { gaveUp: "failed" | "too_large"; error?: string };

export const giveUp = (reason: GaveUp): { ok: false; reason: GaveUp } => ({ ok: false, reason });

/** The buffers in an answer, not deeper than a list in it: they are handed over and not copied. */
export function listBuffers(value: unknown): ArrayBuffer[] {
  if (typeof value !== "object" || value === null) return [];
  const parts = Object.values(value).flatMap((part) => (Array.isArray(part) ? part : [part]));
  return parts.flatMap((part) => (part instanceof Uint8Array && ownsBuffer(part) ? [part.buffer] : []));
}

const ownsBuffer = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;

/** The size of an answer as `maxOutput` counts it; it stops counting beyond the limit. */
export function measureOutput(value: unknown, limit: number): number {
  let size = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && size <= limit) {
    const next = left.pop();
    if (typeof next === "string") size += next.length;
    else if (ArrayBuffer.isView(next)) size += next.byteLength;
    else {
      size += 8;
      if (typeof next === "object" && next !== null) for (const part of Object.values(next)) left.push(part);
    }
  }
  return size;
}
