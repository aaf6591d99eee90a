import type { ServerBuild } from "@remix-run/node";
import type { Request as ExpressRequest } from "express";
import {
  createRouteHandler,
  type Mode,
  type Route,
  type RouteHandler,
  type ShowRefusal,
} from "#app/web/answers/route-handler.ts";
import { toWebRequest } from "#app/web/answers/web-request.ts";
import { type RoutePolicy, STRICT_POLICY } from "#app/web/door/route-policy.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { required } from "#domain/required.ts";

/**
 * Matches each path to its route once. Remix ranks all of its routes for every request, at a cost that grows with each route file. Each
 * route therefore has its own handler over a build that contains only itself and its parents.
 */
export type Page = {
  pattern: string;
  methods: readonly string[];
  policy: RoutePolicy;
  answer(req: ExpressRequest, context: RequestContext): Promise<Response>;
};
export type Pages = { find(path: string): Page | null; notFound: Page; showRefusal: ShowRefusal };

type Candidate = Page & { segments: string[]; rank: number; handle: RouteHandler };

const CATCH_ALL = "/*";

export function createPages(build: ServerBuild, mode: Mode): Pages {
  /** Sends no body along: the refused route may have read it. */
  const showRefusal: ShowRefusal = (refused, { url, method, headers, signal }, context) =>
    notFound.handle(new Request(url, { method: method === "HEAD" ? "HEAD" : "GET", headers, signal }), {
      ...context,
      refused,
    });
  const candidates = Object.values(build.routes)
    .filter(
      (route): route is Route =>
        route !== undefined && (route.index === true || route.path !== undefined) && route.id !== "root",
    )
    .map((route) => toCandidate(build, route, mode, showRefusal))
    .sort((a, b) => b.rank - a.rank);
  const notFound = required(
    candidates.find(({ pattern }) => pattern === CATCH_ALL),
    "route for unknown addresses",
  );
  const byFirst = Map.groupBy(candidates, ({ segments: [first = ""] }) => (isDynamic(first) ? "*" : first));
  const dynamic = byFirst.get("*") ?? [];
  return {
    notFound,
    showRefusal,
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

function toCandidate(build: ServerBuild, route: Route, mode: Mode, showRefusal: ShowRefusal): Candidate {
  const lineage = listAncestors(build, route);
  const path = lineage.flatMap(({ path }) => (path ? [path] : [])).join("/");
  const segments = path.split("/");
  const handle = createRouteHandler(build, lineage, mode, showRefusal);
  return {
    pattern: `/${path}`,
    segments,
    rank: segments.reduce((rank, part) => rank + (part === "*" ? -10 : part.startsWith(":") ? 1 : 3), 0),
    methods: listMethods(route),
    policy: readPolicy(route) ?? STRICT_POLICY,
    handle,
    answer: (req, context) => handle(toWebRequest(req, req.originalUrl, context.clientGone()), context),
  };
}

/** Remix gives a handle no type; every route exports this one or none. */
const readPolicy = ({ module }: Route) => module.handle as RoutePolicy | undefined;

function listAncestors(build: ServerBuild, route: Route): Route[] {
  const parent = route.parentId ? build.routes[route.parentId] : undefined;
  return parent ? [...listAncestors(build, parent), route] : [route];
}

const ANY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Lists the methods that a route answers: pages are read with GET, and their forms use POST. */
function listMethods(route: Route): string[] {
  const { module } = route;
  if (readPolicy(route)?.methods === "any") return ANY_METHOD;
  const isRead = module.loader !== undefined || module.action === undefined;
  const read = isRead ? ["GET", "HEAD"] : [];
  return module.action ? [...read, "POST"] : read;
}
