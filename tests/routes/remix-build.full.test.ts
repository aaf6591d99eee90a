/** Remix's own tool builds the same sources and configuration, although the product is built without it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const REMIX = join(PROJECT_ROOT, "node_modules", ".bin", "remix");

it("remix vite:build builds the app by remix.config.js", { timeout: 900_000 }, async () => {
  const directory = await temporaryDirectory("remix-build");
  await promisify(execFile)(process.execPath, [REMIX, "vite:build", "-c", "remix.config.js"], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, BUILD_DIRECTORY: relative(PROJECT_ROOT, directory), NODE_ENV: "production" },
  });
  expect(existsSync(join(directory, "server", "index.js"))).toBe(true);
});
