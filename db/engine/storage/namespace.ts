/** What databases and collections may be called. */
import { fail } from "../values/errors.ts";

const MAX_NAMESPACE_BYTES = 255;
const MAX_DATABASE_BYTES = 63;

export function checkDatabaseName(db: string): void {
  if (db === "" || /[/\\. "\0]/.test(db) || Buffer.byteLength(db) > MAX_DATABASE_BYTES)
    fail(73, `Invalid database name: '${db}'`);
}

export function checkNamespace(db: string, name: string): void {
  checkDatabaseName(db);
  if (db.includes("$")) fail(73, `Invalid database name: '${db}'`);
  if (
    name === "" ||
    name.includes("$") ||
    name.includes("\0") ||
    name.startsWith(".") ||
    name.endsWith(".") ||
    name.startsWith("system.")
  )
    fail(73, `Invalid collection name: ${name}`);
  if (Buffer.byteLength(`${db}.${name}`) > MAX_NAMESPACE_BYTES)
    fail(73, "Fully qualified namespace is too long");
}
