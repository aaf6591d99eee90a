/**
 * A queue that serves owners in turn: the next owner is the one whose last turn is longest ago, however many items the others
 * have. Its length is limited; when it is full, the owner with the most items loses the newest of them.
 */
export class FairQueue<Item> {
  /** Map order is the order of turns. */
  readonly #byOwner = new Map<string, Item[]>();
  readonly #max: number;
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the dropped item if the queue is full; it may be the new one. */
  add(owner: string, item: Item): Item | null {
    const ownItems = this.#byOwner.get(owner) ?? [];
    this.#byOwner.set(owner, ownItems);
    ownItems.push(item);
    this.#size += 1;
    if (this.#size <= this.#max) return null;
    const [largestOwner] = [...this.#byOwner].sort(([, a], [, b]) => b.length - a.length);
    const dropped = largestOwner?.[1].at(-1);
    if (!largestOwner || dropped === undefined) return null;
    this.remove(largestOwner[0], dropped);
    return dropped;
  }

  /** Returns the next item that may have a turn. Its owner then goes to the end. */
  take(mayHaveTurn: (item: Item) => boolean): Item | null {
    for (const [owner, [item]] of this.#byOwner) {
      if (item === undefined || !mayHaveTurn(item)) continue;
      this.remove(owner, item);
      const remaining = this.#byOwner.get(owner);
      if (remaining) {
        this.#byOwner.delete(owner);
        this.#byOwner.set(owner, remaining);
      }
      return item;
    }
    return null;
  }

  remove(owner: string, item: Item): void {
    const ownItems = this.#byOwner.get(owner) ?? [];
    const index = ownItems.indexOf(item);
    if (index < 0) return;
    ownItems.splice(index, 1);
    this.#size -= 1;
    if (ownItems.length === 0) this.#byOwner.delete(owner);
  }

  clear(): Item[] {
    const items = [...this.#byOwner.values()].flat();
    this.#byOwner.clear();
    this.#size = 0;
    return items;
  }
}
