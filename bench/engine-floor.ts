/** The floor: the same rows and the same five operations on SQLite itself, in this process, synced as the engine syncs. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { itemAt } from "#domain/required.ts";
import { type FileRow, fileRow, OWNER, rowBytes } from "./engine-rows.ts";
import { type Timing, time } from "./measure.ts";

export class Floor {
  readonly #db: DatabaseSync;
  #rows: FileRow[] = [];

  constructor(directory: string) {
    this.#db = new DatabaseSync(join(directory, "floor.sqlite"));
    this.#db.exec(`
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -131072;
      CREATE TABLE files (id BLOB PRIMARY KEY, owner TEXT, name TEXT, language TEXT, shelf INTEGER, created INTEGER, version INTEGER, doc BLOB);
      CREATE INDEX by_created ON files (owner, created DESC);
      CREATE INDEX by_name ON files (owner, name);
      CREATE INDEX by_language ON files (owner, language, created DESC);
      CREATE INDEX by_shelf ON files (owner, shelf);
    `);
  }

  #insert(row: FileRow): void {
    this.#db
      .prepare("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        row._id.id,
        row.owner,
        row.name,
        row.language,
        row.services,
        row.created_at.getTime(),
        row.version,
        rowBytes(row),
      );
    this.#rows.push(row);
  }

  growTo(size: number): void {
    this.#db.exec("BEGIN");
    while (this.#rows.length < size) this.#insert(fileRow(this.#rows.length));
    this.#db.exec("COMMIT");
  }

  async measure(calls: number): Promise<Record<string, Timing>> {
    const size = this.#rows.length;
    const any = (call: number): FileRow => itemAt(this.#rows, (call * 7919) % size);
    const byId = this.#db.prepare("SELECT doc FROM files WHERE id = ?");
    const page = this.#db.prepare("SELECT doc FROM files WHERE owner = ? ORDER BY created DESC LIMIT 20");
    const swap = this.#db.prepare("UPDATE files SET version = version + 1 WHERE id = ? AND version = ?");
    const counted = this.#db.prepare("SELECT count(*) AS n FROM files WHERE owner = ? AND shelf = ?");
    return {
      insert: await time(calls, (call) => this.#insert(fileRow(size + call))),
      "find by _id": await time(calls, (call) => byId.get(any(call)._id.id)),
      "page of 20": await time(calls, () => page.all(OWNER)),
      "compare and swap": await time(calls, (call) => {
        const row = any(call);
        swap.run(row._id.id, row.version++);
      }),
      count: await time(calls, (call) => counted.get(OWNER, any(call).services)),
    };
  }

  close(): void {
    this.#db.close();
  }
}
