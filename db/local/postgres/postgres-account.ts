/**
 * PostgreSQL refuses to run as root, so root hands it to another user: a number of its own, which is nobody else's and no
 * program's. A cluster that belongs to nobody, as they once did, is taken over; one that belongs to anybody else keeps its owner.
 * An ordinary user runs it as itself.
 *
 * The data directory is closed to everyone but its owner, and may lie below a private home. The server reaches its
 * cluster all the same because it is started inside it and finds it as /proc/self/cwd, which needs no way through the
 * directories above.
 */

import { readFileSync, statSync } from "node:fs";
import { type Account, isMapped, isRoot, POSTGRES_ACCOUNT } from "#platform/processes/accounts.ts";
import { childEnvironment } from "#platform/processes/child-environment.ts";

export type { Account };

/** The user to run the server of this cluster as; null stands for the current one. */
export function serverAccount(cluster: string): Account | null {
  if (!isRoot()) return null;
  if (process.platform !== "linux") {
    throw new Error("PostgreSQL does not run as root. Start as an ordinary user, or set DATABASE_URL.");
  }
  const own = isMapped(POSTGRES_ACCOUNT) ? POSTGRES_ACCOUNT : nobody();
  const owner = statSync(cluster, { throwIfNoEntry: false });
  const isTaken = owner && owner.uid !== 0 && owner.uid !== nobody().uid;
  return isTaken ? { uid: owner.uid, gid: owner.gid } : own;
}

/** Who makes a cluster: PostgreSQL's initdb works only for a user with a name. */
export function makerAccount(account: Account | null): Account | null {
  return account?.uid === POSTGRES_ACCOUNT.uid ? nobody() : account;
}

export function nobody(): Account {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : { uid: 65534, gid: 65534 };
}

/** How a program of PostgreSQL is started on this cluster: as whom, where, and under which name it finds it. */
export function placement(cluster: string, account: Account | null) {
  return {
    dataArguments: ["-D", account ? "/proc/self/cwd" : cluster],
    spawnOptions: {
      cwd: cluster,
      ...account,
      // PG* variables of the person's shell must not reach the server.
      env: childEnvironment({ PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" }),
    },
  };
}
