/** Lists the pages by their route files, and finds the page of an address. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const ROUTES = join(PROJECT_ROOT, "app", "routes");
/** A route without a page of its own: it redirects, or answers with another type. */
const SHOWS_NOTHING = /export default function \w+\(\)[^{]*\{\s*return null;\s*\}/;

const isNamed = (part: string) => !part.startsWith("$");

type Route = { name: string; pattern: RegExp; named: number };

/** The file of each page by name: a page is a file, or a folder with a `route.tsx`. */
const files = new Map(
  readdirSync(ROUTES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith(".tsx"))
    .map((entry) => [
      entry.name.replace(/\.tsx$/, ""),
      join(ROUTES, entry.name, entry.isDirectory() ? "route.tsx" : ""),
    ]),
);

const routes: Route[] = [...files.keys()]
  .map((name) => ({ name, pattern: buildPattern(name), named: name.split(".").filter(isNamed).length }))
  .sort((a, b) => b.named - a.named);

function buildPattern(name: string): RegExp {
  const parts = name
    .split(".")
    .filter((part) => part !== "_index")
    .map((part) => (part === "$" ? ".+" : part.startsWith("$") ? "[^/]+" : part.replace(/_$/, "")));
  return new RegExp(`^/${parts.join("/")}$`);
}

export function findRoute(path: string): string {
  const { pathname } = new URL(path, "http://x");
  return routes.find(({ pattern }) => pattern.test(pathname))?.name ?? "$";
}

export function pageRoutes(): string[] {
  const isPage = (name: string) => {
    const source = readFileSync(files.get(name)!, "utf8");
    return source.includes("export default") && !SHOWS_NOTHING.test(source);
  };
  return routes.map(({ name }) => name).filter(isPage);
}
