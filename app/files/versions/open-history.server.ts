import type { LoaderFunctionArgs } from "@remix-run/node";
import { fileRuns } from "#app/code-runs/run-form.server.ts";
import { readFileOffers } from "#app/files/file-offers.server.ts";
import { fileOnWire } from "#app/files/file-wire.server.ts";
import { orRefuse } from "#app/http/answers/replies.server.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { findFile } from "#db/files/files.server.ts";
import { VIEW_MAX_BYTES } from "#domain/files/file.ts";
import { Refusal } from "#domain/refusal.ts";

/** The file whose versions are asked for, and what the head of its pages shows. */
export async function openHistory(args: LoaderFunctionArgs) {
  const visitor = await requireUser(args);
  const { services } = args.context;
  const file_id = args.params.id ?? "";
  const file = orRefuse(
    await findFile(services.db, visitor.user.id, file_id),
    Refusal("file_not_found", { file_id }),
  );
  const hasText = file.size_bytes <= VIEW_MAX_BYTES;
  const [offers, runs] = await Promise.all([
    readFileOffers(services, file),
    hasText ? fileRuns(services, visitor, file, args.request.url) : null,
  ]);
  return { file, head: { file: fileOnWire(file), newest: file.version, hasText, runs, ...offers } };
}
