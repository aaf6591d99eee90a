/**
 * WebDAV by programs that others wrote: rclone copies 2,000 small files (`--files=`, `--quick`: 200) there and back, compares them byte
 * for byte and syncs 20 changed ones, beside `rclone serve webdav` over a folder of the same machine; cadaver and, where the machine
 * can mount it, davfs2 make a round trip. Fails where a byte differs. What is not installed is left out by name.
 */

import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sampleText } from "#db/local/sample/sample-texts.ts";
import { required } from "#domain/required.ts";
import { withDatabases } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { option, quick } from "./options.ts";
import { createToken, logIn, type Site, startWeb } from "./product.ts";

const FILES = option("files", quick ? 200 : 2_000);
const FOLDERS = 20;
const CHANGED = 20;
const SMALL_BYTES = 600;
const BASELINE_PORT = 18_791;

const execute = promisify(execFile);
const isInstalled = (program: string) => spawnSync("which", [program]).status === 0;

type Server = { name: string; url: string; token: string | null };

export async function run(): Promise<Figure[]> {
  if (!isInstalled("rclone")) {
    console.log("rclone (Debian: rclone) is not installed, so nothing is measured.");
    return [];
  }
  const root = await mkdtemp(join(tmpdir(), "codeshelf-bench-dav-"));
  try {
    await writeFiles(join(root, "from"));
    return await withDatabases(async (databases) => {
      const site = await startWeb(databases);
      try {
        return await measureBoth(root, site);
      } finally {
        await site.stop();
      }
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function writeFiles(directory: string): Promise<void> {
  for (let i = 0; i < FILES; i += 1) {
    const folder = join(directory, `folder-${i % FOLDERS}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `file ${i}.py`), `# ${i}\n${sampleText(i).body.slice(0, SMALL_BYTES)}\n`);
  }
}

async function measureBoth(root: string, site: Site): Promise<Figure[]> {
  const token = await createToken(site.url, await logIn(site.url, "7"));
  await roundTripByCadaver(root, site.url, token);
  await roundTripByDavfs(root, site.url, token);
  const ours = await measure(root, { name: "ours", url: `${site.url}/dav/`, token });
  const baseline = await withBaseline(root, (url) => measure(root, { name: "baseline", url, token: null }));
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  return Object.entries(ours).map(([what, perSecond]) => ({
    what,
    ours: perSecond,
    unit: "files/s",
    baseline: required(baseline[what], what),
  }));
}

/** Files a second of each step. */
async function measure(root: string, server: Server): Promise<Record<string, number>> {
  const { name, url, token } = server;
  const [from, back] = [join(root, "from"), join(root, `back-${name}`)];
  const env = {
    ...process.env,
    RCLONE_CONFIG: join(root, "none.conf"),
    RCLONE_WEBDAV_URL: url,
    RCLONE_WEBDAV_VENDOR: "other",
    ...(token ? { RCLONE_WEBDAV_BEARER_TOKEN: token } : {}),
  };
  const rclone = (...words: string[]) => execute("rclone", [...words, "--retries", "1"], { env });
  const perSecond = async (files: number, ...words: string[]) => {
    const startedMs = performance.now();
    await rclone(...words);
    return files / ((performance.now() - startedMs) / 1_000);
  };
  const figures = {
    "copy there": await perSecond(FILES, "copy", from, ":webdav:bench"),
    "list and compare": await perSecond(FILES, "check", "--size-only", from, ":webdav:bench"),
    "compare byte for byte": await perSecond(FILES, "check", "--download", from, ":webdav:bench"),
    "copy back": await perSecond(FILES, "copy", ":webdav:bench", back),
  };
  execFileSync("diff", ["-r", from, back]);
  await syncBothWays(root, name, rclone);
  console.log(name, figures);
  return figures;
}

type Rclone = (...words: string[]) => Promise<unknown>;

/** Changes, adds and removes files on either side and lets the other follow. */
async function syncBothWays(root: string, name: string, rclone: Rclone): Promise<void> {
  const copy = join(root, `sync-${name}`);
  await execute("cp", ["-r", join(root, "from"), copy]);
  for (let i = 0; i < CHANGED; i += 1)
    await writeFile(join(copy, `folder-${i % FOLDERS}`, `file ${i}.py`), `changed ${i}\n`);
  await rm(join(copy, "folder-1"), { recursive: true });
  await rclone("sync", "--size-only", copy, ":webdav:bench");
  await rclone("check", "--download", copy, ":webdav:bench");
  await rclone("sync", "--size-only", ":webdav:bench", join(root, `back-${name}`));
  execFileSync("diff", ["-r", copy, join(root, `back-${name}`)]);
}

async function withBaseline<T>(root: string, work: (url: string) => Promise<T>): Promise<T> {
  const directory = join(root, "served");
  await mkdir(directory);
  const server = spawn("rclone", ["serve", "webdav", directory, "--addr", `127.0.0.1:${BASELINE_PORT}`], {
    env: { ...process.env, RCLONE_CONFIG: join(root, "none.conf") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    await once(server.stderr, "data");
    return await work(`http://127.0.0.1:${BASELINE_PORT}/`);
  } finally {
    const exit = once(server, "exit");
    server.kill("SIGTERM");
    await exit;
  }
}

async function roundTripByCadaver(root: string, url: string, token: string): Promise<void> {
  if (!isInstalled("cadaver")) return console.log("cadaver is not installed and is left out");
  const home = join(root, "cadaver");
  await mkdir(home);
  await writeFile(join(home, ".netrc"), `machine 127.0.0.1 login bench password ${token}\n`, { mode: 0o600 });
  await writeFile(join(home, "a.txt"), "by cadaver\n");
  const commands = [
    ...["mkcol cadaver", "cd cadaver", "put a.txt", "copy a.txt b.txt", "move b.txt c.txt"],
    ...["lock a.txt", "put a.txt", "unlock a.txt", "ls", "get c.txt back.txt", "cd ..", "rmcol cadaver"],
  ];
  const child = spawn("cadaver", [`${url}/dav/`], { cwd: home, env: { ...process.env, HOME: home } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      output += piece.toString();
    });
  child.stdin.end(`${commands.join("\n")}\nquit\n`);
  await once(child, "close");
  if ((await readFile(join(home, "back.txt"), "utf8")) !== "by cadaver\n" || /failed/i.test(output))
    throw new Error(`cadaver failed:\n${output}`);
  console.log("cadaver: made, copied, moved, locked, listed, read back and deleted");
}

async function roundTripByDavfs(root: string, url: string, token: string): Promise<void> {
  if (!isInstalled("mount.davfs")) return console.log("davfs2 is not installed and is left out");
  const mounted = join(root, "mounted");
  await mkdir(mounted);
  const secrets = join(root, "davfs.conf");
  await writeFile(join(root, "secrets"), `${url}/dav/ bench ${token}\n`, { mode: 0o600 });
  await writeFile(secrets, `secrets ${join(root, "secrets")}\n`);
  const mount = spawnSync("mount.davfs", [`${url}/dav/`, mounted, "-o", `conf=${secrets}`], {
    encoding: "utf8",
  });
  if (mount.status !== 0) return console.log(`davfs2 cannot mount here: ${mount.stderr.trim()}`);
  try {
    await mkdir(join(mounted, "davfs"));
    await writeFile(join(mounted, "davfs", "a.txt"), "by davfs2\n");
  } finally {
    execFileSync("umount", [mounted]);
  }
  const authorization = `Bearer ${token}`;
  const answer = await fetch(`${url}/dav/davfs/a.txt`, { headers: { Authorization: authorization } });
  if ((await answer.text()) !== "by davfs2\n") throw new Error("what davfs2 wrote is not there");
  console.log("davfs2: mounted, wrote, unmounted, and its text is there");
}
