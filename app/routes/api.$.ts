import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { api } from "#app/http/api/table.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";

export const handle: RouteHandle = { methods: "any", refusals: "own-words" };

/** The one door to the JSON API; the table behind it knows the paths. */
export const loader = ({ request, context }: LoaderFunctionArgs) => api(request, context);
export const action = ({ request, context }: ActionFunctionArgs) => api(request, context);
