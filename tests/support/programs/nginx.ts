/**
 * Debian's nginx with the server block of the operator's guide, unchanged except for its port, its certificate and the address behind it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#db/local/processes/free-port.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { createAuthority } from "#tests/support/programs/own-authority.ts";

export type Nginx = { port: number; ca: Buffer; stop(): Promise<void> };

function readServerBlock(): string {
  const guide = readFileSync(join(PROJECT_ROOT, "docs", "operations.md"), "utf8");
  return required(
    /```\n(server \{\n[\s\S]*?\n\})\n```/.exec(guide)?.[1],
    "server block of nginx in the guide",
  );
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`${from} is not there once`);
  return text.replace(from, to);
}

export async function startNginx(program: string, directory: string, webUrl: string): Promise<Nginx> {
  const port = await freePort(0);
  const { caFile } = createAuthority(directory);
  const server = [
    ["listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`],
    ["/etc/ssl/code.example.com.pem", join(directory, "host.pem")],
    ["/etc/ssl/code.example.com.key", join(directory, "host.key")],
    ["http://127.0.0.1:3000", webUrl],
  ].reduce((text, [from = "", to = ""]) => replaceOnce(text, from, to), readServerBlock());
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  const config = [
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    "worker_processes 1;",
    "daemon off;",
    `pid ${join(directory, "nginx.pid")};`,
    "events {}",
    `http { access_log off; ${temporary.join(" ")}`,
    server,
    "}",
  ].join("\n");
  const file = join(directory, "nginx.conf");
  writeFileSync(file, config);
  const options = ["-p", directory, "-c", file, "-e", join(directory, "error.log")];
  const checked = spawnSync(program, ["-t", ...options], { encoding: "utf8" });
  if (checked.status !== 0)
    throw new Error(`nginx refuses the configuration of the guide:\n${checked.stderr}`);
  const child = spawn(program, options, { stdio: "ignore" });
  return { port, ca: readFileSync(caFile), stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
