import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect } from "vitest";
import { createDavClient } from "#tests/support/dav/dav-client.ts";
import { findLitmus } from "#tests/support/programs/find-litmus.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { openTestWeb } from "#tests/support/web.ts";

const litmus = findLitmus();
const web = await openTestWeb();

async function runLitmus(program: string, token: string): Promise<string> {
  // litmus writes its logs into its working directory.
  const cwd = await temporaryDirectory("litmus");
  const child = spawn(program, [`${web.url}/dav/`, "litmus", token], { cwd });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      output += piece.toString();
    });
  await once(child, "close");
  return output;
}

describe.skipIf(!litmus)("the conformance suite of WebDAV", () => {
  itDrawn("litmus", 3)(
    "passes whole, without a warning: basic, copymove, props, locks and http",
    async () => {
      const { token } = await createDavClient(web, "71", "write");

      const output = await runLitmus(litmus ?? "", token);

      const summaries = [...output.matchAll(/summary for `(\w+)'.* (\d+) failed/g)];
      expect(
        summaries.map(([, part, failed]) => `${part}: ${failed} failed`),
        output,
      ).toEqual(["basic", "copymove", "props", "locks", "http"].map((part) => `${part}: 0 failed`));
      expect(output).not.toMatch(/WARNING|SKIPPED/);
    },
    240_000,
  );
});
