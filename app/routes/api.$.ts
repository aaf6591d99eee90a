import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { api } from "#app/main/api-table.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";

export const handle: RouteHandle = { methods: "any", refusals: "own-words", dots: "refused" };

/** The only route of the JSON API. The table of endpoints defines the paths. */
export const loader = ({ request, context }: LoaderFunctionArgs) => api(request, context);
export const action = ({ request, context }: ActionFunctionArgs) => api(request, context);
