import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
await web.person("90");
const { secret } = await web.given.token("90");
const directory = await mkdtemp(join(tmpdir(), "codeshelf-examples-"));
afterAll(() => rm(directory, { recursive: true, force: true }));

const text = await readFile(join(PROJECT_ROOT, "docs/api.md"), "utf8");
const examples = [...text.matchAll(/^## (.+)\n[\s\S]*?^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, title = "", script = ""]) => ({ title, script }),
);

/** In the order of the page; each goes on where the one before it ended. */
describe("the examples of the API's page run as they stand", () => {
  it("and every block of commands is one of them", () => {
    expect(examples).toHaveLength(required(text.match(/^```sh$/gm)).length);
  });

  it.each(examples)("$title", async ({ script }) => {
    const env = { ...process.env, CODESHELF: web.url, TOKEN: secret };
    const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd: directory, env });
    expect(stdout).toMatch(/"ok":true|"jsonrpc":"2.0"|"type":"rich"/);
    expect(stdout).not.toContain('"error"');
  });
});
