type Turn<V> = { answer: Promise<V>; next: Promise<V> | null };

/**
 * Does the same work once for all who ask for it, at most once at a time for each key. Calls that come while it is being done share
 * the next run, which begins after they asked. So no answer is older than its call.
 */
export function coalesceCalls<V>(work: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const turns = new Map<string, Turn<V>>();

  function begin(key: string): Promise<V> {
    const turn: Turn<V> = { answer: work(key), next: null };
    turns.set(key, turn);
    const end = () => void (turn.next ?? turns.delete(key));
    turn.answer.then(end, end);
    return turn.answer;
  }

  return (key) => {
    const turn = turns.get(key);
    if (!turn) return begin(key);
    const goOn = () => begin(key);
    turn.next ??= turn.answer.then(goOn, goOn);
    return turn.next;
  };
}
