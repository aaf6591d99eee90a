/** The rows that the engine and bare SQLite are both filled with: documents of about 3 KB. */

import { Binary, BSON, ObjectId } from "mongodb";
import { itemAt } from "#domain/required.ts";

export const OWNER = "u1";
const LANGUAGES = ["python", "typescript", "markdown", "rust"];
/** Rows that share a shelf: what a count finds, whatever the size of the whole. */
const SHELF_ROWS = 100;
const body = Buffer.alloc(2_700, "def hello():\n    return 'shalom'\n");

export interface FileRow {
  _id: ObjectId;
  owner: string;
  name: string;
  language: string;
  services: number;
  created_at: Date;
  version: number;
  body: Binary;
}

export function fileRow(i: number): FileRow {
  return {
    _id: new ObjectId(),
    owner: OWNER,
    name: `file-${i}.py`,
    language: itemAt(LANGUAGES, i % LANGUAGES.length),
    services: Math.floor(i / SHELF_ROWS),
    created_at: new Date(1_700_000_000_000 + i * 1000),
    version: 1,
    body: new Binary(body),
  };
}

export function rowBytes(row: FileRow): Uint8Array {
  return BSON.serialize(row);
}
