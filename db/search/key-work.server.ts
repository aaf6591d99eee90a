import type { Db } from "#db/client.ts";
import { collectKeys, type TextsToIndex } from "#domain/search/search-keys.ts";
import type { ThreadJob, ThreadResult } from "#platform/threads/thread-job.ts";

const COLLECT_KEYS: ThreadJob<TextsToIndex, Uint32Array | null> = {
  name: "collect_keys",
  module: "#domain/search/search-keys.ts",
  run: "collectKeys",
  processorMs: 3_000,
  maxOutput: 4 * 1024 * 1024,
};

/** Shorter texts are processed directly. */
const INLINE_MAX_LENGTH = 16 * 1024;

/** Collects the search keys of a file, on a thread if the process has any and the text is long. */
export async function collectKeysOnThread(
  { threads }: Db,
  owner: string,
  input: TextsToIndex,
): Promise<ThreadResult<Uint32Array | null>> {
  const length = input.body.length + input.description.length;
  if (!threads || length <= INLINE_MAX_LENGTH) return { ok: true, value: collectKeys(input) };
  // The files of all owners are indexed one after the other.
  return threads.run(COLLECT_KEYS, input, { owner, atOnce: true });
}
