/**
 * Lists the routes of `app/routes/` by Remix's file names: `notes_.new` is /notes/new, `$id` is a parameter, `$` the remainder of the path,
 * `_index` the page of the address itself, `[.]` a plain dot. Every route is a child of the root, so a name that would nest routes is
 * refused.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

type RouteFile = { id: string; file: string; path: string | undefined; index: true | undefined };

const SINGLE_FILE = /^(.+)\.tsx?$/;
const IGNORED = /\.server\.ts$|\.css$/;

export function listRouteFiles(appDirectory: string): RouteFile[] {
  const directory = join(appDirectory, "routes");
  const routes = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !IGNORED.test(entry.name))
    .map((entry) => {
      const name = entry.isDirectory() ? entry.name : (SINGLE_FILE.exec(entry.name)?.[1] ?? "");
      const file = entry.isDirectory() ? findRouteFile(directory, entry.name) : entry.name;
      if (!name || !file) throw new Error(`app/routes/${entry.name} is no route: it has no route.tsx.`);
      return { id: `routes/${name}`, file: `routes/${file}`, ...readRouteName(name) };
    });
  refuseNesting(routes.map(({ id }) => id));
  return routes;
}

function findRouteFile(directory: string, folder: string): string | undefined {
  return [`${folder}/route.tsx`, `${folder}/route.ts`].find((file) => existsSync(join(directory, file)));
}

export function readRouteName(name: string): Pick<RouteFile, "path" | "index"> {
  const segments = name.split(/\.(?!\])/);
  const isIndex = segments.at(-1) === "_index";
  const path = (isIndex ? segments.slice(0, -1) : segments).map(toPathSegment).join("/");
  return { path: path === "" ? undefined : path, index: isIndex || undefined };
}

function toPathSegment(segment: string): string {
  if (/^[_(]/.test(segment))
    throw new Error(`${segment} in the name of a route: no route is pathless or optional.`);
  const plain = segment.replace(/_$/, "").replace(/\[(.+?)\]/g, "$1");
  if (plain === "$") return "*";
  return plain.replace(/^\$/, ":");
}

/** `notes.new` beside `notes` would be rendered inside of it; `notes_.new` is a page of its own. */
function refuseNesting(ids: string[]): void {
  const allIds = new Set(ids);
  for (const id of ids) {
    const parts = id.split(".");
    const parent = parts.map((_, i) => parts.slice(0, i).join(".")).find((prefix) => allIds.has(prefix));
    if (parent)
      throw new Error(
        `app/${id} would be nested in app/${parent}: name it ${parent}_${id.slice(parent.length)}.`,
      );
  }
}
