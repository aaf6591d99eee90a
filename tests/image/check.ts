/**
 * `npm run image-check`: makes the image of the Dockerfile with Debian's buildah, on a base of Debian and this Node, and uses it as its
 * owner would: signs in, saves a file, runs a program, kills everything, starts again and finds the file. Needs root, `buildah` and
 * `debootstrap`. Nothing is pulled from a registry of images.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { PROJECT_ROOT } from "#db/local/project-root.ts";

const BASE = "localhost/codeshelf-base";
const IMAGE = "localhost/codeshelf-check";
const USER_ID = 10_001;
const PORT = process.env.PORT ?? "4872";
const ORIGIN = `http://127.0.0.1:${PORT}`;
const PROGRAM = "print(6 * 7)\n";
const ISOLATION = ["--isolation", "chroot"];

process.env.STORAGE_DRIVER = "vfs";

const say = (words: string) => console.log(words);

function run(program: string, ...words: string[]): string {
  return execFileSync(program, words, {
    cwd: PROJECT_ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  }).trim();
}

for (const program of ["buildah", "debootstrap"])
  try {
    execFileSync("which", [program], { stdio: "ignore" });
  } catch {
    console.error(`${program} is missing: apt-get install ${program}`);
    process.exit(1);
  }

async function makeBase(): Promise<void> {
  if (run("buildah", "images", "--format", "{{.Name}}").split("\n").includes(BASE)) return;
  const folder = await mkdtemp(join(tmpdir(), "codeshelf-base-"));
  run("debootstrap", "--variant=minbase", "bookworm", folder);
  await cp(await realpath(process.execPath), join(folder, "usr", "local", "bin", "node"));
  const npm = dirname(dirname(await realpath(run("which", "npm"))));
  await cp(npm, join(folder, "usr", "local", "lib", "npm"), { recursive: true, dereference: true });
  run("ln", "--symbolic", "../lib/npm/bin/npm-cli.js", join(folder, "usr", "local", "bin", "npm"));
  // Where this machine trusts further authorities, its packages come through them.
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities) await cp(authorities, join(folder, "etc", "authorities.pem"), { dereference: true });
  const container = run("buildah", "from", "scratch");
  run("buildah", "add", "--quiet", container, folder, "/");
  run(
    "buildah",
    "config",
    "--env",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    container,
  );
  if (authorities) run("buildah", "config", "--env", "NODE_EXTRA_CA_CERTS=/etc/authorities.pem", container);
  run("buildah", "commit", "--quiet", container, BASE);
  run("buildah", "rm", container);
  await rm(folder, { recursive: true });
}

/** Where this machine gets packages from, for the builds as well. */
function shareSources(): string[] {
  const npmrc = join(process.env.HOME ?? "/root", ".npmrc");
  return [
    ...(existsSync(npmrc) ? ["--volume", `${npmrc}:/root/.npmrc:ro`] : []),
    ...["--volume", "/etc/apt:/etc/apt:ro"],
  ];
}

type Running = { child: ChildProcess; signInUrl: string; seconds: number };

function start(container: string, data: string): Promise<Running> {
  const began = performance.now();
  const words = ["run", ...ISOLATION, "--volume", `${data}:/data`, "--env", `PORT=${PORT}`, container];
  const child = spawn("buildah", [...words, "--", "node", "db/local/launch.ts"], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      const signInUrl = /https?:\/\/\S+code=\S+/.exec(line)?.[0];
      if (signInUrl) resolve({ child, signInUrl, seconds: (performance.now() - began) / 1000 });
    });
    child.on("exit", (code) => reject(new Error(`The image ended with ${code}:\n${lines.join("\n")}`)));
  });
}

/** The session of whoever follows the printed link. */
async function signIn(signInUrl: string): Promise<string> {
  const code = new URL(signInUrl).searchParams.get("code") ?? "";
  const answer = await fetch(`${ORIGIN}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: ORIGIN },
    body: new URLSearchParams({ person: "localAdmin", code }),
  });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("session="));
  if (!cookie) throw new Error(`Signing in answered ${answer.status}`);
  return cookie.split(";")[0] ?? "";
}

async function ask(path: string, cookie: string, init: RequestInit = {}): Promise<string> {
  const headers = { Cookie: cookie, Origin: ORIGIN, Accept: "application/json", ...init.headers };
  const answer = await fetch(ORIGIN + path, { ...init, headers });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body.slice(0, 300)}`);
  return body;
}

/** A container that is killed ends all of its processes; here they are those of the image's user. */
function killAll(): void {
  const { stdout: pids } = spawnSync("ps", ["-u", String(USER_ID), "-o", "pid="], { encoding: "utf8" });
  spawnSync("kill", [
    "-KILL",
    ...pids
      .split("\n")
      .map((pid) => pid.trim())
      .filter(Boolean),
  ]);
}

async function stop({ child }: Running, signal: NodeJS.Signals): Promise<void> {
  child.removeAllListeners("exit");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.pid) process.kill(-child.pid, signal);
  await ended;
}

await makeBase();
say("base ready");
run(
  "buildah",
  "bud",
  ...ISOLATION,
  "--quiet",
  "--format",
  "docker",
  "--network",
  "host",
  ...shareSources(),
  "--build-arg",
  `NODE_IMAGE=${BASE}`,
  "--tag",
  IMAGE,
  ".",
);
say(
  `image made: ${run("buildah", "images", "--format", "{{.Size}}", IMAGE)}, of which the base is ${run("buildah", "images", "--format", "{{.Size}}", BASE)}`,
);

const data = await mkdtemp(join(tmpdir(), "codeshelf-image-data-"));
await chown(data, USER_ID, USER_ID);
const container = run("buildah", "from", IMAGE);
try {
  const first = await start(container, data);
  say(`started in ${first.seconds.toFixed(1)} s`);
  const cookie = await signIn(first.signInUrl);
  await ask("/api/files/answer.py", cookie, { method: "PUT", body: PROGRAM });
  const result = await ask("/api/code/run", cookie, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code: PROGRAM, language: "python" }),
  }).catch((error: Error) => error.message);
  say(`a program: ${result.slice(0, 300)}`);
  killAll();
  await stop(first, "SIGKILL");
  const second = await start(container, data);
  const found = await ask("/api/files/answer.py", await signIn(second.signInUrl));
  if (found !== PROGRAM) throw new Error("The file is not what was saved");
  say("found what was saved before it was killed");
  await stop(second, "SIGTERM");
} finally {
  killAll();
  run("buildah", "rm", container);
  await rm(data, { recursive: true, force: true });
}
