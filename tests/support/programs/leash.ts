import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Ends a server that would outlive us when this process dies in whatever way: a shell waits for the end of our pipe.
 * Returns what takes the leash off again.
 */
export function leash(pid: number, signal: "QUIT" | "TERM" = "QUIT"): () => void {
  const shell = spawn("/bin/sh", ["-c", 'read -r _; kill "-$2" "$1"', "leash", String(pid), signal], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  (shell.stdin as Socket).unref();
  return () => void shell.kill("SIGKILL");
}
