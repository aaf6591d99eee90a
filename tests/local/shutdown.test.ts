import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { ended, readIdentity, run } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

async function given(body: string, deadlineMs = 10_000): Promise<string> {
  const script = join(await temporaryDirectory("shutdown"), "process.ts");
  const shutdownModule = pathToFileURL(join(PROJECT_ROOT, "platform", "processes", "shutdown.ts")).href;
  writeFileSync(
    script,
    `import { openShutdown } from ${JSON.stringify(shutdownModule)};
     const say = (event: string, fields?: object) => console.log(event, JSON.stringify(fields ?? {}));
     const shutdown = openShutdown({ deadlineMs: ${deadlineMs}, log: { info: say, error: say } });
     setInterval(() => {}, 1e9);
     ${body}
     console.log("running");`,
  );
  return script;
}

it("closes what was opened last first, one after the other, and exits with success", async () => {
  const script = await given(`
    shutdown.defer("database", () => console.log("database closed"));
    shutdown.defer("server", async () => { await Promise.resolve(); console.log("server closed"); });
    shutdown.signal.addEventListener("abort", () => console.log("aborted"));`);
  const subject = run(process.execPath, [script]);
  await subject.line(/^running$/);

  subject.child.kill("SIGTERM");

  expect(await subject.exit).toEqual({ code: 0, signal: null });
  expect(subject.lines.slice(1)).toEqual([
    "aborted",
    'stopping {"reason":"SIGTERM"}',
    "server closed",
    "database closed",
    'stopped {"reason":"SIGTERM"}',
  ]);
});

it("closes everything once, however many signals come", async () => {
  const script = await given(`
    shutdown.defer("server", () => new Promise((resolve) => {
      console.log("closing");
      process.once("SIGHUP", () => resolve(console.log("closed")));
    }));`);
  const subject = run(process.execPath, [script]);
  await subject.line(/^running$/);

  subject.child.kill("SIGINT");
  await subject.line(/^closing$/);
  subject.child.kill("SIGTERM");
  subject.child.kill("SIGHUP");

  expect(await subject.exit).toEqual({ code: 0, signal: null });
  expect(subject.lines.filter((line) => line === "closing")).toHaveLength(1);
});

it("continues after a closer fails, and says so by its exit code", async () => {
  const script = await given(`
    shutdown.defer("database", () => console.log("database closed"));
    shutdown.defer("server", () => { throw new Error("stuck"); });
    shutdown.begin("done");`);
  const subject = run(process.execPath, [script]);

  expect(await subject.exit).toEqual({ code: 1, signal: null });
  expect(subject.lines).toContain("database closed");
  expect(subject.lines).toContain('close_failed {"name":"server","error":"Error: stuck"}');
});

it("does not wait longer than its deadline, and names what it waited for", async () => {
  const script = await given(
    `shutdown.defer("server", () => new Promise(() => {}));\nshutdown.begin("done");`,
    50,
  );
  const subject = run(process.execPath, [script]);

  expect(await subject.exit).toEqual({ code: 1, signal: null });
  expect(subject.lines).toContain('stop_deadline_passed {"deadlineMs":50,"waitingFor":"server"}');
});

it("stops when the process that started it is gone", async () => {
  const script = await given("process.send!({ running: true });");
  const parent = `const child = require("node:child_process").fork(${JSON.stringify(script)}, { stdio: "ignore" });
    child.once("message", () => console.log("child", child.pid));`;
  const subject = run(process.execPath, ["-e", parent]);
  const [, pid] = await subject.line(/^child (\d+)$/);
  const child = readIdentity(Number(pid));

  subject.child.kill("SIGKILL");

  await ended(child);
});
