import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerSharedArchive } from "#app/files/archive.server.ts";
import {
  createCachingHeaders,
  reportShareFaults,
  requireLink,
  requireOpen,
} from "#app/shares/shared-visit.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  return reportShareFaults(args, async () => {
    const visit = await requireLink(args);
    requireOpen(args, visit);
    const { share } = visit;
    const { db, clock } = args.context.services;
    const answer = answerSharedArchive(db, share, clock());
    answer.headers.set("Cache-Control", (await createCachingHeaders(args, share))["Cache-Control"]);
    return answer;
  });
}
