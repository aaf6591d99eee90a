import {
  createRequestHandler,
  type LoaderFunction,
  type LoaderFunctionArgs,
  type ServerBuild,
} from "@remix-run/node";
import { recordFault, toFaultRefusal } from "#app/web/answers/faults.server.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { required } from "#domain/required.ts";

export type Route = NonNullable<ServerBuild["routes"][string]>;
export type Mode = "production" | "development";
export type RouteHandler = (request: Request, context: RequestContext) => Promise<Response>;
/** Answers with a refusal: with the error page for a navigation, with JSON for other callers (entry.server.tsx decides). */
export type ShowRefusal = (refused: Response, request: Request, context: RequestContext) => Promise<Response>;

/** Answers requests for one route with Remix, over a build of only the route and its parents. */
export function createRouteHandler(
  build: ServerBuild,
  lineage: readonly Route[],
  mode: Mode,
  showRefusal: ShowRefusal,
): RouteHandler {
  const isPage = lineage.at(-1)?.module.default !== undefined;
  const answerThrown = isPage ? showOnPage : answerAlone(showRefusal);
  const routes = lineage.map((route) => [route.id, guardRoute(route, answerThrown)]);
  const assets = lineage.map(({ id }) => [id, required(build.assets.routes[id], `assets of ${id}`)]);
  const partialBuild = {
    ...build,
    routes: Object.fromEntries(routes),
    assets: { ...build.assets, routes: Object.fromEntries(assets) },
  };
  return createRequestHandler(partialBuild, mode);
}

type AnswerThrown = (thrown: Response, args: LoaderFunctionArgs) => Promise<Response>;

/** Remix renders the page of an error from what is thrown. */
const showOnPage: AnswerThrown = async (thrown) => {
  throw thrown;
};

/** A route without a component has no page for an error, so its refusals are shown by another route; a redirect is an answer. */
const answerAlone =
  (showRefusal: ShowRefusal): AnswerThrown =>
  async (thrown, { request, context }) =>
    thrown.status < 400 ? thrown : showRefusal(thrown, request, context);

/** Makes a fault of a loader or action a refusal, which is answered like those that the route throws. */
function guardRoute(route: Route, answerThrown: AnswerThrown): Route {
  const guard = (run: LoaderFunction | undefined): LoaderFunction | undefined =>
    run &&
    (async (args) => {
      try {
        return await run(args);
      } catch (error) {
        // Remix ends a request whose client has gone.
        if (args.request.signal.aborted) throw error;
        return answerThrown(error instanceof Response ? error : answerFault(error, args), args);
      }
    });
  const { module } = route;
  return { ...route, module: { ...module, loader: guard(module.loader), action: guard(module.action) } };
}

const answerFault = (error: unknown, { request, context }: LoaderFunctionArgs): Response =>
  toRefusalResponse(toFaultRefusal(recordFault(context, request.method, error)));
