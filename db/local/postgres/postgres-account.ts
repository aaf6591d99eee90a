/**
 * PostgreSQL refuses to run as root, so root runs it as another user, with an id that no other user or program has. A cluster
 * of the user `nobody`, as earlier releases made, is taken over; any other cluster keeps its owner. Other users run it as
 * themselves. The data directory is closed to others and may be below a private home. The server is started inside its cluster
 * and finds it as /proc/self/cwd, which needs no access to the parent directories.
 */

import { readFileSync, statSync } from "node:fs";
import { type Account, isMappedAccount, isRoot, POSTGRES_ACCOUNT } from "#platform/processes/accounts.ts";
import { childEnvironment } from "#platform/processes/child-environment.ts";

export type { Account };

/** Returns the user for the server of this cluster; null for the current user. */
export function serverAccount(cluster: string): Account | null {
  if (!isRoot()) return null;
  if (process.platform !== "linux") {
    throw new Error("PostgreSQL does not run as root. Start as an ordinary user, or set DATABASE_URL.");
  }
  const defaultAccount = isMappedAccount(POSTGRES_ACCOUNT) ? POSTGRES_ACCOUNT : readNobodyAccount();
  const owner = statSync(cluster, { throwIfNoEntry: false });
  const isTaken = owner && owner.uid !== 0 && owner.uid !== readNobodyAccount().uid;
  return isTaken ? { uid: owner.uid, gid: owner.gid } : defaultAccount;
}

/** Returns the user who creates a cluster, because PostgreSQL's initdb works only for a user with a name. */
export function chooseInitdbAccount(account: Account | null): Account | null {
  return account?.uid === POSTGRES_ACCOUNT.uid ? readNobodyAccount() : account;
}

export function readNobodyAccount(): Account {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : { uid: 65534, gid: 65534 };
}

/** Returns how a program of PostgreSQL is started on this cluster: its user, working directory and data path. */
export function toStartOptions(cluster: string, account: Account | null) {
  return {
    dataArguments: ["-D", account ? "/proc/self/cwd" : cluster],
    spawnOptions: {
      cwd: cluster,
      ...account,
      // PG* variables of the shell must not reach the server.
      env: childEnvironment({ PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" }),
    },
  };
}
