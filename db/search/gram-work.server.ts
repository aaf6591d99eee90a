import type { Db } from "#db/client.ts";
import { collectGrams, type TextsToIndex } from "#domain/search/grams.ts";
import type { ThreadJob, ThreadResult } from "#platform/thread-job.ts";

const COLLECT_GRAMS: ThreadJob<TextsToIndex, string[]> = {
  name: "collect_grams",
  module: "#domain/search/grams.ts",
  run: "collectGrams",
  processorMs: 3_000,
  maxOutput: 4 * 1024 * 1024,
};

/** Shorter texts are read at once. */
const INLINE_MAX_LENGTH = 16 * 1024;

/** The grams of one file's texts, collected on a thread where the process has some and the texts are long. */
export async function collectGramsApart(
  { threads }: Db,
  owner: string,
  input: TextsToIndex,
): Promise<ThreadResult<string[]>> {
  const length = input.texts.reduce((sum, text) => sum + text.length, 0);
  if (!threads || length <= INLINE_MAX_LENGTH) return { ok: true, value: collectGrams(input) };
  return threads.run(COLLECT_GRAMS, input, { owner });
}
