/**
 * `npm run image-check`: builds the image of the Dockerfile with Debian's buildah, on a base of Debian and this Node, and uses it as its
 * owner would, on a read-only root with one volume: signs in, saves a file, runs a program, kills everything, restarts and finds the
 * file. It reports which layers of the sandbox work with namespaces and without. It needs root, `buildah` and `debootstrap`, and pulls no
 * image from a registry.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chown, cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { PROJECT_ROOT } from "#platform/project-root.ts";

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
  // If this machine trusts further authorities, its packages come through them.
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

/** This machine's package sources, for the builds as well. */
function shareSources(): string[] {
  const npmrc = join(process.env.HOME ?? "/root", ".npmrc");
  return [
    ...(existsSync(npmrc) ? ["--volume", `${npmrc}:/root/.npmrc:ro`] : []),
    ...["--volume", "/etc/apt:/etc/apt:ro"],
  ];
}

type Running = { child: ChildProcess; signInUrl: string; seconds: number };

/**
 * Runs the image's command in a read-only root with one volume at /data and an empty /tmp. Where namespaces are forbidden, as in a plain
 * Docker container, a changed root directory has the same effect: the kernel gives no namespaces to such a process.
 */
const ENTER = {
  "with namespaces": 'cd "$ROOT"; pivot_root . .; umount -l .; exec',
  "without namespaces": 'exec chroot "$ROOT"',
} as const;
type Kind = keyof typeof ENTER;

const MOUNT = `set -e
mount --bind "$ROOT" "$ROOT"
mount --options remount,bind,ro "$ROOT"
mount --bind "$DATA" "$ROOT/data"
mount --types tmpfs --options mode=1777 tmpfs "$ROOT/tmp"
mount --types proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
`;

function start(root: string, data: string, kind: Kind): Promise<Running> {
  const began = performance.now();
  const user = ["setpriv", `--reuid=${USER_ID}`, `--regid=${USER_ID}`, "--clear-groups"];
  const command = [...user, "sh", "-c", `'cd /codeshelf && exec node db/local/launch.ts'`].join(" ");
  const script = `${MOUNT}${ENTER[kind]} env -i $IMAGE_ENV PORT=${PORT} HOME=/data ${command}`;
  const child = spawn("unshare", ["--mount", "--pid", "--fork", "sh", "-c", script], {
    env: { ...process.env, ROOT: root, DATA: data, IMAGE_ENV: readImageEnv() },
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

const ENV_WORDS = "{{range .OCIv1.Config.Env}}{{.}} {{end}}";
const readImageEnv = () => run("buildah", "inspect", "--type", "image", "--format", ENV_WORDS, IMAGE);

async function signIn(signInUrl: string): Promise<string> {
  const code = new URL(signInUrl).searchParams.get("code") ?? "";
  const answer = await fetch(`${ORIGIN}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: ORIGIN },
    body: new URLSearchParams({ person: "localAdmin", code }),
  });
  const cookie = answer.headers.getSetCookie().find((header) => header.startsWith("session="));
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

/** Kills the first process of its namespace, which ends all others, as in a container. */
async function stop({ child }: Running): Promise<void> {
  child.removeAllListeners("exit");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const [first] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
  process.kill(Number(first), "SIGKILL");
  await ended;
}

/** Killed workers; their figures stay in the metrics for a while. */
const killedWorkers = new Set<string>();

/** The working layers of the sandbox, as the current worker reports them. */
async function listLayers(): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const text = await ask("/metrics", "");
    const rows = text.match(/^codeshelf_sandbox_layer\{.*\} 1$/gm) ?? [];
    const current = rows.filter((row) => !killedWorkers.has(readLabel(row, "worker")));
    if (current.length > 0) {
      killedWorkers.add(readLabel(current.join(), "worker"));
      return current.map((row) => readLabel(row, "layer")).join(", ");
    }
    await pause(1_000);
  }
  throw new Error("No worker told its layers");
}

const readLabel = (row: string, label: string) => new RegExp(`\\b${label}="([^"]*)"`).exec(row)?.[1] ?? "";

/** The first program waits until Python is prepared, which takes a busy machine longer than a run may wait. */
async function runProgram(cookie: string): Promise<string> {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code: PROGRAM, language: "python" }),
  };
  const runOnce = () => ask("/api/code/run", cookie, request).catch((error: Error) => error.message);
  const first = await runOnce();
  return first.includes("queue_unavailable") ? runOnce() : first;
}

async function use(root: string, data: string, kind: Kind, isFirst: boolean): Promise<void> {
  const running = await start(root, data, kind);
  try {
    say(`${kind}: started in ${running.seconds.toFixed(1)} s on a read-only root`);
    const cookie = await signIn(running.signInUrl);
    if (isFirst) await ask("/api/files/answer.py", cookie, { method: "PUT", body: PROGRAM });
    const restored = await ask("/api/files/answer.py", cookie);
    if (restored !== PROGRAM) throw new Error("The file is not what was saved");
    if (!isFirst) say("found what was saved before it was killed");
    say(`layers of the sandbox: ${await listLayers()}`);
    say(`a program: ${(await runProgram(cookie)).slice(0, 120)}`);
  } finally {
    await stop(running);
  }
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
const root = run("buildah", "mount", container);
try {
  await use(root, data, "with namespaces", true);
  await use(root, data, "without namespaces", false);
} finally {
  run("buildah", "umount", container);
  run("buildah", "rm", container);
  await rm(data, { recursive: true, force: true });
}
