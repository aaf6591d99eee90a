/**
 * The engine on a disk of DISK_BYTES: its directory's contents fill it, and a commit beyond that fails. Mounting a real disk needs rights
 * that tests do not have everywhere.
 */
import fs, { readdirSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const directory = process.argv[process.argv.indexOf("--data") + 1] ?? "";
const BLOCK_BYTES = 4_096;

function readFreeBytes(): number {
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  return Math.max(0, Number(process.env.DISK_BYTES) - sizes.reduce((sum, size) => sum + size, 0));
}

Object.assign(fs, {
  statfsSync: () => ({ bsize: BLOCK_BYTES, bavail: Math.floor(readFreeBytes() / BLOCK_BYTES) }),
});
syncBuiltinESMExports();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  const isFull = sql === "COMMIT" && readFreeBytes() === 0;
  if (isFull) throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  return exec.call(this, sql);
};

await import("#db/engine/main.ts");
