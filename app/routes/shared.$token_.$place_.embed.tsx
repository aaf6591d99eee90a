import type { LoaderFunctionArgs } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerEmbed } from "#app/shares/embed.server.ts";
import { reportShareFaults } from "#app/shares/shared-visit.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  return reportShareFaults(args, () => answerEmbed(args));
}

export const handle: RouteHandle = { framing: "everyone", referrer: "none" };
