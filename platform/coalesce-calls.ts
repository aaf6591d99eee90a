type Turn<V> = { answer: Promise<V>; next: Promise<V> | null };

/**
 * Work that many ask for at one moment is done for all of them: at most once at a time for each key. Who asks while it is being
 * done shares the next turn, which begins after they asked, so nobody gets an answer that is older than their question.
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
