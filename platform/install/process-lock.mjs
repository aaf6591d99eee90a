/**
 * A lock between processes, kept as symbolic links so that creating one and writing its owner is a single atomic step.
 *
 * The owner is the end of a chain: `<path>` names the first owner, `<path>.<its token>` the one who took over from it,
 * and so on. A dead owner is succeeded by creating the next link, which only one process can do; nothing is ever
 * deleted on behalf of another, so two processes that find the same dead owner cannot both win.
 *
 * Plain JavaScript without dependencies: it runs on the machine's Node before anything is installed.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";

/** A text that no other process of this machine has had under this pid, or null where no such process lives. */
export function processStart(pid) {
  if (process.platform !== "linux") return startByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ended = fields[0] === "Z" || fields[0] === "X";
    return ended ? null : `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}.${fields[19]}`;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return null;
    throw error;
  }
}

function startByPs(pid) {
  try {
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    return started.toString().trim().replaceAll(/\s+/g, "_") || null;
  } catch {
    return null;
  }
}

/** Whether the process that had this start under this pid still lives: a recycled pid has another start. */
export function isAlive({ pid, start }) {
  return processStart(pid) === start;
}

/** Takes the lock for this process: `{ release }`, or `{ owner }` of the living process that holds it. */
export function takeLock(path) {
  const mine = { pid: process.pid, start: processStart(process.pid), token: randomUUID() };
  for (;;) {
    const chain = readChain(path);
    const owner = chain.at(-1);
    if (owner && isAlive(owner)) return { owner };
    const link = owner ? `${path}.${owner.token}` : path;
    if (!tryLink(link, mine)) continue;
    // A chain that was released meanwhile no longer leads here: the link is worthless then.
    if (readChain(path).at(-1)?.token === mine.token) return { release: () => release(path, mine) };
    rmSync(link, { force: true });
  }
}

/** The root goes first: once it is gone nobody reaches the rest. */
function release(path, mine) {
  const chain = readChain(path);
  if (chain.at(-1)?.token !== mine.token) return;
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
