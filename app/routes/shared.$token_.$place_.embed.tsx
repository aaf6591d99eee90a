import type { LoaderFunctionArgs } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerEmbed } from "#app/shares/embed.server.ts";
import { announceFaults } from "#app/shares/shared-visit.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  return announceFaults(args, () => answerEmbed(args));
}

export const handle: RouteHandle = { framing: "everyone", referrer: "none" };
