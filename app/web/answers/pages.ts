import { createRemixRequest } from "@remix-run/express/dist/server.js";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import type { RequestHandler, Response } from "express";
import { sendResponse } from "#app/web/answers/send-response.ts";
import { type RoutePolicy, STRICT_POLICY } from "#app/web/door/route-policy.ts";
import { required } from "#domain/required.ts";

/**
 * Matches each path to its route once. Remix ranks all of its routes for every request, at a cost that grows with each route file. Each
 * route therefore has its own handler over a build that contains only itself and its parents.
 */
export type Page = {
  pattern: string;
  methods: readonly string[];
  policy: RoutePolicy;
  serve: RequestHandler;
};
export type Pages = { find(path: string): Page | null; notFound: Page };

type Route = ServerBuild["routes"][string];
type Candidate = Page & { segments: string[]; rank: number };

type Mode = "production" | "development";

const CATCH_ALL = "/*";

export function createPages(build: ServerBuild, mode: Mode): Pages {
  const candidates = Object.values(build.routes)
    .filter(
      (route): route is Route =>
        route !== undefined && (route.index === true || route.path !== undefined) && route.id !== "root",
    )
    .map((route) => toCandidate(build, route, mode))
    .sort((a, b) => b.rank - a.rank);
  const notFound = candidates.find(({ pattern }) => pattern === CATCH_ALL);
  if (!notFound) throw new Error("The build has no route for unknown addresses");
  const byFirst = Map.groupBy(candidates, ({ segments: [first = ""] }) => (isDynamic(first) ? "*" : first));
  const dynamic = byFirst.get("*") ?? [];
  return {
    notFound,
    find(path) {
      const segments = path
        .replace(/(?<=.)\/+$/, "")
        .split("/")
        .slice(1);
      const matchesPage = (page: Candidate) => matches(page.segments, segments);
      return byFirst.get(segments[0] ?? "")?.find(matchesPage) ?? dynamic.find(matchesPage) ?? null;
    },
  };
}

/** Fills the parameters of a path template from a path that matches the page's pattern. */
export function fillPath(template: string, { pattern }: Pick<Page, "pattern">, path: string): string {
  const values = path.split("/");
  const names = pattern.split("/");
  return template.replace(/:\w+/g, (name) => required(values[names.indexOf(name)], `${name} in ${pattern}`));
}

const isDynamic = (segment: string) => segment === "*" || segment.startsWith(":");

function matches(pattern: string[], segments: string[]): boolean {
  const endsInWildcard = pattern.at(-1) === "*";
  // As in Remix, a wildcard matches an empty remainder too: `/api` belongs to `/api/*`.
  if (endsInWildcard ? segments.length < pattern.length - 1 : segments.length !== pattern.length)
    return false;
  return pattern.every(
    (part, i) => part === "*" || (part.startsWith(":") ? segments[i] !== "" : part === segments[i]),
  );
}

function toCandidate(build: ServerBuild, route: Route, mode: Mode): Candidate {
  const lineage = listAncestors(build, route);
  const path = lineage.flatMap(({ path }) => (path ? [path] : [])).join("/");
  const segments = path.split("/");
  return {
    pattern: `/${path}`,
    segments,
    rank: segments.reduce((rank, part) => rank + (part === "*" ? -10 : part.startsWith(":") ? 1 : 3), 0),
    methods: listMethods(route),
    policy: readPolicy(route) ?? STRICT_POLICY,
    serve: createHandler(build, lineage, mode),
  };
}

/** Remix gives a handle no type; every route exports this one or none. */
const readPolicy = ({ module }: Route) => module.handle as RoutePolicy | undefined;

function listAncestors(build: ServerBuild, route: Route): Route[] {
  const parent = route.parentId ? build.routes[route.parentId] : undefined;
  return parent ? [...listAncestors(build, parent), route] : [route];
}

const ANY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** A page is read with GET, and its forms use POST. */
function listMethods(route: Route): string[] {
  const { module } = route;
  if (readPolicy(route)?.methods === "any") return ANY_METHOD;
  const isRead = module.loader !== undefined || module.action === undefined;
  const read = isRead ? ["GET", "HEAD"] : [];
  return module.action ? [...read, "POST"] : read;
}

function createHandler(build: ServerBuild, lineage: Route[], mode: Mode): RequestHandler {
  const ids = lineage.map(({ id }) => id);
  const pickLineage = <T>(table: Record<string, T>) =>
    Object.fromEntries(ids.map((id) => [id, required(table[id], `route ${id} in the build`)]));
  const partialBuild = {
    ...build,
    routes: pickLineage(build.routes),
    assets: { ...build.assets, routes: pickLineage(build.assets.routes) },
  };
  const answer = createRequestHandler(partialBuild, mode);
  return async (req, res, next) => {
    // Remix types `end` with several overloads; all our answers use this one.
    const end = res.end.bind(res) as (text?: unknown) => typeof res;
    res.end = ((text?: unknown) => {
      const { body } = res.locals.context;
      if (text !== undefined || body === null) return end(text);
      return endWithParts(res, typeof body === "string" ? [body] : body, end);
    }) as typeof res.end;
    try {
      await sendResponse(await answer(createRemixRequest(req, res), res.locals.context), res);
    } catch (error) {
      next(error);
    }
  };
}

function endWithParts(
  res: Response,
  parts: readonly (string | Uint8Array)[],
  end: (text?: unknown) => Response,
): Response {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  res.setHeader("Content-Length", length);
  for (const part of parts.slice(0, -1)) res.write(part);
  return end(parts.at(-1));
}
