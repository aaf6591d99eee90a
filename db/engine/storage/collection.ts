/**
 * One collection: its rows, and its indexes kept in step with them. A statement is checked against every
 * unique index before its first write. Row numbers are the engine's own and never leave it.
 */
import type { StatementSync } from "node:sqlite";
import {
  decode,
  decodeElement,
  encode,
  failTooLarge,
  MAX_DOCUMENT_BYTES,
  scanElements,
} from "../values/bson.ts";
import { EngineError, fail } from "../values/errors.ts";
import { encodeKey } from "../values/keys.ts";
import { present } from "../values/present.ts";
import { type Doc, Int32, type Value } from "../values/values.ts";
import type { IndexEntry } from "./index-keys.ts";
import {
  type IndexDefinition,
  parseIndex,
  sameKey,
  sameOptions,
  sameSignature,
  toIndexEntries,
} from "./index-spec.ts";

/** What a collection needs of the store that it lies in. */
interface CollectionStore {
  statement(sql: string): StatementSync;
  exec(sql: string): void;
  write<T>(change: () => T): T;
  writeWhole<T>(change: () => T): T;
  addIndex(collection: Collection, spec: Doc): number;
}

export interface Index extends IndexDefinition {
  id: number;
  /** Bit i is set once field i of any document has gone through an array. */
  multikey: number;
}

export interface Row {
  r: number;
  doc: Buffer;
}

interface StoredIndex {
  id: number;
  spec: Doc;
  multikey: number;
}

const ID_SPEC: Doc = new Map<string, Value>([
  ["v", new Int32(2)],
  ["key", new Map([["_id", new Int32(1)]])],
  ["name", "_id_"],
]);
const ID_FIELD = { path: "_id", parts: ["_id"], direction: 1 as const };

/** The index that every collection has: the `id` column of its own table. */
const ID_INDEX: Index = {
  id: 0,
  name: "_id_",
  fields: [ID_FIELD],
  unique: true,
  partial: undefined,
  expireAfterSeconds: undefined,
  spec: ID_SPEC,
  multikey: 0,
};

const MAX_INDEXES = 64;

export function asBuffer(bytes: unknown): Buffer {
  const { buffer, byteOffset, byteLength } = bytes as Uint8Array<ArrayBuffer>;
  return Buffer.from(buffer, byteOffset, byteLength);
}

export class Collection {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly #store: CollectionStore;
  indexes: Index[] = [];
  count = 0;
  dropped = false;
  /** Top-level fields that the indexes read; undefined = all. */
  #indexed: ReadonlySet<string> | undefined = new Set();

  constructor(store: CollectionStore, id: number, db: string, name: string) {
    this.#store = store;
    this.id = id;
    this.db = db;
    this.name = name;
  }

  get namespace(): string {
    return `${this.db}.${this.name}`;
  }

  /** Every index, the one on _id first. */
  get allIndexes(): Index[] {
    return [ID_INDEX, ...this.indexes];
  }

  load(stored: StoredIndex[]): void {
    this.indexes = stored.map(({ id, spec, multikey }) => ({ ...parseIndex(spec), id, multikey }));
    this.#notice();
    this.count = present(this.#sql(`SELECT count(*) AS n FROM c${this.id}`).get()).n as number;
  }

  #notice(): void {
    const names = new Set<string>();
    for (const { fields, partial } of this.indexes) {
      for (const field of fields) names.add(present(field.parts[0]));
      for (const name of partial?.fields ?? []) names.add(name);
    }
    this.#indexed = names;
  }

