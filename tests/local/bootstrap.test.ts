import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { ended, readIdentity, run } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";

/** The machine's own Node, which may be older than 24. */
const MACHINE_NODE = existsSync("/usr/bin/node") ? "/usr/bin/node" : process.execPath;

/**
 * A stand-in for npm: it records its arguments, makes what an installation leaves, and waits while the file `hold` exists. Its directory
 * goes onto the PATH.
 */
const NPM = `#!/bin/sh
echo "$@" >> npm-calls
echo "npm runs as $$"
while [ -e hold ]; do sleep 0.02; done
[ -e fail ] && { cat fail; mkdir -p node_modules/half; exit 7; }
[ "$1" = ci ] && rm -rf node_modules
mkdir -p node_modules/.bin node_modules/react
case "$*" in *--include=dev*) mkdir -p node_modules/vitest;; esac
ln -sf "$NODE_24" node_modules/.bin/node
`;

const PROGRAMS = join("db", "local", "programs");
const PACKAGES = '{"dependencies":{"react":"1"},"devDependencies":{"vitest":"1"}}';
const OPTIONS =
  "--include=optional --ignore-scripts --no-engine-strict --prefer-offline --no-audit --no-fund";

async function givenCheckout() {
  const directory = join(await temporaryDirectory("bootstrap"), "a path with a space");
  for (const name of ["tools", PROGRAMS]) mkdirSync(join(directory, name), { recursive: true });
  cpSync(join(PROJECT_ROOT, "platform"), join(directory, "platform"), { recursive: true });
  writeFileSync(join(directory, "tools", "npm"), NPM);
  chmodSync(join(directory, "tools", "npm"), 0o755);
  for (const subfolder of ["", PROGRAMS]) {
    writeFileSync(join(directory, subfolder, "package-lock.json"), "{}");
    writeFileSync(join(directory, subfolder, "package.json"), subfolder ? "{}" : PACKAGES);
  }
  const file = (name: string, content: string) => writeFileSync(join(directory, name), content);
  const start = (script: string, ...scriptArguments: string[]) =>
    run(MACHINE_NODE, [join(directory, "platform", "bootstrap.mjs"), script, ...scriptArguments], {
      cwd: directory,
      env: {
        PATH: existsSync(join(directory, "tools", "npm"))
          ? `${join(directory, "tools")}:/usr/bin:/bin`
          : join(directory, "tools"),
        NODE_24: process.execPath,
        NODE_ENV: "production",
      },
    });
  const npmCalls = (place = "") =>
    existsSync(join(directory, place, "npm-calls"))
      ? readFileSync(join(directory, place, "npm-calls"), "utf8")
          .trim()
          .split("\n")
      : [];
  return { directory, file, start, npmCalls };
}

it("installs once, without the packages for developing, and runs the script under Node 24 with its arguments", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file(
    "say.ts",
    "const words: string[] = process.argv.slice(2);\nconsole.log(process.version, words, process.env.PATH);",
  );

  const first = start("say.ts", "a b", "c");
  expect(await first.exit).toEqual({ code: 0, signal: null });
  const second = start("say.ts");
  expect(await second.exit).toEqual({ code: 0, signal: null });

  expect(npmCalls()).toEqual([`ci --omit=dev ${OPTIONS}`]);
  expect(npmCalls(PROGRAMS)).toEqual([`ci --omit=dev ${OPTIONS}`]);
  expect(first.lines.filter((line) => line.includes("installed")).sort()).toEqual([
    expect.stringMatching(/^✓ packages installed +\d+\.\d s$/),
    expect.stringMatching(/^✓ programs installed +\d+\.\d s$/),
  ]);
  const [, path] = await first.line(/^v24\.\S+ \[ 'a b', 'c' \] (.*)$/);
  expect(required(path).split(":")[0]).toBe(join(directory, "node_modules", ".bin"));
});

