import type { LoaderFunctionArgs } from "@remix-run/node";
import { readFileRuns } from "#app/code-runs/run-form.server.ts";
import { readFileOffers } from "#app/files/file-offers.server.ts";
import { fileOnWire } from "#app/files/file-wire.server.ts";
import { requireFile } from "#app/files/require-file.server.ts";

export async function openHistory(args: LoaderFunctionArgs) {
  const { signedIn, file } = await requireFile(args);
  const { services } = args.context;
  const [offers, runs] = await Promise.all([
    readFileOffers(services, file),
    readFileRuns(services, signedIn, file, args.request.url),
  ]);
  return { file, head: { file: fileOnWire(file), newest: file.version, runs, ...offers } };
}