  #sql(sql: string) {
    return this.#store.statement(sql);
  }

  /** An operation that paused may come back to a collection that was dropped since then. */
  #checkAlive(): void {
    if (this.dropped) fail(175, `query plan killed: ${this.namespace} was dropped`);
  }

  findRow(r: number): Row | undefined {
    this.#checkAlive();
    const row = this.#sql(`SELECT doc FROM c${this.id} WHERE r = ?`).get(r);
    return row && { r, doc: asBuffer(row.doc) };
  }

  insert(document: Buffer): void {
    const { raw, id } = withIdFirst(document);
    if (raw.length > MAX_DOCUMENT_BYTES) failTooLarge(raw.length, MAX_DOCUMENT_BYTES);
    checkId(id);
    this.#checkAlive();
    this.#store.write(() => {
      const key = encodeKey([id]);
      const clash = this.#sql(`SELECT r FROM c${this.id} WHERE id = ?`).get(key);
      if (clash) throw this.#duplicate(ID_INDEX, [id]);
      const fields = decode(raw, 0, this.#indexed);
      const entries = this.indexes.map((index) =>
        this.#checked(index, toIndexEntries(index, fields), undefined),
      );
      const r = Number(
        this.#sql(`INSERT INTO c${this.id} (id, doc) VALUES (?, ?)`).run(key, raw).lastInsertRowid,
      );
      this.indexes.forEach((index, i) => {
        this.#file(index, present(entries[i]), r);
      });
      this.count++;
    });
  }

  /** Replaces the document of a row; its _id stays. */
  update(row: Row, document: Doc): Buffer {
    const raw = encode(document);
    if (raw.length > MAX_DOCUMENT_BYTES) failTooLarge(raw.length, MAX_DOCUMENT_BYTES);
    this.#checkAlive();
    this.#store.write(() => {
      const before = decode(row.doc, 0, this.#indexed);
      const changes = this.indexes.map((index) => {
        const old = toIndexEntries(index, before).entries;
        const now = toIndexEntries(index, document);
        const gone = old.filter((entry) => !now.entries.some(({ key }) => key.equals(entry.key)));
        const added = now.entries.filter((entry) => !old.some(({ key }) => key.equals(entry.key)));
        return { gone, added: this.#checked(index, { entries: added, multikey: now.multikey }, row.r) };
      });
      this.#sql(`UPDATE c${this.id} SET doc = ? WHERE r = ?`).run(raw, row.r);
      this.indexes.forEach((index, i) => {
        this.#unfile(index, present(changes[i]).gone, row.r);
        this.#file(index, present(changes[i]).added, row.r);
      });
    });
    return raw;
  }

  remove(row: Row): void {
    this.#checkAlive();
    this.#store.write(() => {
      const fields = decode(row.doc, 0, this.#indexed);
      for (const index of this.indexes) this.#unfile(index, toIndexEntries(index, fields).entries, row.r);
      this.#sql(`DELETE FROM c${this.id} WHERE r = ?`).run(row.r);
      this.count--;
    });
  }

  /** Refuses entries that another row holds in a unique index. */
  #checked(index: Index, filed: { entries: IndexEntry[]; multikey: number }, own: number | undefined) {
    if (index.unique)
      for (const { key, values } of filed.entries) {
        const holder = this.#sql(`SELECT r FROM x${index.id} WHERE k = ? LIMIT 1`).get(key);
        if (holder && holder.r !== own) throw this.#duplicate(index, values);
      }
    return filed;
  }

  #file(index: Index, filed: { entries: IndexEntry[]; multikey: number }, r: number): void {
    for (const { key } of filed.entries)
      this.#sql(`INSERT INTO x${index.id} (k, r) VALUES (?, ?)`).run(key, r);
    const multikey = index.multikey | filed.multikey;
    if (multikey === index.multikey) return;
    this.#sql("UPDATE indexes SET multikey = ? WHERE id = ?").run(multikey, index.id);
    index.multikey = multikey;
  }

  #unfile(index: Index, entries: IndexEntry[], r: number): void {
    for (const { key } of entries) this.#sql(`DELETE FROM x${index.id} WHERE k = ? AND r = ?`).run(key, r);
  }

  #duplicate(index: Index, values: Value[]): EngineError {
    const keyPattern = index.spec.get("key");
    const keyValue: Doc = new Map(index.fields.map(({ path }, i) => [path, present(values[i])]));
    const message = `E11000 duplicate key error collection: ${this.namespace} index: ${index.name} dup key: ${describeKey(keyValue)}`;
    return new EngineError(11000, message, { keyPattern, keyValue });
  }

  /** Creates missing indexes with all existing documents and returns the number of new indexes. */
  createIndexes(specs: Doc[]): number {
    const wanted = specs.map(parseIndex).filter((definition) => this.#isNew(definition));
    if (wanted.length === 0) return 0;
    if (this.indexes.length + wanted.length + 1 > MAX_INDEXES)
      fail(67, `a collection may have at most ${MAX_INDEXES} indexes`);
    return this.#store.writeWhole(() => {
      for (const definition of wanted) {
        if (!this.#isNew(definition)) continue;
        const index: Index = { ...definition, id: this.#store.addIndex(this, definition.spec), multikey: 0 };
        this.#build(index);
        this.indexes.push(index);
      }
      this.#notice();
      return wanted.length;
    });
  }

  #isNew(wanted: IndexDefinition): boolean {
    for (const present of this.allIndexes) {
      if (present.name === wanted.name) {
        if (sameOptions(present, wanted) || present === ID_INDEX) return false;
        fail(
          sameSignature(present, wanted) ? 85 : 86,
          `An existing index has the same name as the requested index but different specification: ${wanted.name}`,
        );
      }
      if (present === ID_INDEX && sameKey(present, wanted)) return false;
      if (sameSignature(present, wanted))
        fail(85, `Index already exists with a different name: ${present.name}`);
    }
    return true;
  }

  #build(index: Index): void {
    const chunk = this.#sql(`SELECT r, doc FROM c${this.id} WHERE r > ? ORDER BY r LIMIT 200`);
    let last = -1;
    for (;;) {
      const rows = chunk.all(last);
      for (const { r, doc } of rows) {
        const filed = toIndexEntries(index, decode(asBuffer(doc)));
        this.#file(index, this.#checked(index, filed, undefined), r as number);
      }
      if (rows.length === 0) return;
      last = present(rows.at(-1)).r as number;
    }
  }

  dropIndex(name: string): void {
    const index = this.indexes.find((present) => present.name === name);
    if (name === "_id_") fail(72, "cannot drop _id index");
    if (!index) fail(27, `index not found with name [${name}]`);
    this.#store.writeWhole(() => {
      this.#store.exec(`DROP TABLE x${index.id}`);
      this.#sql("DELETE FROM indexes WHERE id = ?").run(index.id);
      this.indexes = this.indexes.filter((present) => present !== index);
      this.#notice();
    });
  }
}

