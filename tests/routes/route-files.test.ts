import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleApp } from "#app/bundle/bundle.ts";
import { listRouteFiles, readRouteName } from "#app/bundle/route-files.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { openTestWeb } from "#tests/support/web.ts";

type RemixRoute = { id: string; parentId: string; file: string; path?: string; index?: true };

/** The routes as Remix's own tool reads them; `npm run dev` uses it. */
function listByRemix(appDirectory: string): RemixRoute[] {
  const { flatRoutes } = createRequire(import.meta.url)("@remix-run/dev/dist/config/flat-routes.js");
  return Object.values(flatRoutes(appDirectory, ["**/*.server.ts", "**/*.css"]));
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

describe("the routes of a build", () => {
  it("are those that Remix's own tool finds, each a child of the root", () => {
    const appDirectory = join(PROJECT_ROOT, "app");
    const routes = listRouteFiles(appDirectory);
    expect(routes.length).toBeGreaterThan(50);

    expect(routes.map((route) => ({ ...route, parentId: "root" })).sort(byId)).toEqual(
      listByRemix(appDirectory)
        .map(({ id, parentId, file, path, index }) => ({ id, parentId, file, path, index }))
        .sort(byId),
    );
  });

  it.each([
    ["_index", undefined, true],
    ["admin._index", "admin", true],
    ["$", "*", undefined],
    ["api.$", "api/*", undefined],
    ["note.$id_.edit", "note/:id/edit", undefined],
    ["manifest[.]webmanifest", "manifest.webmanifest", undefined],
  ])("%s is %s", (name, path, index) => {
    expect(readRouteName(name)).toEqual({ path, index });
  });

  it.each(["_pathless.page", "($language).page"])("%s is refused", (name) => {
    expect(() => readRouteName(name)).toThrow("no route is pathless or optional");
  });

  it("one inside another is refused", async () => {
    const app = await temporaryDirectory("routes");
    mkdirSync(join(app, "routes"));
    for (const name of ["notes.tsx", "notes.new.tsx"]) writeFileSync(join(app, "routes", name), "");

    expect(() => listRouteFiles(app)).toThrow("name it routes/notes_.new");
  });
});

describe("what browsers are sent", () => {
  it("is one script for every page, beside what the compiler adds", async () => {
    const web = await openTestWeb();
    const read = async (path: string) => (await fetch(new URL(path, web.url))).text();
    const [src = ""] = /(?<=<script type="module"[^>]* src=")[^"]+/.exec(await read("/login")) ?? [];
    const script = await read(src);
    expect(script.length).toBeGreaterThan(30_000);
    const [helpers = "", ...more] = script.match(/(?<=from\s*"\.\/)[^"]+/g) ?? [];
    expect(more).toEqual([]);
    expect((await read(`/assets/${helpers}`)).length).toBeLessThan(1_000);
  });

  it("contains nothing of the server: an import of it fails the build", async () => {
    const root = await temporaryDirectory("bundle");
    for (const name of ["app", "public"]) mkdirSync(join(root, name));
    writeFileSync(join(root, "app", "secret.server.ts"), "export const secret = 1;");
    const write = (text: string) => writeFileSync(join(root, "app", "entry.client.tsx"), text);

    write('import { secret } from "./secret.server.ts";\nconsole.log(secret);');

    await expect(bundleApp({ root, directory: join(root, "build") })).rejects.toThrow(
      "brings ./secret.server.ts into the browser",
    );
  });
});
