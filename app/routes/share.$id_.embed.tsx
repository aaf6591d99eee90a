import type { LoaderFunctionArgs } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerEmbed } from "#app/shares/embed.server.ts";
import { announceFaults } from "#app/shares/shared-visit.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  return announceFaults(args, async () => {
    args.context.answer = await answerEmbed(args);
    return null;
  });
}

export const handle: RouteHandle = { framing: "everyone", referrer: "none" };

/** Never shown: with a component, a fault gets the error page. */
export default function Embed() {
  return null;
}