it("adds the packages for development to the existing ones, and removes none later", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file("say.ts", "");
  await start("say.ts").exit;
  file("node_modules/in-use", "");

  expect(await start("--dev", "say.ts").exit).toEqual({ code: 0, signal: null });
  await start("say.ts").exit;
  await start("--dev", "say.ts").exit;

  expect(npmCalls()).toEqual([`ci --omit=dev ${OPTIONS}`, `install --no-save --include=dev ${OPTIONS}`]);
  expect(npmCalls(PROGRAMS)).toHaveLength(1);
  expect(existsSync(join(directory, "node_modules", "in-use"))).toBe(true);
});

it("installs everything at once for developing on a fresh clone, and again when the lock file has changed", async () => {
  const { file, start, npmCalls } = await givenCheckout();
  file("say.ts", "");
  await start("--dev", "say.ts").exit;

  file("package-lock.json", '{"changed":true}');
  await start("say.ts").exit;

  expect(npmCalls()).toEqual([`ci --include=dev ${OPTIONS}`, `ci --include=dev ${OPTIONS}`]);
});

it("accepts an installation made by hand", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  for (const subfolder of ["", PROGRAMS]) {
    mkdirSync(join(directory, subfolder, "node_modules", ".bin"), { recursive: true });
    symlinkSync(process.execPath, join(directory, subfolder, "node_modules", ".bin", "node"));
    file(join(subfolder, "node_modules/.package-lock.json"), "{}");
  }
  mkdirSync(join(directory, "node_modules", "react"));

  const accepted = start("say.ts");
  await accepted.line(/^ran$/);
  expect(npmCalls()).toEqual([]);

  utimesSync(join(directory, "node_modules", ".package-lock.json"), 1, 1);
  await start("say.ts").exit;
  expect(npmCalls()).toHaveLength(1);
});

it("lets only one of two starts install; the other waits for it", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  file("hold", "");
  const first = start("say.ts");
  await expect.poll(npmCalls).toHaveLength(1);

  const second = start("say.ts");
  await second.line(new RegExp(`^Process ${first.pid} is installing packages here`));
  rmFile(join(directory, "hold"));

  expect(await first.exit).toEqual({ code: 0, signal: null });
  expect(await second.exit).toEqual({ code: 0, signal: null });
  await Promise.all([first.line(/^ran$/), second.line(/^ran$/)]);
  expect(npmCalls()).toHaveLength(1);
});

it("waits for the npm of a killed start before it installs again", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  file("hold", "");
  const killed = start("say.ts");
  await expect.poll(npmCalls).toHaveLength(1);
  const [npm] = readlinkSync(join(directory, ".install-lock-npm")).split(" ");
  const forsaken = readIdentity(Number(npm));
  const bootstrap = readIdentity(killed.pid);
  killed.child.kill("SIGKILL");
  await ended(bootstrap);

  const next = start("say.ts");
  await next.line(new RegExp(`^npm \\(process ${npm}\\) is still installing here`));
  expect(npmCalls()).toHaveLength(1);
  rmFile(join(directory, "hold"));

  await next.line(/^ran$/);
  await ended(forsaken);
  // The abandoned installation wrote no stamp, so its result is not trusted.
  expect(npmCalls()).toHaveLength(2);
});

const WHAT_NPM_SAYS = [
  ["npm error code ENOTFOUND", "The packages cannot be downloaded: npm does not reach its registry."],
  ["npm error code ENOSPC", "The disk is full: free about 700 MB and start again."],
  ["npm error code EACCES", "The packages cannot be written here:"],
  ["npm error code EODD", "npm did not succeed; its message is above."],
] as const;
it.each(drawCases("what npm says", WHAT_NPM_SAYS, 1))(
  "says what to do after %s, keeps npm's exit code, leaves nothing unfinished, and tries again",
  async (npmSays, sentence) => {
    const { directory, file, start, npmCalls } = await givenCheckout();
    file("say.ts", 'console.log("ran");');
    file("fail", `${npmSays}\n`);

    const failing = start("say.ts");
    expect(await failing.exit).toEqual({ code: 7, signal: null });
    expect(failing.lines.at(-1)).toContain(sentence);
    expect(failing.lines).not.toContain("ran");
    expect(existsSync(join(directory, "node_modules"))).toBe(false);

    rmFile(join(directory, "fail"));
    expect(await start("say.ts").exit).toEqual({ code: 0, signal: null });
    expect(npmCalls()).toHaveLength(2);
  },
);

