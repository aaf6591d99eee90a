/**
 * A lock between processes, stored as symbolic links because creating a link with its owner is a single atomic step. The owner is the end
 * of a chain: `<path>` names the first owner, `<path>.<its token>` its successor, and so on. A process succeeds a dead owner by creating
 * the next link, which only one can do. Nothing is deleted on behalf of another process, so two processes that find the same dead owner
 * cannot both win. Plain JavaScript without dependencies: it runs on the machine's Node before anything is installed.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";

/** Returns a text that is unique to this process among all with the same pid, or null if the process does not exist. */
export function processStart(pid) {
  if (process.platform !== "linux") return readStartFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    return isDead ? null : `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}.${fields[19]}`;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return null;
    throw error;
  }
}

function readStartFromPs(pid) {
  try {
    const output = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.toString().trim().replaceAll(/\s+/g, "_") || null;
  } catch {
    return null;
  }
}

/** True if the same process is still alive; another process with the same pid has another start. */
export function isAlive({ pid, start }) {
  return processStart(pid) === start;
}

/** Takes the lock and returns `{ release }`, or the living `{ owner }`. */
export function takeLock(path) {
  const own = { pid: process.pid, start: processStart(process.pid), token: randomUUID() };
  for (;;) {
    const chain = readChain(path);
    const owner = chain.at(-1);
    if (owner && isAlive(owner)) return { owner };
    const link = owner ? `${path}.${owner.token}` : path;
    if (!tryLink(link, own)) continue;
    // If the chain was released in between, it no longer leads to our link, which is then worthless.
    if (readChain(path).at(-1)?.token === own.token) return { release: () => release(path, own) };
    rmSync(link, { force: true });
  }
}

/** Removes the root first: without it no process reaches the other links. */
function release(path, own) {
  const chain = readChain(path);
  if (chain.at(-1)?.token !== own.token) return;
  for (const link of [path, ...chain.map((owner) => `${path}.${owner.token}`)]) rmSync(link, { force: true });
}

function readChain(path) {
  const chain = [];
  for (let owner = readOwner(path); owner; owner = readOwner(`${path}.${owner.token}`)) chain.push(owner);
  return chain;
}

function readOwner(link) {
  try {
    const [pid, start, token] = readlinkSync(link).split(" ");
    return { pid: Number(pid), start, token };
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function tryLink(link, { pid, start, token }) {
  try {
    symlinkSync(`${pid} ${start} ${token}`, link);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}
