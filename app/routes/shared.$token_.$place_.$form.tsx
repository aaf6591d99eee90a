import type { LoaderFunctionArgs } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerShared } from "#app/shares/shared-text.server.ts";
import { reportShareFaults, requireLinkedFile } from "#app/shares/shared-visit.server.ts";

/** One of several shared files as plain text, to read or to download, or as the page or image it describes. */
export async function loader(args: LoaderFunctionArgs) {
  return reportShareFaults(args, async () => {
    const { share, file } = await requireLinkedFile(args);
    return answerShared(args, share, file);
  });
}

export const handle: RouteHandle = { framing: "own-pages", referrer: "none" };