it("says that npm is missing", async () => {
  const { directory, file, start } = await givenCheckout();
  file("say.ts", "");
  rmFile(join(directory, "tools", "npm"));
  for (const name of ["sh", "env"]) symlinkSync(`/bin/${name}`, join(directory, "tools", name));

  const failing = start("say.ts");

  expect(await failing.exit).toEqual({ code: 127, signal: null });
  expect(failing.lines).toEqual([
    "npm was not found: install Node 20 or newer with npm (https://nodejs.org) and start again.",
  ]);
});

it("keeps the script's exit code and passes each signal on once", async () => {
  const { file, start } = await givenCheckout();
  file(
    "count.ts",
    `let signals = 0;
     process.on("SIGINT", () => console.log("SIGINT", ++signals));
     process.on("SIGTERM", () => process.exit(40 + signals));
     setInterval(() => {}, 1e9);
     console.log("running");`,
  );
  const bootstrap = start("count.ts");
  await bootstrap.line(/^running$/);

  bootstrap.child.kill("SIGINT");
  await bootstrap.line(/^SIGINT 1$/);
  bootstrap.child.kill("SIGINT");
  bootstrap.child.kill("SIGTERM");

  expect(await bootstrap.exit).toEqual({ code: 41, signal: null });
});

it("ends the script when npm's shell is gone", async () => {
  const { directory, file } = await givenCheckout();
  file(
    "stay.ts",
    'process.on("SIGTERM", () => process.exit(0));\nconsole.log("running", process.pid);\nsetInterval(() => {}, 1e9);',
  );
  const command = `'${MACHINE_NODE}' platform/bootstrap.mjs stay.ts; true`;
  const shell = run("/bin/sh", ["-c", command], {
    cwd: directory,
    env: {
      PATH: `${join(directory, "tools")}:/usr/bin:/bin`,
      NODE_24: process.execPath,
      npm_lifecycle_event: "start",
    },
  });
  const [, pid] = await shell.line(/^running (\d+)$/);
  const script = readIdentity(Number(pid));

  shell.child.kill("SIGTERM");

  await ended(script);
});

it("ends the script when it is killed", async () => {
  const { file, start } = await givenCheckout();
  file("stay.ts", 'console.log("running", process.pid);\nsetInterval(() => {}, 1e9);');
  const bootstrap = start("stay.ts");
  const [, pid] = await bootstrap.line(/^running (\d+)$/);
  const script = readIdentity(Number(pid));

  bootstrap.child.kill("SIGKILL");

  await ended(script);
});

it.runIf(process.platform === "linux")("says what to do if the packaged Node does not run", async () => {
  const { directory, file, start } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  for (const subfolder of ["", PROGRAMS]) {
    mkdirSync(join(directory, subfolder, "node_modules", "react"), { recursive: true });
    file(join(subfolder, "node_modules/.package-lock.json"), "{}");
  }

  const outcome = await start("say.ts").exit;
  const machineHas24 = execFileSync(MACHINE_NODE, ["--version"], { encoding: "utf8" }).startsWith("v24.");

  expect(outcome.code).toBe(machineHas24 ? 0 : 1);
});

function rmFile(path: string) {
  expect(existsSync(path)).toBe(true);
  rmSync(path);
}

it.each(drawCases("npm by hand", ["ci", "install"], 1))(
  "npm %s by hand on another Node stops at once and says what to run",
  async (command) => {
    const directory = await temporaryDirectory("by-hand");
    for (const name of [".npmrc", "package.json", "package-lock.json"]) {
      const content = readFileSync(join(PROJECT_ROOT, name), "utf8");
      writeFileSync(join(directory, name), content.replaceAll('"node": "24.x"', '"node": "99.x"'));
    }
    const npm = run("npm", [command, "--ignore-scripts"], { cwd: directory });
    expect((await npm.exit).code).not.toBe(0);
    expect(npm.lines.join("\n")).toContain("npm start brings its own Node and packages");
    expect(existsSync(join(directory, "node_modules"))).toBe(false);
  },
);
