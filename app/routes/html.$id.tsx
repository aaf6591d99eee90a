import type { LoaderFunctionArgs } from "@remix-run/node";
import { openView } from "#app/files/open-view.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerInertPage } from "#app/viewers/foreign-view.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { file, body } = await openView(args, "html");
  return answerInertPage(args.context, file.user_id, body);
}

export const handle: RouteHandle = { framing: "own-pages", referrer: "none" };
