import type { LoaderFunctionArgs } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerShared } from "#app/shares/shared-text.server.ts";
import { announceFaults, visitLinkedFile } from "#app/shares/shared-visit.server.ts";

/** One of several shared files as plain text, to read or to download, or as the page or image it describes. */
export async function loader(args: LoaderFunctionArgs) {
  return announceFaults(args, async () => {
    const { share, file } = await visitLinkedFile(args);
    args.context.answer = await answerShared(args, share, file);
    return null;
  });
}

export const handle: RouteHandle = { framing: "own-pages", referrer: "none" };

/** Never shown: with a component, a missing share gets the error page. */
export default function LinkedPlain() {
  return null;
}
