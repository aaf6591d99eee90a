type Turn<V> = { answer: Promise<V>; next: Promise<V> | null };

/**
 * Shares work between equal calls: at most one run per key at a time. Calls that arrive during a run share the next run, which
 * begins after them. So no result is older than its call.
 */
export function coalesceCalls<V>(work: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const turns = new Map<string, Turn<V>>();

  function startRun(key: string): Promise<V> {
    const turn: Turn<V> = { answer: work(key), next: null };
    turns.set(key, turn);
    const end = () => void (turn.next ?? turns.delete(key));
    turn.answer.then(end, end);
    return turn.answer;
  }

  return (key) => {
    const turn = turns.get(key);
    if (!turn) return startRun(key);
    const startNext = () => startRun(key);
    turn.next ??= turn.answer.then(startNext, startNext);
    return turn.next;
  };
}
