import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/answers/accept.ts";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import type { RouteHandle } from "#app/page-handle.ts";
import { sharedAnswer } from "#app/shares/shared-text.server.ts";
import { announcingFaults, requireShare } from "#app/shares/shared-visit.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

/** What is shared as plain text, to read or to download, or as the page or picture it describes. What is closed is opened on its page. */
export async function loader(args: LoaderFunctionArgs) {
  return announcingFaults(args, async () => {
    const { share, isOpen } = await requireShare(args);
    if (!isOpen) {
      if (wantsPage(args.request.headers.get("Accept"))) throw redirect(`/share/${share.id}`);
      throw refusalResponse(Refusal("share_locked", { share_id: share.id }));
    }
    args.context.answer = await sharedAnswer(args, share, itemAt(share.files, 0));
    return null;
  });
}

export const handle: RouteHandle = { framing: "own-pages", referrer: "none" };

/** Never shown: with a component, a missing share gets the error page. */
export default function SharePlain() {
  return null;
}
