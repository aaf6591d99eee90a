import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Environment } from "#db/local/processes/server-process.ts";
import { explainStartFailure } from "#db/local/start-failure.ts";
import { required } from "#domain/required.ts";
import { processStart } from "#platform/install/process-lock.mjs";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { ended, readIdentity, run } from "#tests/support/programs/running.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

/** Prints its name and addresses, is ready, and takes its time to end when asked to. */
const SERVICE = `
  console.log("up", process.pid, process.env.MONGODB_URI, process.env.DATABASE_URL, process.env.CODESHELF_EMBEDDED);
  const end = (why) => setImmediate(() => { console.log("down", why); process.exit(0); });
  process.once("SIGTERM", () => end("SIGTERM"));
  process.once("disconnect", () => end("disconnect"));
  process.send({ ready: true, url: process.argv[2], signInUrl: process.argv[3] });
  setInterval(() => {}, 1e9);`;

const PROCFILE = `
# the product
release: node release.mjs
web: node service.mjs http://localhost:3000 http://localhost:3000/login?code=x
worker: node service.mjs
`;

/** Starts no PostgreSQL, whose creation takes most of a launch. */
const ELSEWHERE = { DATABASE_URL: "postgres://elsewhere" };

/** Loaded at once; it continues when it may begin. */
const LOADED_EARLY = `
  console.log("loaded", process.pid, process.env.DATABASE_URL);
  const { awaitStartMessage } = await import(${JSON.stringify(pathToFileURL(join(PROJECT_ROOT, "platform/processes/start-message.ts")).href)});
  await awaitStartMessage();`;

const EARLY_PROCFILE = "release: node db/release.ts\nweb: node app/server.ts\nworker: node service.mjs\n";

/** Begins as the product does. Its release step ends when a file is written. */
async function givenEarlyProject(exitCode: number) {
  const release = `${LOADED_EARLY}
    import { existsSync } from "node:fs";
    console.log("began with", process.env.DATABASE_URL);
    while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20));
    console.log("released");
    process.exit(${exitCode});`;
  const project = await givenProject({ Procfile: EARLY_PROCFILE });
  const programs = { "db/release.ts": release, "app/server.ts": `${LOADED_EARLY}${SERVICE}` };
  for (const [path, program] of Object.entries(programs)) {
    mkdirSync(join(project.root, dirname(path)));
    writeFileSync(join(project.root, path), program);
  }
  return project;
}

async function givenProject(files: Record<string, string> = {}) {
  const root = join(await temporaryDirectory("launcher"), "a path with a space");
  mkdirSync(root);
  onTestFinished(() => endLeftPostgres(root));
  const all = {
    Procfile: PROCFILE,
    "service.mjs": SERVICE,
    "release.mjs": 'console.log("released");',
    ...files,
  };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(root, name), content);
  const entry = join(root, "start.ts");
  writeFileSync(
    entry,
    `import { launch } from ${JSON.stringify(pathToFileURL(join(PROJECT_ROOT, "db/local/launcher.ts")).href)};
     const root = import.meta.dirname;
     const verbose = process.env.VERBOSE !== "0";
     await launch({ root, env: process.env, verbose, pace: { limit: 3, windowMs: 60_000, firstPauseMs: 10 } }).catch((error) => {
       console.error(error.message);
       process.exit(1);
     });`,
  );
  const start = (env: Environment = {}) =>
    run(process.execPath, [entry], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: join(root, "data"),
        MONGODB_URI: "mongodb://elsewhere",
        ...env,
      },
    });
  return { root, start };
}