/** The bytes with _id as the first field, as MongoDB stores them. */
function withIdFirst(raw: Buffer): { raw: Buffer; id: Value } {
  for (const element of scanElements(raw)) {
    if (element.name !== "_id") continue;
    const id = decodeElement(raw, element);
    if (element.start === 4) return { raw, id };
    const moved = [
      raw.subarray(0, 4),
      raw.subarray(element.start, element.end),
      raw.subarray(4, element.start),
      raw.subarray(element.end),
    ];
    return { raw: Buffer.concat(moved), id };
  }
  return fail(2, "a document to be stored has no _id");
}

export function checkId(id: Value): void {
  if (Array.isArray(id)) fail(53, "The '_id' value cannot be of type array");
  if (id instanceof Map)
    for (const name of id.keys())
      if (name.startsWith("$"))
        fail(52, `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`);
}

/** Describes a key for an error message; long values are cut. */
function describeKey(key: Doc): string {
  const text = [...key].map(([path, value]) => `${path}: ${describeValue(value)}`).join(", ");
  return `{ ${text} }`;
}

function describeValue(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "string")
    return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
  if (value instanceof Int32) return String(value.value);
  if (value instanceof Map) return describeKey(value);
  if (Array.isArray(value)) return `[ ${value.slice(0, 5).map(describeValue).join(", ")} ]`;
  if (typeof value === "object" && "bytes" in value) return `ObjectId('${value.bytes.toString("hex")}')`;
  if (typeof value === "object" && "ms" in value) return `new Date(${value.ms})`;
  return String(value);
}
