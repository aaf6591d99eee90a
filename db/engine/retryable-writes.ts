/**
 * What the last numbered write of each session did, statement by statement: one row per session, saved in the same
 * transaction as the write itself. So a client that lost its answer may send the write again, also to an engine that was
 * killed meanwhile: what was done is answered from here and not done again.
 */
import type { Store } from "./storage/store.ts";
import { decode, encode } from "./values/bson.ts";
import { fail } from "./values/errors.ts";
import { type Doc, doc, Int32, toNumber, type Value } from "./values/values.ts";

const LIST = "SELECT r, session, number, used FROM retryable_writes ORDER BY used";
const READ = "SELECT number, record FROM retryable_writes WHERE r = ?";
const SAVE =
  "INSERT OR REPLACE INTO retryable_writes (r, session, number, used, record) VALUES (?, ?, ?, ?, ?)";
const REMOVE = "DELETE FROM retryable_writes WHERE r = ?";

interface WriteIdentity {
  row: number;
  session: Buffer;
  txnNumber: bigint;
  command: string;
}

/** Statements that follow one another and came to the same: a thousand inserts are one run. */
interface Run {
  first: number;
  count: number;
  result: Doc;
}

/** One numbered write while it runs. */
export class RetryableWrite {
  readonly #store: Store;
  readonly #identity: WriteIdentity;
  readonly #runs: Run[];
  /** What it did when it was sent before, by statement. */
  readonly #done = new Map<number, Doc>();
  readonly #save = (): void => this.#write();

  constructor(store: Store, identity: WriteIdentity, runs: Run[]) {
    this.#store = store;
    this.#identity = identity;
    this.#runs = runs;
    for (const { first, count, result } of runs)
      for (let statement = first; statement < first + count; statement++) this.#done.set(statement, result);
  }

  /** Returns the earlier result of the statement; undefined if it was not done. */
  recall(statement: number): Doc | undefined {
    return this.#done.get(statement);
  }

  /** Must be called in the same turn as the statement's write. Equal results are best given as one object. */
  remember(statement: number, result: Doc): void {
    const last = this.#runs.at(-1);
    if (last?.result === result && last.first + last.count === statement) last.count++;
    else this.#runs.push({ first: statement, count: 1, result });
    this.#store.beforeCommit(this.#save);
  }

  #write(): void {
    const { row, session, txnNumber, command } = this.#identity;
    const runs = this.#runs.map(
      ({ first, count, result }): Value => doc({ first: new Int32(first), count: new Int32(count), result }),
    );
    const record = encode(doc({ command, runs }));
    this.#store.statement(SAVE).run(row, session, txnNumber, Date.now(), record);
  }
}

/** The table of records. */
export class RetryRecords {
  readonly #store: Store;
  #lastRow = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** All sessions that have a record, least recently used first. */
  list(): { row: number; session: Buffer; txnNumber: bigint; usedAt: number }[] {
    const statement = this.#store.statement(LIST);
    statement.setReadBigInts(true);
    return statement.all().map(({ r, session, number, used }) => {
      const row = Number(r);
      this.#lastRow = Math.max(this.#lastRow, row);
      return {
        row,
        session: Buffer.from(session as Uint8Array),
        txnNumber: number as bigint,
        usedAt: Number(used),
      };
    });
  }

  /** Returns a row number that no session has had since the engine started. */
  nextRow(): number {
    return ++this.#lastRow;
  }

  open(identity: WriteIdentity, repeats: boolean): RetryableWrite {
    return new RetryableWrite(this.#store, identity, repeats ? this.#read(identity) : []);
  }

  #read({ row, txnNumber, command }: WriteIdentity): Run[] {
    this.#store.savePending();
    const statement = this.#store.statement(READ);
    statement.setReadBigInts(true);
    const result = statement.get(row);
    if (result?.number !== txnNumber) return [];
    const record = decode(Buffer.from(result.record as Uint8Array));
    if (record.get("command") !== command)
      fail(72, `txnNumber ${txnNumber} was used for ${String(record.get("command"))}, not for ${command}`);
    return (record.get("runs") as Doc[]).map((run) => ({
      first: toNumber(run.get("first") as Int32),
      count: toNumber(run.get("count") as Int32),
      result: run.get("result") as Doc,
    }));
  }

  remove(rows: number[]): void {
    this.#store.write(() => {
      for (const row of rows) this.#store.statement(REMOVE).run(row);
    });
  }
}
