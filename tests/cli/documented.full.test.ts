import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";
import { startCodeWorker } from "#tests/support/workers/code-worker.ts";
import { giveToken, Machine, newMachine, PROGRAM } from "./codeshelf.ts";

// A busy machine starts Python late.
const web = await openTestWeb({ CODE_QUEUE_WAIT_SECONDS: "120" });
await web.visitor().logIn(ADMIN_ID);
await startCodeWorker(web);
const token = await giveToken(web, ADMIN_ID);
const machine = await newMachine({ CODESHELF: web.url, TOKEN: token });

const text = await readFile(join(PROJECT_ROOT, "docs/cli.md"), "utf8");
const examples = [...text.matchAll(/^#+ (.+)\n(?:(?!^#)[\s\S])*?^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, title = "", script = ""]) => ({ title, script }),
);

/** The examples run in the page's order; each continues where the previous one ended. */
describe("the examples of the command line's page run as they stand", () => {
  it("and every block of commands is one of them, and every command is in one", async () => {
    expect(examples).toHaveLength(required(text.match(/^```sh$/gm)).length);
    const commands = required((await machine.ok("--help")).match(/^ {2}[a-z]+(?= )/gm)).map((name) =>
      name.trim(),
    );
    expect(commands).toContain("sync");
    const scripts = examples.map(({ script }) => script).join("");
    expect(commands.filter((name) => !new RegExp(`codeshelf ${name}\\b`).test(scripts))).toEqual([]);
  });

  it.each(examples)("$title", async ({ script }) => {
    const path = [machine.at(".local/bin"), dirname(process.execPath), process.env.PATH].join(":");
    const env = machine.env({ PATH: path });
    await promisify(execFile)("bash", ["--norc", "-euc", script], { cwd: machine.home, env });
  });

  it("and leave both sides the same", async () => {
    expect(await machine.read(".local/bin/codeshelf")).toBe(await readFile(PROGRAM, "utf8"));
    expect(Object.keys(await machine.tree("demo"))).toEqual(["ABOUT.md", "src/hello.py"]);
    const direct = new Machine(machine.home, { CODESHELF_ADDRESS: web.url, CODESHELF_TOKEN: token });
    expect(await direct.ok("cat", "demo/src/hello.py")).toBe('print("hello again")\n');
    expect(await direct.ok("ls", "demo", "-r")).toBe("src/\nABOUT.md\nsrc/hello.py\n");
    expect((await machine.run(["ls"])).code).toBe(3);
  });
});
