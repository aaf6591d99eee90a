import { unstable_parseMultipartFormData as parseMultipart, type UploadHandler } from "@remix-run/node";
import { FORM_FIELDS_MAX } from "#app/http/door/form-fields.ts";
import type { WebServices } from "#app/http/request-context.ts";
import { createArchiveWriter, hasRoomForArchive } from "#db/library-zip/library-import-archives.server.ts";
import {
  beginReceiving,
  keepReceiving,
  queueCheck,
  removeImport,
} from "#db/library-zip/library-imports.server.ts";
import { ZIP_MAX_BYTES } from "#domain/files/library-import.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type Received = { user_id: string; import_id: string };

/** Keeps the zip of a form as it arrives, without looking into it, and queues its check. Answers the import's id. */
export async function receiveZip(
  request: Request,
  services: Pick<WebServices, "db" | "queue" | "clock">,
  ownerId: string,
): Promise<string | Refusal> {
  const { db, queue, clock } = services;
  const refused = (await hasRoomForArchive(db)) ? null : Refusal("import_store_full");
  const import_id = refused ?? (await beginReceiving(db, ownerId, clock()));
  if (isRefusal(import_id)) {
    await drain(request.body as AsyncIterable<unknown> | null);
    return import_id;
  }
  const received = { user_id: ownerId, import_id };
  const bytes = await storeZip(request, services, received).catch(async (error) => {
    await removeImport(db, received);
    throw error;
  });
  if (typeof bytes === "number" && (await queueCheck({ db, queue }, received, bytes, clock())))
    return import_id;
  await removeImport(db, received);
  return typeof bytes === "number" ? Refusal("import_under_way") : bytes;
}

/** How many bytes the zip has. */
async function storeZip(
  request: Request,
  { db, clock }: Pick<WebServices, "db" | "clock">,
  received: Received,
): Promise<number | Refusal> {
  // The store counts a piece's day by its own clock.
  const writer = createArchiveWriter(db, received, new Date(), async () => {
    if (!(await keepReceiving(db, received, clock())))
      throw new Error("Another zip took the place of this one");
  });
  let [bytes, parts] = [0, 0];
  const store: UploadHandler = async ({ name, filename, data }) => {
    parts += 1;
    if (parts > FORM_FIELDS_MAX) throw new Error("Too many parts");
    if (name !== "zip" || !filename) return drain(data);
    for await (const chunk of data) {
      bytes += chunk.byteLength;
      if (bytes <= ZIP_MAX_BYTES) await writer.write(chunk);
    }
    return undefined;
  };
  try {
    await parseMultipart(request, store);
  } catch (error) {
    if (request.signal.aborted || writer.hasFailed()) throw error;
    if (parts > FORM_FIELDS_MAX) return Refusal("too_many_fields", { max: FORM_FIELDS_MAX });
    return Refusal("invalid_payload", { message: "The body is not a form." });
  }
  if (bytes > ZIP_MAX_BYTES) return Refusal("import_too_large", { max: ZIP_MAX_BYTES });
  await writer.end();
  return bytes === 0 ? Refusal("no_zip") : bytes;
}

/** Read to its end and thrown away: who sends it reads the answer only then. */
async function drain(data: AsyncIterable<unknown> | null): Promise<undefined> {
  if (data) for await (const _ of data);
  return undefined;
}
