import type { LoaderFunctionArgs } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerShared } from "#app/shares/shared-text.server.ts";
import { reportShareFaults, requireOpen, requireShare } from "#app/shares/shared-visit.server.ts";
import { itemAt } from "#domain/required.ts";

/** A shared file as plain text, to read or to download, or as the page or image it describes. */
export async function loader(args: LoaderFunctionArgs) {
  return reportShareFaults(args, async () => {
    const visit = await requireShare(args);
    requireOpen(args, visit);
    return answerShared(args, visit.share, itemAt(visit.share.files, 0));
  });
}

export const handle: RouteHandle = { framing: "own-pages", referrer: "none" };
