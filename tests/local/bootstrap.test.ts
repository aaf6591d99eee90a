import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";
import { ended, identityOf, run } from "#tests/support/running.ts";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";

/** The node that a person's machine has, which need not be 24. */
const MACHINE_NODE = existsSync("/usr/bin/node") ? "/usr/bin/node" : process.execPath;

/**
 * Stands for npm: notes its arguments, makes what an installation leaves behind, and takes as long as the file `hold` is
 * there. The directory above holds it, so that it is found on the PATH as the real one is.
 */
const NPM = `#!/bin/sh
echo "$@" >> npm-calls
echo "npm runs as $$"
while [ -e hold ]; do sleep 0.02; done
[ -e fail ] && exit 7
rm -rf node_modules
mkdir -p node_modules/.bin
ln -s "$NODE_24" node_modules/.bin/node
`;

async function givenCheckout() {
  const directory = join(await temporaryDirectory("bootstrap"), "a path with a space");
  for (const name of ["platform", "tools"]) mkdirSync(join(directory, name), { recursive: true });
  for (const name of ["bootstrap.mjs", "process-lock.mjs", "follow-parent.mjs"]) {
    copyFileSync(join(PROJECT_ROOT, "platform", name), join(directory, "platform", name));
  }
  writeFileSync(join(directory, "tools", "npm"), NPM);
  chmodSync(join(directory, "tools", "npm"), 0o755);
  writeFileSync(join(directory, "package-lock.json"), "{}");
  const file = (name: string, content: string) => writeFileSync(join(directory, name), content);
  const start = (script: string, ...scriptArguments: string[]) =>
    run(MACHINE_NODE, [join(directory, "platform", "bootstrap.mjs"), script, ...scriptArguments], {
      cwd: directory,
      env: {
        PATH: `${join(directory, "tools")}:/usr/bin:/bin`,
        NODE_24: process.execPath,
        NODE_ENV: "production",
      },
    });
  const npmCalls = () =>
    existsSync(join(directory, "npm-calls"))
      ? readFileSync(join(directory, "npm-calls"), "utf8").trim().split("\n")
      : [];
  return { directory, file, start, npmCalls };
}

it("installs once, development packages included, and runs the script under Node 24 with its arguments", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file(
    "say.ts",
    "const words: string[] = process.argv.slice(2);\nconsole.log(process.version, words, process.env.PATH);",
  );

  const first = start("say.ts", "a b", "c");
  expect(await first.exit).toEqual({ code: 0, signal: null });
  const second = start("say.ts");
  expect(await second.exit).toEqual({ code: 0, signal: null });

  expect(npmCalls()).toEqual(["ci --include=dev --include=optional --no-audit --no-fund"]);
  const [, path] = await first.line(/^v24\.\S+ \[ 'a b', 'c' \] (.*)$/);
  expect(required(path).split(":")[0]).toBe(join(directory, "node_modules", ".bin"));
});

it("installs again when the lock file has changed", async () => {
  const { file, start, npmCalls } = await givenCheckout();
  file("say.ts", "");
  await start("say.ts").exit;
  expect(npmCalls()).toHaveLength(1);

  file("package-lock.json", '{"changed":true}');
  await start("say.ts").exit;

  expect(npmCalls()).toHaveLength(2);
});

it("accepts an installation made by hand", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  mkdirSync(join(directory, "node_modules", ".bin"), { recursive: true });
  symlinkSync(process.execPath, join(directory, "node_modules", ".bin", "node"));
  file("node_modules/.package-lock.json", "{}");

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
  await first.line(/^npm runs as/);

  const second = start("say.ts");
  await second.line(new RegExp(`^Process ${first.pid} is installing dependencies here`));
  rmFile(join(directory, "hold"));

  expect(await first.exit).toEqual({ code: 0, signal: null });
  expect(await second.exit).toEqual({ code: 0, signal: null });
  await Promise.all([first.line(/^ran$/), second.line(/^ran$/)]);
  expect(npmCalls()).toHaveLength(1);
});

it("waits for an npm whose start was killed before it installs anew", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  file("hold", "");
  const killed = start("say.ts");
  const [, npm] = await killed.line(/^npm runs as (\d+)/);
  const forsaken = identityOf(Number(npm));
  const bootstrap = identityOf(killed.pid);
  killed.child.kill("SIGKILL");
  await ended(bootstrap);

  const next = start("say.ts");
  await next.line(new RegExp(`^npm \\(process ${npm}\\) is still installing here`));
  expect(npmCalls()).toHaveLength(1);
  rmFile(join(directory, "hold"));

  await next.line(/^ran$/);
  await ended(forsaken);
  // The forsaken one wrote no stamp, so its result is not trusted.
  expect(npmCalls()).toHaveLength(2);
});

it("says that npm failed, keeps its code, and tries again next time", async () => {
  const { directory, file, start, npmCalls } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  file("fail", "");

  const failing = start("say.ts");
  expect(await failing.exit).toEqual({ code: 7, signal: null });
  expect(failing.lines).toContain("npm ci did not succeed; its message is above.");
  expect(failing.lines).not.toContain("ran");

  rmFile(join(directory, "fail"));
  expect(await start("say.ts").exit).toEqual({ code: 0, signal: null });
  expect(npmCalls()).toHaveLength(2);
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

it("ends the script when the shell that npm ran it in is gone", async () => {
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
  const script = identityOf(Number(pid));

  shell.child.kill("SIGTERM");

  await ended(script);
});

it("takes the script down with it when it is killed", async () => {
  const { file, start } = await givenCheckout();
  file("stay.ts", 'console.log("running", process.pid);\nsetInterval(() => {}, 1e9);');
  const bootstrap = start("stay.ts");
  const [, pid] = await bootstrap.line(/^running (\d+)$/);
  const script = identityOf(Number(pid));

  bootstrap.child.kill("SIGKILL");

  await ended(script);
});

it.runIf(process.platform === "linux")("says what to do where the packaged Node does not run", async () => {
  const { directory, file, start } = await givenCheckout();
  file("say.ts", 'console.log("ran");');
  mkdirSync(join(directory, "node_modules"));
  file("node_modules/.package-lock.json", "{}");

  const outcome = await start("say.ts").exit;
  const machineHas24 = execFileSync(MACHINE_NODE, ["--version"], { encoding: "utf8" }).startsWith("v24.");

  expect(outcome.code).toBe(machineHas24 ? 0 : 1);
});

function rmFile(path: string) {
  expect(existsSync(path)).toBe(true);
  rmSync(path);
}
