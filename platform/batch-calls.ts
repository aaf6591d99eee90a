type PendingCall<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void };

const AT_ONCE_MAX = 100;

/**
 * Sends many single calls to the store as one. Calls that come while a batch is on its way form the next batch. A call is never
 * held back to wait for others, and it resolves with its own batch. Answers come in the order of the keys; a batch that fails
 * fails for all calls in it.
 */
export function batchCalls<K, V>(answer: (keys: K[]) => Promise<readonly V[]>): (key: K) => Promise<V> {
  let waiting: PendingCall<K, V>[] = [];
  let atWork = false;

  async function work(): Promise<void> {
    atWork = true;
    // Calls of the same turn of the event loop are in the batch, too.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, AT_ONCE_MAX);
      waiting = waiting.slice(AT_ONCE_MAX);
      try {
        const answers = await answer(batch.map(({ key }) => key));
        // Calls without an answer may get an empty list; V is void then.
        for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as V);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    atWork = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!atWork) void work();
    });
}
