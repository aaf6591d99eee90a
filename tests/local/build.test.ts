import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ensureBuild } from "#db/local/build.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const BUNDLER = `
  import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
  console.log("builds for", process.env.NODE_ENV);
  if (existsSync("fail")) {
    console.log("no such route");
    process.exit(2);
  }
  const root: string = readFileSync("app/root.tsx", "utf8");
  mkdirSync(process.env.BUILD_DIRECTORY + "/client/assets", { recursive: true });
  writeFileSync(process.env.BUILD_DIRECTORY + "/client/assets/root-" + root + ".js", root);
`;

/** A checkout whose bundler records its inputs and fails if the file `fail` exists. */
async function givenApp() {
  const root = join(await temporaryDirectory("build"), "with a space");
  mkdirSync(join(root, "app", "bundle"), { recursive: true });
  writeFileSync(join(root, "app", "root.tsx"), "one");
  writeFileSync(join(root, "app", "old.tsx"), "old");
  const lines: string[] = [];
  const build = () =>
    ensureBuild({ root, env: { PATH: process.env.PATH }, log: (line) => void lines.push(line) });
  return { root, build, lines };
}

it("builds nothing while there is no app", async () => {
  const { build } = await givenApp();

  expect(await build()).toBe(false);
});

it("builds the app for production once, and again after every change of its sources", async () => {
  const { root, build, lines } = await givenApp();
  writeFileSync(join(root, "app", "bundle", "main.ts"), BUNDLER);
  expect(await build()).toBe(true);
  expect(lines).toContain("builds for production");
  expect(await build()).toBe(false);

  writeFileSync(join(root, "app", "root.tsx"), "changed");
  expect(await build()).toBe(true);
  rmSync(join(root, "app", "old.tsx"));
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
});

it("does not count a failed build", async () => {
  const { root, build, lines } = await givenApp();
  writeFileSync(join(root, "app", "bundle", "main.ts"), BUNDLER);
  await build();
  writeFileSync(join(root, "app", "root.tsx"), "changed");
  writeFileSync(join(root, "fail"), "");

  await expect(build()).rejects.toThrow("could not be built: its bundler ended with code 2");
  expect(lines).toContain("no such route");

  expect(readdirSync(join(root, "build", "client", "assets"))).toEqual(["root-one.js"]);
  expect(readdirSync(root).filter((name) => name.startsWith("build."))).toEqual([]);
  rmSync(join(root, "fail"));
  expect(await build()).toBe(true);
});

it("keeps the previous build's assets, and removes what killed builds left", async () => {
  const { root, build } = await givenApp();
  writeFileSync(join(root, "app", "bundle", "main.ts"), BUNDLER);
  await build();
  mkdirSync(join(root, "build.999999999"));
  mkdirSync(join(root, `build.${process.ppid}`));
  writeFileSync(join(root, "app", "root.tsx"), "two");
  await build();

  expect(readdirSync(join(root, "build", "client", "assets")).sort()).toEqual(["root-one.js", "root-two.js"]);
  expect(readdirSync(root).filter((name) => name.startsWith("build."))).toEqual([`build.${process.ppid}`]);
});

it("builds nothing for a change of the embedded servers", async () => {
  const { root, build } = await givenApp();
  writeFileSync(join(root, "app", "bundle", "main.ts"), BUNDLER);
  mkdirSync(join(root, "db", "engine"), { recursive: true });
  await build();
  writeFileSync(join(root, "db", "engine", "main.ts"), "changed");
  expect(await build()).toBe(false);
  writeFileSync(join(root, "db", "client.ts"), "changed");
  expect(await build()).toBe(true);
});
