import type { LoaderFunctionArgs } from "@remix-run/node";
import { openView } from "#app/files/open-view.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerInertPage } from "#app/viewers/foreign-view.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { file, body } = await openView(args, "html");
  args.context.answer = await answerInertPage(args.context, file.user_id, body);
  return null;
}

export const handle: RouteHandle = { framing: "own-pages", referrer: "none" };

/** Never shown: with a component, a missing file gets the error page. */
export default function Html() {
  return null;
}
