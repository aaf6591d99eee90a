import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { NO_ENVIRONMENT } from "./program.ts";

/**
 * What the operating system adds around the child, beyond the isolate and Node's own permissions: limits on what it may
 * use, a user that owns nothing, and a network that leads nowhere. Which of them exist depends on the machine.
 */
export type LayerName = "limits" | "user" | "network";
export type Account = { uid: number; gid: number };
export type Layers = {
  /** The words before the child's own command. */
  wrapper: string[];
  account: Account | null;
  missing: LayerName[];
};

const NOBODY: Account = { uid: 65_534, gid: 65_534 };
const LIMITS = { c: 0, n: 64, s: 32_768, d: 1_500_000 };
const TRY_MS = 5_000;

const NAMESPACES = {
  root: ["/usr/bin/unshare", "-n", "-i", "-u", "--"],
  other: ["/usr/bin/unshare", "-r", "-n", "-i", "-u", "--"],
};

export async function findLayers(): Promise<Layers> {
  const root = process.getuid?.() === 0;
  const limits = shellWith({ f: 0, ...LIMITS });
  const namespaces = NAMESPACES[root ? "root" : "other"];
  const [limited, unshared] = await Promise.all([works([...limits, "true"]), works([...namespaces, "true"])]);
  const missing: LayerName[] = [];
  if (!limited) missing.push("limits");
  // Who is not root cannot become nobody, but a user namespace keeps the child from the worker's memory and environment.
  if (!root && !unshared) missing.push("user");
  if (!unshared) missing.push("network");
  return {
    wrapper: [...(unshared ? namespaces : []), ...(limited ? limits : [])],
    account: root ? NOBODY : null,
    missing,
  };
}

function shellWith(limits: Record<string, number>): string[] {
  const set = Object.entries(limits).map(([option, value]) => `ulimit -${option} ${value}`);
  return ["/bin/sh", "-c", `${set.join(" && ")} && exec "$@"`, "sh"];
}

async function works([command, ...words]: string[]): Promise<boolean> {
  try {
    await promisify(execFile)(command, words, { timeout: TRY_MS, env: NO_ENVIRONMENT, cwd: "/" });
    return true;
  } catch {
    return false;
  }
}
