/** A kind of work for the threads of a pool: a function of a module, and the limits of one run. */
export type ThreadJob<Input, Output> = {
  /** The name in `/metrics`, from a closed set. */
  name: string;
  /** For `import()`: a name from the `imports` of package.json, or an address. Each thread loads it on first use. */
  module: string;
  /** The exported function, which returns the output or a promise of it. Input and output are cloned. */
  run: string;
  /** Processor time per run. Waiting for a busy machine does not count. */
  processorMs: number;
  /** The greatest size of the answer: its characters, plus eight for every other value. */
  maxOutput: number;
  /** Only for the compiler. */
  readonly types?: (input: Input) => Output;
};

type Work = (input: never) => unknown;
type JobFor<F extends Work> = ThreadJob<Parameters<F>[0], Awaited<ReturnType<F>>>;

/** Checks a job against its function. The module is named and not imported, because only threads load it. */
export const defineJob = <F extends Work>(row: JobFor<F>): JobFor<F> => row;

export type ThreadResult<Output> = { ok: true; value: Output } | { ok: false; reason: GaveUp };

/** The reason for a missing answer: over the time limit, broken thread, too large, or too many waiting. */
export type GaveUp = "too_slow" | "failed" | "too_large" | "busy";

/** A message to a thread, one task at a time. */
export type ThreadTask = { module: string; run: string; input: unknown; maxOutput: number };

/**
 * The messages of a thread: the begin of a task with the processor time used before, and its end. A result carries its
 * processor time and the size of the thread's heap.
 */
export type ThreadMessage =
  | { begun: number }
  | { value: unknown; size: number; usedMs: number; heapBytes: number }
  | { gaveUp: "failed" | "too_large"; error?: string };

export const giveUp = (reason: GaveUp): { ok: false; reason: GaveUp } => ({ ok: false, reason });

/** Lists the buffers of an answer, no deeper than a list inside it. They are transferred instead of copied. */
export function listBuffers(value: unknown): ArrayBuffer[] {
  if (typeof value !== "object" || value === null) return [];
  const parts = Object.values(value).flatMap((part) => (Array.isArray(part) ? part : [part]));
  return parts.flatMap((part) => (part instanceof Uint8Array && ownsBuffer(part) ? [part.buffer] : []));
}

const ownsBuffer = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;

/** Measures an answer for `maxOutput`; it stops beyond the limit. */
export function measureOutput(value: unknown, limit: number): number {
  let size = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && size <= limit) {
    const next = pending.pop();
    if (typeof next === "string") size += next.length;
    else if (ArrayBuffer.isView(next)) size += next.byteLength;
    else {
      size += 8;
      if (typeof next === "object" && next !== null)
        for (const part of Object.values(next)) pending.push(part);
    }
  }
  return size;
}
