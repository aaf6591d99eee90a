/**
 * The files of a PostgreSQL server: `cluster/` (its data) and `password`. A cluster is created under a temporary name and
 * renamed when complete, so an interrupted start leaves none that looks ready.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chown,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { required } from "#domain/required.ts";
import { changeOwner } from "#platform/processes/change-owner.ts";
import { type Account, chooseInitdbAccount, toStartOptions } from "./postgres-account.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";

export const ROLE = "codeshelf";

const UNFINISHED = "cluster-unfinished-";

type ClusterOptions = {
  directory: string;
  binaries: PostgresBinaries;
  account: Account | null;
  durable: boolean;
};

/** Creates the cluster if there is none, and returns the password of its only role. */
export async function ensureCluster(options: ClusterOptions): Promise<{ cluster: string; password: string }> {
  const { directory } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const cluster = join(directory, "cluster");
  const password = await ensurePassword(directory);
  if (!existsSync(cluster)) await createCluster(cluster, options);
  return { cluster, password };
}

/** Gives the files of a cluster without a running server to the server's user; the password remains readable only for the current user. */
export async function changeClusterOwner(directory: string, account: Account | null): Promise<void> {
  if (!account) return;
  const cluster = join(directory, "cluster");
  const { uid } = await stat(cluster);
  if (uid !== account.uid) await changeOwner(cluster, uid, account);
  await chown(
    join(directory, "password"),
    required(process.getuid?.(), "user id"),
    required(process.getgid?.(), "group id"),
  );
}

/** Written under a temporary name first, so that a password file is either absent or complete. */
async function ensurePassword(directory: string): Promise<string> {
  const file = join(directory, "password");
  if (!existsSync(file)) {
    const unfinished = `${file}-unfinished`;
    await rm(unfinished, { force: true });
    await writeFile(unfinished, randomBytes(24).toString("hex"), { mode: 0o600 });
    await rename(unfinished, file);
  }
  return readFile(file, "utf8");
}

async function createCluster(cluster: string, { directory, binaries, account, durable }: ClusterOptions) {
  for (const name of await readdir(directory)) {
    if (name.startsWith(UNFINISHED)) await rm(join(directory, name), { recursive: true, force: true });
  }
  const unfinished = await mkdtemp(join(directory, UNFINISHED));
  const maker = chooseInitdbAccount(account);
  try {
    if (maker) await chown(unfinished, maker.uid, maker.gid);
    await runInitdb(unfinished, directory, binaries, maker, durable);
    if (maker && account) await changeOwner(unfinished, maker.uid, account);
    await rename(unfinished, cluster);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Opens a copy of the password that is already deleted from its directory, and that its new owner can read by the descriptor. */
async function openPassword(directory: string, owner: Account | null): Promise<FileHandle> {
  const file = join(directory, "password");
  if (!owner) return open(file);
  const copy = `${file}-for-initdb`;
  await rm(copy, { force: true });
  await writeFile(copy, await readFile(file), { mode: 0o600 });
  await chown(copy, owner.uid, owner.gid);
  const handle = await open(copy);
  await rm(copy);
  return handle;
}

/** The password is passed by standard input, because another user could not access it as a file. */
async function runInitdb(
  unfinished: string,
  directory: string,
  binaries: PostgresBinaries,
  account: Account | null,
  durable: boolean,
) {
  const { dataArguments, spawnOptions } = toStartOptions(unfinished, account);
  const settings = [
    `--username=${ROLE}`,
    "--pwfile=/dev/stdin",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-locale",
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
  ];
  const passwordFile = await openPassword(directory, account);
  try {
    const initdb = spawn(binaries.initdb, [...dataArguments, ...settings], {
      ...spawnOptions,
      detached: true,
      stdio: [passwordFile.fd, "ignore", "pipe"],
    });
    const [message, [code]] = await Promise.all([
      text(required(initdb.stderr, "error output of initdb")),
      once(initdb, "close"),
    ]);
    if (code !== 0) throw new Error(`PostgreSQL's initdb failed in ${directory}: ${message.trim()}`);
  } finally {
    await passwordFile.close();
  }
}
