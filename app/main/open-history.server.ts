import type { LoaderFunctionArgs } from "@remix-run/node";
import { readFileRuns } from "#app/code-runs/run-form.server.ts";
import { readFileHeadData } from "#app/files/file-offers.server.ts";
import { toWireFile } from "#app/files/file-wire.server.ts";
import { requireFile } from "#app/files/require-file.server.ts";

export async function loadFileAndHead(args: LoaderFunctionArgs) {
  const { signedIn, file } = await requireFile(args);
  const { services } = args.context;
  const [offers, runs] = await Promise.all([
    readFileHeadData(services, file),
    readFileRuns(services, signedIn, file, args.request.url),
  ]);
  return { file, head: { file: toWireFile(file), newest: file.version, runs, ...offers } };
}
