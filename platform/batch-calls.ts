type PendingCall<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void };

const BATCH_MAX = 100;

/**
 * Combines many single calls to the store into batches. Calls that arrive during a batch form the next one. A call never waits for others
 * to arrive, and it resolves with its own batch. Answers are in the order of the keys; a failed batch fails for all its calls.
 */
export function batchCalls<K, V>(answerBatch: (keys: K[]) => Promise<readonly V[]>): (key: K) => Promise<V> {
  let waiting: PendingCall<K, V>[] = [];
  let isWorking = false;

  async function answerWaiting(): Promise<void> {
    isWorking = true;
    // Includes the calls of the same turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      try {
        const answers = await answerBatch(batch.map(({ key }) => key));
        // Calls without a result may get an empty list; then V is void.
        for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as V);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWorking = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!isWorking) void answerWaiting();
    });
}
