/** Which pages there are, by the names of their files, and which of them an address leads to. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "#db/local/project-root.ts";

const ROUTES = join(PROJECT_ROOT, "app", "routes");
/** A route that shows nothing of its own: it redirects, or answers with something else than a page. */
const SHOWS_NOTHING = /export default function \w+\(\)[^{]*\{\s*return null;\s*\}/;

const isNamed = (part: string) => !part.startsWith("$");

type Route = { name: string; pattern: RegExp; named: number };

const routes: Route[] = readdirSync(ROUTES)
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => name.slice(0, -".tsx".length))
  .map((name) => ({ name, pattern: patternOf(name), named: name.split(".").filter(isNamed).length }))
  .sort((a, b) => b.named - a.named);

function patternOf(name: string): RegExp {
  const parts = name
    .split(".")
    .filter((part) => part !== "_index")
    .map((part) => (part === "$" ? ".+" : part.startsWith("$") ? "[^/]+" : part.replace(/_$/, "")));
  return new RegExp(`^/${parts.join("/")}$`);
}

/** The route that answers an address. */
export function routeOf(path: string): string {
  const { pathname } = new URL(path, "http://x");
  return routes.find(({ pattern }) => pattern.test(pathname))?.name ?? "$";
}

/** Every route that a person sees as a page. */
export function pageRoutes(): string[] {
  const isPage = (name: string) => {
    const source = readFileSync(join(ROUTES, `${name}.tsx`), "utf8");
    return source.includes("export default") && !SHOWS_NOTHING.test(source);
  };
  return routes.map(({ name }) => name).filter(isPage);
}
