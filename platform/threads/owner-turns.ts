/** A busy process leaves one owner this share of a thread's time. */
const SHARE = 1 / 24;
/** What everybody may use at once: a long text or two. */
const FREE_MS = 40;
/** Nobody waits longer for their own turn, whatever they used before. */
const MAX_WAIT_MS = 5_000;
const MANY_OWNERS = 1_000;

/**
 * How long the next text of an owner waits, by the processor time that the texts of that owner took before. A text that takes long for a
 * thread takes long everywhere on its way: received, stored, read and sent. So whoever sends one after the other gets fewer turns while
 * the process is busy for others, who then wait behind fewer of them.
 */
export class OwnerTurns {
  /** When each owner's use is paid off, at their share. */
  readonly #paidAt = new Map<string, number>();
  readonly #isBusyFor: (owner: string) => boolean;
  readonly #now: () => number;

  constructor(isBusyFor: (owner: string) => boolean, now: () => number) {
    this.#isBusyFor = isBusyFor;
    this.#now = now;
  }

  /** The owner's texts took so much processor time. */
  add(owner: string, processorMs: number): void {
    const now = this.#now();
    if (this.#paidAt.size >= MANY_OWNERS) this.#forgetPaid(now);
    const paidAt = Math.max(now, this.#paidAt.get(owner) ?? now) + processorMs / SHARE;
    this.#paidAt.set(owner, Math.min(paidAt, now + FREE_MS / SHARE + MAX_WAIT_MS));
  }

  /** None while nobody else has to wait. */
  waitMs(owner: string): number {
    const paidAt = this.#paidAt.get(owner);
    if (paidAt === undefined) return 0;
    const waitMs = Math.max(0, paidAt - this.#now() - FREE_MS / SHARE);
    return waitMs > 0 && this.#isBusyFor(owner) ? waitMs : 0;
  }

  #forgetPaid(now: number): void {
    for (const [owner, paidAt] of this.#paidAt) if (paidAt <= now) this.#paidAt.delete(owner);
  }
}
