/** Attempts of JavaScript that escaped into a child's process: made with a child's own flags, reported as JSON. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";

const { port, writable } = JSON.parse(process.argv[2]);
const outcome = (attempt) => {
  try {
    attempt();
    return "done";
  } catch (error) {
    return error.code;
  }
};
const connected = await new Promise((resolve) => {
  const socket = connect(port, "127.0.0.1");
  socket.on("connect", () => resolve("done"));
  socket.on("error", ({ code }) => resolve(code));
});
console.log(
  JSON.stringify({
    read: outcome(() => readFileSync("/etc/passwd")),
    environ: outcome(() => readFileSync("/proc/self/environ")),
    write: outcome(() => writeFileSync(writable, "x")),
    spawn: outcome(() => spawnSync("/bin/true")),
    worker: outcome(() => new Worker("1", { eval: true })),
    environment: Object.keys(process.env),
    cwd: process.cwd(),
    connected,
  }),
);
process.exit(0);
