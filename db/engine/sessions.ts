/**
 * The sessions that clients have named lately, with the number of each one's last retryable write. What such a write
 * did is on disk; a session that is ended, idle for too long or one too many is forgotten, and its record with it.
 */
import { type RetryableWrite, RetryRecords } from "./retryable-writes.ts";
import type { Store } from "./storage/store.ts";
import { fail } from "./values/errors.ts";
import { Binary, type Value } from "./values/values.ts";

export const SESSION_MINUTES = 30;
const IDLE_MS = SESSION_MINUTES * 60_000;
const MAX_SESSIONS = 10_000;
const UUID_SUBTYPE = 4;

interface Session {
  id: Binary;
  usedAt: number;
  /** The number of the last retryable write; undefined before the first one. */
  txnNumber: bigint | undefined;
  /** Where its record is kept. */
  row: number | undefined;
}

function getSessionId(lsid: Value | undefined): Binary | undefined {
  const id = lsid instanceof Map ? lsid.get("id") : undefined;
  return id instanceof Binary ? id : undefined;
}

function toKey(id: Binary): string {
  return id.bytes.toString("hex");
}

export class Sessions {
  /** Least recently used first. */
  readonly #byId = new Map<string, Session>();
  readonly #records: RetryRecords;
  /** Resolves when the retryable write that a session is busy with has ended. */
  readonly #running = new Map<string, Promise<void>>();
  /** Rows of sessions that are forgotten. */
  #obsolete: number[] = [];

  constructor(store: Store) {
    this.#records = new RetryRecords(store);
    for (const { session, txnNumber, usedAt, row } of this.#records.list()) {
      const id = new Binary(UUID_SUBTYPE, session);
      this.#forget(toKey(id));
      this.#byId.set(toKey(id), { id, usedAt, txnNumber, row });
    }
  }

  use(lsid: Value | undefined, now: number): void {
    const id = getSessionId(lsid);
    if (id) this.#touch(id, now);
  }

  #touch(id: Binary, now: number): Session {
    const key = toKey(id);
    const session = this.#byId.get(key) ?? { id, usedAt: now, txnNumber: undefined, row: undefined };
    session.usedAt = now;
    this.#byId.delete(key);
    this.#byId.set(key, session);
    this.#forgetIdle(now);
    return session;
  }

  #forgetIdle(now: number): void {
    for (const [key, { usedAt }] of this.#byId) {
      if (this.#byId.size <= MAX_SESSIONS && now - usedAt < IDLE_MS) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    const row = this.#byId.get(key)?.row;
    if (row !== undefined) this.#obsolete.push(row);
    this.#byId.delete(key);
  }

  end(lsid: Value | undefined): void {
    const id = getSessionId(lsid);
    if (id) this.#forget(toKey(id));
  }

  /** Removes the records of all sessions that are forgotten by now. */
  sweep(now: number): void {
    this.#forgetIdle(now);
    const rows = this.#obsolete;
    this.#obsolete = [];
    if (rows.length > 0) this.#records.remove(rows);
  }

  /**
   * Runs a numbered write with the memory of what it has done before. Writes of one session run one after the other, so
   * a repeat that overtakes its original waits for it. A number below the last one is refused.
   */
  async runWrite<T>(
    lsid: Value | undefined,
    txnNumber: bigint,
    command: string,
    run: (write: RetryableWrite) => Promise<T>,
  ): Promise<T> {
    const id =
      getSessionId(lsid) ?? fail(72, "Transaction number requires a session ID to also be specified");
    const key = toKey(id);
    while (this.#running.has(key)) await this.#running.get(key);
    const write = this.#beginWrite(id, txnNumber, command);
    const ended = Promise.withResolvers<void>();
    this.#running.set(key, ended.promise);
    try {
      return await run(write);
    } finally {
      this.#running.delete(key);
      ended.resolve();
    }
  }

  #beginWrite(id: Binary, txnNumber: bigint, command: string): RetryableWrite {
    const session = this.#touch(id, Date.now());
    if (session.txnNumber !== undefined && txnNumber < session.txnNumber)
      fail(
        225,
        `Retryable write with txnNumber ${txnNumber} is prohibited on session ${toKey(id)} because a newer retryable write with txnNumber ${session.txnNumber} has already started on this session.`,
      );
    const repeats = session.txnNumber === txnNumber;
    session.txnNumber = txnNumber;
    session.row ??= this.#records.nextRow();
    return this.#records.open({ row: session.row, session: id.bytes, txnNumber, command }, repeats);
  }
}
