/** The share of a thread's time that a busy process leaves to one owner. */
const SHARE = 1 / 24;
/** The time that is free for everybody: a long text or two. */
const FREE_MS = 40;
/** The longest wait for a turn, independent of earlier use. */
const MAX_WAIT_MS = 5_000;
const MANY_OWNERS = 1_000;

/**
 * Decides how long the next text of an owner waits, by the processor time of the owner's earlier texts. A text that takes long
 * on a thread takes long everywhere: it is received, stored, read and sent. So while the process is busy for others, an owner
 * who sends many long texts gets fewer turns, and the others wait less.
 */
export class OwnerTurns {
  /** The time when each owner's use is paid off at their share. */
  readonly #paidAt = new Map<string, number>();
  readonly #isBusyFor: (owner: string) => boolean;
  readonly #now: () => number;

  constructor(isBusyFor: (owner: string) => boolean, now: () => number) {
    this.#isBusyFor = isBusyFor;
    this.#now = now;
  }

  /** Records processor time of an owner's texts. */
  recordUse(owner: string, processorMs: number): void {
    const now = this.#now();
    if (this.#paidAt.size >= MANY_OWNERS) this.#forgetPaid(now);
    const paidAt = Math.max(now, this.#paidAt.get(owner) ?? now) + processorMs / SHARE;
    this.#paidAt.set(owner, Math.min(paidAt, now + FREE_MS / SHARE + MAX_WAIT_MS));
  }

  /** Returns 0 while nobody else waits. */
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
