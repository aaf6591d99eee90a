/**
 * A queue that serves owners in turn. The owner whose last turn is longest ago is next, however many items others have. Its length is
 * limited; when it is full, the owner with most items loses the newest one.
 */
export class FairQueue<Item> {
  /** The order of the keys is the order of turns. */
  readonly #byOwner = new Map<string, Item[]>();
  readonly #max: number;
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** What is dropped to make room: another item, the new one, or nothing. */
  add(owner: string, item: Item): Item | null {
    const own = this.#byOwner.get(owner) ?? [];
    this.#byOwner.set(owner, own);
    own.push(item);
    this.#size += 1;
    if (this.#size <= this.#max) return null;
    const [most] = [...this.#byOwner].sort(([, a], [, b]) => b.length - a.length);
    const gone = most?.[1].at(-1);
    if (!most || gone === undefined) return null;
    this.remove(most[0], gone);
    return gone;
  }

  /** The next item that may have a turn; its owner's next turn comes after everybody else's. */
  take(mayHaveTurn: (item: Item) => boolean): Item | null {
    for (const [owner, [item]] of this.#byOwner) {
      if (item === undefined || !mayHaveTurn(item)) continue;
      this.remove(owner, item);
      const rest = this.#byOwner.get(owner);
      if (rest) {
        this.#byOwner.delete(owner);
        this.#byOwner.set(owner, rest);
      }
      return item;
    }
    return null;
  }

  remove(owner: string, item: Item): void {
    const own = this.#byOwner.get(owner) ?? [];
    const at = own.indexOf(item);
    if (at < 0) return;
    own.splice(at, 1);
    this.#size -= 1;
    if (own.length === 0) this.#byOwner.delete(owner);
  }

  /** Empties the queue and returns what was in it. */
  clear(): Item[] {
    const all = [...this.#byOwner.values()].flat();
    this.#byOwner.clear();
    this.#size = 0;
    return all;
  }
}
