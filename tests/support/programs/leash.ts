import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Ends a server when this process dies in any way: a shell waits for the end of our pipe. Returns a function that stops the watch. */
export function leash(pid: number, signal: "QUIT" | "TERM" = "QUIT"): () => void {
  const shell = spawn("/bin/sh", ["-c", 'read -r _; kill "-$2" "$1"', "leash", String(pid), signal], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  (shell.stdin as Socket).unref();
  return () => void shell.kill("SIGKILL");
}
