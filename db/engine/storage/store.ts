/**
 * The one SQLite file: the catalogue of collections and indexes, and the group commit.
 *
 * Everything that is written in one turn of the event loop is one transaction with one sync to disk; whoever
 * wrote or read in that turn waits for `settled()` before answering. So an answer never speaks of anything that a
 * crash could take back. A refusal (EngineError) is raised before the first write of its statement; any other
 * failure of a write rolls the whole turn back and fails everyone who waits for it.
 */
import { accessSync, chmodSync, constants, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { decode, encode } from "../values/bson.ts";
import { EngineError } from "../values/errors.ts";
import type { Doc } from "../values/values.ts";
import { Collection } from "./collection.ts";
import { DiskRoom } from "./disk-room.ts";
import { checkNamespace } from "./namespace.ts";
import { removeSnapshot, type Snapshot, writeSnapshot } from "./snapshot.ts";
import { DISK_FULL, toStorageFailure } from "./storage-failure.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (db, name));
  CREATE TABLE IF NOT EXISTS indexes (id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS retryable_writes (r INTEGER PRIMARY KEY, session BLOB NOT NULL, number INTEGER NOT NULL, used INTEGER NOT NULL, record BLOB NOT NULL);
`;
const FORMAT = 1;

interface StoreOptions {
  directory: string;
  /** "full" puts every acknowledged write on disk; "normal" survives a killed process, not a power cut. */
  sync: "full" | "normal";
}

export class Store {
  readonly room: DiskRoom;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #collections = new Map<string, Collection>();
  readonly #beforeCommit = new Set<() => void>();
  readonly #directory: string;
  #turn: PromiseWithResolvers<void> | undefined;
  #snapshot: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor({ directory, sync }: StoreOptions) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, "engine.sqlite");
    const fresh = !existsSync(file);
    checkWritable(fresh ? [directory] : [directory, file]);
    this.room = new DiskRoom(directory, () => this.#readReusableBytes());
    this.#db = new DatabaseSync(file);
    if (fresh) chmodSync(file, 0o600);
    if (fresh) this.#db.exec("PRAGMA page_size = 8192");
    this.#db.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${sync === "full" ? "FULL" : "NORMAL"};
      PRAGMA journal_size_limit = 67108864;
      PRAGMA cache_size = -131072;
      PRAGMA temp_store = MEMORY;
      PRAGMA mmap_size = 0;
    `);
    const format = this.#db.prepare("PRAGMA user_version").get() as { user_version: number };
    if (format.user_version > FORMAT)
      throw new Error(`${file} was written by a newer version (format ${format.user_version})`);
    this.#db.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${FORMAT}; COMMIT;`);
    this.#load();
    removeSnapshot(directory);
  }

  /** Reads the catalogue anew into the objects that are already handed out. */
  #load(): void {
    const rows = this.#db.prepare("SELECT id, db, name FROM collections").all() as {
      id: number;
      db: string;
      name: string;
    }[];
    const living = new Set(rows.map((row) => `${row.db}.${row.name}`));
    for (const [namespace, collection] of this.#collections) {
      if (living.has(namespace)) continue;
      collection.dropped = true;
      this.#collections.delete(namespace);
    }
    for (const row of rows) {
      const namespace = `${row.db}.${row.name}`;
      const existing = this.#collections.get(namespace);
      const collection = existing?.id === row.id ? existing : new Collection(this, row.id, row.db, row.name);
      if (existing && existing !== collection) existing.dropped = true;
      const indexes = this.statement(
        "SELECT id, spec, multikey FROM indexes WHERE collection = ? ORDER BY id",
      ).all(row.id);
      collection.load(
        indexes.map((index) => ({
          id: index.id as number,
          spec: decode(Buffer.from(index.spec as Uint8Array)),
          multikey: index.multikey as number,
        })),
      );
      this.#collections.set(namespace, collection);
    }
  }

  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `change` inside this turn's transaction. */
  write<T>(change: () => T): T {
    if (!this.#turn) this.#begin();
    try {
      return change();
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw this.#abandon(error);
    }
  }

  /** As `write`, for changes of several statements that may be refused half-way: they happen whole or not at all. */
  writeWhole<T>(change: () => T): T {
    return this.write(() => {
      this.#db.exec("SAVEPOINT whole");
      try {
        const result = change();
        this.#db.exec("RELEASE whole");
        return result;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        this.#db.exec("ROLLBACK TO whole; RELEASE whole");
        this.#load();
        throw error;
      }
    });
  }

  /** Calls `save` once before this turn's transaction is committed, as a part of it. */
  beforeCommit(save: () => void): void {
    this.write(() => this.#beforeCommit.add(save));
  }

  /** Calls the functions that wait for the commit of this turn. */
  savePending(): void {
    const pending = [...this.#beforeCommit];
    this.#beforeCommit.clear();
    for (const save of pending) this.write(save);
  }

  #begin(): void {
    try {
      this.#db.exec("BEGIN IMMEDIATE");
    } catch (error) {
      throw toStorageFailure(error);
    }
    this.#turn = Promise.withResolvers<void>();
    this.#turn.promise.catch(() => undefined);
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    const turn = this.#turn;
    if (!turn) return;
    try {
      this.savePending();
      this.#db.exec("COMMIT");
      this.#turn = undefined;
      turn.resolve();
    } catch (error) {
      this.#abandon(error);
    }
  }

  #abandon(cause: unknown): EngineError {
    const error = toStorageFailure(cause);
    if (error.code === DISK_FULL) this.room.releaseReserve();
    const turn = this.#turn;
    this.#turn = undefined;
    this.#beforeCommit.clear();
    if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    this.#load();
    turn?.reject(error);
    return error;
  }

  /** Resolves when everything done so far is on disk, rejects when it was rolled back. */
  waitForCommit(): Promise<void> {
    return this.#turn?.promise ?? Promise.resolve();
  }

  find(db: string, name: string): Collection | undefined {
    return this.#collections.get(`${db}.${name}`);
  }

  list(db: string): Collection[] {
    return [...this.#collections.values()].filter((collection) => collection.db === db);
  }

  listAll(): Collection[] {
    return [...this.#collections.values()];
  }

  create(db: string, name: string): Collection {
    checkNamespace(db, name);
    return this.writeWhole(() => {
      const added = this.statement("INSERT INTO collections (db, name) VALUES (?, ?)").run(db, name);
      const collection = new Collection(this, Number(added.lastInsertRowid), db, name);
      this.exec(
        `CREATE TABLE c${collection.id} (r INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, doc BLOB NOT NULL)`,
      );
      collection.load([]);
      this.#collections.set(collection.namespace, collection);
      return collection;
    });
  }

  drop(collection: Collection): void {
    this.writeWhole(() => {
      const tables = [`c${collection.id}`, ...collection.indexes.map(({ id }) => `x${id}`)];
      const mentions = new RegExp(`\\b(?:${tables.join("|")})\\b`);
      for (const sql of this.#statements.keys()) if (mentions.test(sql)) this.#statements.delete(sql);
      for (const table of tables) this.exec(`DROP TABLE ${table}`);
      this.statement("DELETE FROM indexes WHERE collection = ?").run(collection.id);
      this.statement("DELETE FROM collections WHERE id = ?").run(collection.id);
      this.#collections.delete(collection.namespace);
      collection.dropped = true;
    });
  }

  addIndex(collection: Collection, spec: Doc): number {
    const added = this.statement("INSERT INTO indexes (collection, spec) VALUES (?, ?)").run(
      collection.id,
      encode(spec),
    );
    const id = Number(added.lastInsertRowid);
    this.exec(`CREATE TABLE x${id} (k BLOB NOT NULL, r INTEGER NOT NULL, PRIMARY KEY (k, r)) WITHOUT ROWID`);
    return id;
  }

  #readReusableBytes(): number {
    const read = (name: string) => Number(this.statement(`PRAGMA ${name}`).get()?.[name]);
    return read("freelist_count") * read("page_size");
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** A copy of the whole file as it is at one moment, made while others read and write. One is made at a time and replaces the last. */
  snapshot(): Promise<Snapshot> {
    const next = this.#snapshot.then(() => writeSnapshot(this.#db, this.#directory));
    this.#snapshot = next.catch(() => undefined);
    return next;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#commit();
    this.#db.close();
  }
}

/** Throws if a path cannot be written. This is checked first, because SQLite reports it as a disk I/O error. */
function checkWritable(paths: string[]): void {
  for (const path of paths)
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch {
      throw new Error(`${path} is read-only, or not ours to write`);
    }
}