/** A launch that a failed test has killed leaves its server running. */
async function endLeftPostgres(root: string) {
  const pidFile = join(root, "data", "postgres", "cluster", "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
  const start = processStart(pid);
  if (start === null) return;
  process.kill(pid, "SIGQUIT");
  await ended({ pid, start });
}

type Launched = ReturnType<Awaited<ReturnType<typeof givenProject>>["start"]>;

async function readServices(launched: Launched) {
  const [web, worker] = await Promise.all(
    ["web", "worker"].map((name) =>
      launched.line(new RegExp(`^${name} +\\| up (\\d+) (\\S+) (\\S+) (\\S+)`)),
    ),
  );
  return {
    web: readIdentity(Number(required(web)[1])),
    worker: readIdentity(Number(required(worker)[1])),
    databaseUrl: required(required(web)[3]),
  };
}

async function serverPid(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query("SELECT pg_read_file('postmaster.pid') AS file");
  await client.end();
  return Number.parseInt(rows[0].file, 10);
}

describe("one command", () => {
  it("releases, then starts everything, says where, and stops it all in order on one Ctrl-C", async () => {
    const { start } = await givenProject();
    const launched = start();
    const { web, worker, databaseUrl } = await readServices(launched);
    await launched.line(/Codeshelf is ready: http:\/\/localhost:3000$/);
    await launched.line(/^ {2}Log in, once in each browser: http:\/\/localhost:3000\/login\?code=x$/);
    const postgres = readIdentity(await serverPid(databaseUrl));

    launched.child.kill("SIGINT");

    expect(await launched.exit).toEqual({ code: 0, signal: null });
    await Promise.all([web, worker, postgres].map((process) => ended(process)));
    const position = (pattern: RegExp) => launched.lines.findIndex((line) => pattern.test(line));
    expect(position(/^release +\| released$/)).toBeGreaterThan(position(/ready to accept connections/));
    expect(position(/^web +\| up/)).toBeGreaterThan(position(/^release +\| released$/));
    const lastService = Math.max(position(/^web +\| down SIGTERM/), position(/^worker +\| down SIGTERM/));
    expect(position(/^postgres \| .*fast shutdown/)).toBeGreaterThan(lastService);
  });

  itInFullRun(
    "says one line for each step with its time, where everything is, and only then what its processes print",
    async () => {
      const { root, start } = await givenProject({
        Procfile:
          "release: node release.mjs\nweb: node service.mjs http://localhost:3000 http://localhost:3000/login?code=x\n",
      });
      const launched = start({ VERBOSE: "0" });
      await launched.line(/^ {2}Stop it with Ctrl-C$/);

      expect(launched.lines.slice(0, 8).map((line) => line.replace(/ +\d+\.\d s$/, " 0 s"))).toEqual([
        "✓ postgres started 0 s",
        "✓ databases prepared 0 s",
        "✓ web started 0 s",
        "",
        "  Codeshelf is ready: http://localhost:3000",
        "  Log in, once in each browser: http://localhost:3000/login?code=x",
        `  Data is kept in: ${join(root, "data")}`,
        "  Stop it with Ctrl-C",
      ]);
      launched.child.kill("SIGINT");
      expect(await launched.exit).toEqual({ code: 0, signal: null });
      expect(launched.lines).toContain("web      | down SIGTERM");
    },
  );

  it("shows the whole output of a build that failed, and that of no other step", async () => {
    const { root, start } = await givenProject();
    mkdirSync(join(root, "app", "bundle"), { recursive: true });
    writeFileSync(join(root, "app", "bundle", "main.ts"), 'console.log("no such route"); process.exit(2);');

    const launched = start({ VERBOSE: "0", DATABASE_URL: "postgres://elsewhere" });

    expect(await launched.exit).toEqual({ code: 1, signal: null });
    // The build's output and the launcher's come by two pipes, in any order.
    expect(launched.lines.toSorted()).toEqual(
      [
        "build    | no such route",
        "The app could not be built: its bundler ended with code 2; its message is above.",
        "Stopping…",
        "Stopped.",
      ].toSorted(),
    );
  });

  it("refuses a port that is taken in one sentence, before it makes anything", async () => {
    const occupant = createServer().listen(0, "127.0.0.1");
    await once(occupant, "listening");
    onTestFinished(() => void occupant.close());
    const { port } = occupant.address() as AddressInfo;
    const directory = join(await temporaryDirectory("taken"), "data");

    const launched = run(process.execPath, [join(PROJECT_ROOT, "db", "local", "launch.ts")], {
      env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: directory },
    });

    expect(await launched.exit).toEqual({ code: 1, signal: null });
    expect(launched.lines).toEqual([
      `Port ${port} is already in use: choose another, as in PORT=${port + 1} npm start.`,
    ]);
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    "ENOSPC: no space left on device, write",
    "PostgreSQL's initdb failed in /data: could not write: No space left on device",
    "database or disk is full",
  ])("says that the disk is full: %s", (message) => {
    expect(explainStartFailure("other", "/data")).toBe("other");
    expect(explainStartFailure(message, "/data")).toBe(
      "The disk is full: free some space for /data and the build, and start again.",
    );
  });

  it("uses the databases that are configured and starts none then", async () => {
    const { start } = await givenProject();

    const launched = start({ DATABASE_URL: "postgres://elsewhere", CODESHELF_EMBEDDED: "1" });

    await launched.line(/^web +\| up \d+ mongodb:\/\/elsewhere postgres:\/\/elsewhere undefined$/);
    launched.child.kill("SIGTERM");
    expect(await launched.exit).toEqual({ code: 0, signal: null });
    expect(launched.lines.filter((line) => line.startsWith("postgres"))).toEqual([]);
  });

  it("starts a killed process again", async () => {
    const { start } = await givenProject();
    const launched = start(ELSEWHERE);
    const { web, worker } = await readServices(launched);

    process.kill(web.pid, "SIGKILL");

    await launched.line(/^web +\| was ended by SIGKILL; starting it again$/);
    await launched.line(new RegExp(`^web +\\| up (?!${web.pid} )`));
    expect(readIdentity(worker.pid)).toEqual(worker);
  });

  it("stops everything with the message of a process that cannot live", async () => {
    const { start } = await givenProject({
      Procfile: "web: node service.mjs\nworker: node broken.mjs\n",
      "broken.mjs": 'console.error("SESSION_SECRET is missing"); process.exit(3);',
    });
    const launched = start(ELSEWHERE);

    expect(await launched.exit).toEqual({ code: 1, signal: null });

    expect(launched.lines.join("\n")).toContain(
      "worker ended with code 3\nSESSION_SECRET is missing\nIt ends again and again.",
    );
    expect(launched.lines.filter((line) => /^worker +\| SESSION_SECRET/.test(line))).toHaveLength(4);
    expect(launched.lines).toContain("web      | down SIGTERM");
  });

  it("starts nothing after a failed release step", async () => {
    const { start } = await givenProject({
      "release.mjs": 'console.error("index is broken"); process.exit(2);',
    });
    const launched = start(ELSEWHERE);

    expect(await launched.exit).toEqual({ code: 1, signal: null });

    expect(launched.lines).toContain("The release step ended with code 2.");
    expect(launched.lines.filter((line) => line.includes("up "))).toEqual([]);
  });

  itInFullRun(
    "loads web while the databases are prepared, lets it begin afterwards, and starts the worker once it is ready",
    async () => {
      const { root, start } = await givenEarlyProject(0);
      const launched = start();
      const [, pid] = await launched.line(/^web +\| loaded (\d+) undefined$/);
      await launched.line(/^release +\| loaded \d+ undefined$/);
      await launched.line(/^release +\| began with postgres:/);
      expect(launched.lines.filter((line) => line.includes("| up "))).toEqual([]);

      writeFileSync(join(root, "go"), "");

      const { web, databaseUrl } = await readServices(launched);
      expect(web.pid).toBe(Number(pid));
      expect(databaseUrl).toMatch(/^postgres:/);
      const position = (pattern: RegExp) => launched.lines.findIndex((line) => pattern.test(line));
      expect(position(/^web +\| up/)).toBeGreaterThan(position(/^release +\| released$/));
      expect(position(/^worker +\| up/)).toBeGreaterThan(position(/^✓ web started/));

      process.kill(web.pid, "SIGKILL");
      await launched.line(new RegExp(`^web +\\| up (?!${web.pid} )\\d+ \\S+ ${databaseUrl} `));
      launched.child.kill("SIGINT");
      expect(await launched.exit).toEqual({ code: 0, signal: null });
    },
  );

  it("never starts web after a failed release step", async () => {
    const { root, start } = await givenEarlyProject(2);
    const launched = start(ELSEWHERE);
    const [, pid] = await launched.line(/^web +\| loaded (\d+)/);
    const web = readIdentity(Number(pid));

    writeFileSync(join(root, "go"), "");

    expect(await launched.exit).toEqual({ code: 1, signal: null });

    await ended(web);
    expect(launched.lines).toContain("The release step ended with code 2.");
    expect(launched.lines.filter((line) => line.includes("| up "))).toEqual([]);
  });

  it("refuses a data directory that another launch uses, naming it", async () => {
    const { root, start } = await givenProject();
    const first = start(ELSEWHERE);
    await readServices(first);

    const second = start(ELSEWHERE);

    expect(await second.exit).toEqual({ code: 1, signal: null });
    expect(second.lines).toEqual([`${join(root, "data")} is already in use by process ${first.pid}.`]);
  });

  itInFullRun("stops cleanly if told to before everything has started", async () => {
    const { start } = await givenProject({
      "release.mjs": 'console.log("releasing", process.pid); setInterval(() => {}, 1e9);',
    });
    const launched = start();
    const [, release] = await launched.line(/^release +\| releasing (\d+)$/);
    const running = readIdentity(Number(release));

    launched.child.kill("SIGINT");

    expect(await launched.exit).toEqual({ code: 0, signal: null });
    await ended(running);
    await launched.line(/^postgres \| .*database system is shut down/);
    expect(launched.lines.filter((line) => line.includes("up "))).toEqual([]);
  });
});
