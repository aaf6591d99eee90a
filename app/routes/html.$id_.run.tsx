import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { openView } from "#app/files/open-view.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerRunningPage } from "#app/viewers/foreign-answer.ts";
import { atVersion, RUNNING_PAGE } from "#app/viewers/views.ts";

/** Renders the file with its scripts, only for a frame of our page: that gives it an opaque origin and keeps it from navigating. */
export async function loader(args: LoaderFunctionArgs) {
  const { file, body, newest } = await openView(args, "html");
  if (args.request.headers.get("Sec-Fetch-Dest") === "document")
    throw redirect(atVersion(RUNNING_PAGE(file.id), file.version === newest ? null : file.version));
  return answerRunningPage(body);
}

export const handle: RouteHandle = { framing: "own-pages", referrer: "none" };
