/** What a stage may hold back of the documents that pass through it. */
import { fail } from "../values/errors.ts";
import type { Doc } from "../values/values.ts";
import type { PipelineContext, Sink } from "./stage.ts";

const MAX_HELD_BYTES = 100 * 1024 * 1024;
const CHECK_EVERY = 1000;

export class HeldMemory {
  readonly #stage: string;
  #bytes = 0;

  constructor(stage: string) {
    this.#stage = stage;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_HELD_BYTES)
      fail(292, `Exceeded memory limit for ${this.#stage} of ${MAX_HELD_BYTES} bytes`);
  }
}

/** Passes the held documents to the next stage until it wants no more. Throws if the time is over. */
export function pushDocuments(documents: Iterable<Doc>, next: Sink, context: PipelineContext): void {
  let passed = 0;
  for (const document of documents) {
    if (passed++ % CHECK_EVERY === 0) context.checkTime();
    if (!next(document)) return;
  }
}
