import { unstable_parseMultipartFormData as parseMultipart, type UploadHandler } from "@remix-run/node";
import { readChosenFolder } from "#app/files/folders/listed-folder.server.ts";
import { FORM_FIELDS_MAX } from "#app/web/door/form-fields.ts";
import type { WebServices } from "#app/web/request-context.ts";
import {
  type ArchiveWriter,
  createArchiveWriter,
  hasRoomForArchive,
} from "#db/library-zip/library-import-archives.server.ts";
import {
  queueImportCheck,
  type ReceivedZip,
  removeImport,
  renewReceivingImport,
  startReceivingImport,
} from "#db/library-zip/library-imports.server.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { ZIP_MAX_BYTES } from "#domain/library-zip/library-import.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type ImportId = { user_id: string; import_id: string };
type Services = Pick<WebServices, "db" | "queue" | "clock">;
type StoreZip = (writer: ArchiveWriter) => Promise<ReceivedZip | Refusal>;

/** Stores the zip of a form as it arrives, without reading its contents, and queues its check. Returns the import's id. */
export async function receiveZip(
  request: Request,
  services: Services,
  ownerId: string,
): Promise<string | Refusal> {
  const import_id = await beginImport(services, ownerId);
  if (isRefusal(import_id)) {
    // Node's streams are async iterables; the DOM types lack that.
    await drain(request.body as AsyncIterable<unknown> | null);
    return import_id;
  }
  const keep: StoreZip = (writer) => storeZip(request, services, ownerId, writer);
  return receiveContent(services, { user_id: ownerId, import_id }, keep);
}

/** Stores a zip that is already in memory and queues its check. Returns the import's id. */
export async function receiveZipFile(
  file: File,
  folder_id: string | null,
  services: Services,
  ownerId: string,
): Promise<string | Refusal> {
  const import_id = await beginImport(services, ownerId);
  if (isRefusal(import_id)) return import_id;
  return receiveContent(services, { user_id: ownerId, import_id }, async (writer) => {
    await writer.write(await file.bytes());
    return { size_bytes: file.size, zip_name: toZipName(file.name), folder_id };
  });
}

async function beginImport({ db, clock }: Services, ownerId: string): Promise<string | Refusal> {
  return (await hasRoomForArchive(db))
    ? startReceivingImport(db, ownerId, clock())
    : Refusal("import_store_full");
}

async function receiveContent(
  { db, queue, clock }: Services,
  importId: ImportId,
  storeContent: StoreZip,
): Promise<string | Refusal> {
  // The store assigns a piece to a day by its own clock.
  const writer = createArchiveWriter(db, importId, new Date(), async () => {
    if (!(await renewReceivingImport(db, importId, clock())))
      throw new Error("Another zip took the place of this one");
  });
  const zip = await storeWholeZip(writer, storeContent).catch(async (error) => {
    await removeImport(db, importId);
    throw error;
  });
  if (!isRefusal(zip) && (await queueImportCheck({ db, queue }, importId, zip, clock())))
    return importId.import_id;
  await removeImport(db, importId);
  return isRefusal(zip) ? zip : Refusal("import_under_way");
}

async function storeWholeZip(writer: ArchiveWriter, storeContent: StoreZip): Promise<ReceivedZip | Refusal> {
  const zip = await storeContent(writer);
  if (isRefusal(zip)) return zip;
  await writer.end();
  return zip.size_bytes === 0 ? Refusal("no_zip") : zip;
}

const ZIP_NAME_SHOWN = 300;
const toZipName = (name: string) => name.slice(0, ZIP_NAME_SHOWN).toWellFormed();

async function storeZip(
  request: Request,
  { db }: Services,
  ownerId: string,
  writer: ArchiveWriter,
): Promise<ReceivedZip | Refusal> {
  let [bytes, parts, zipName, folderName] = [0, 0, "", ""];
  const store: UploadHandler = async ({ name, filename, data }) => {
    parts += 1;
    if (parts > FORM_FIELDS_MAX) throw new Error("Too many parts");
    if (name === "folder" && !filename) folderName = await readShortText(data);
    if (name !== "zip" || !filename) return drain(data);
    zipName = toZipName(filename);
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
  const folder = await readChosenFolder(db, ownerId, folderName || ROOT_FOLDER);
  if (isRefusal(folder)) return folder;
  return { size_bytes: bytes, zip_name: zipName, folder_id: folder.id };
}

const SHORT_MAX_BYTES = 16 * 1024;

/** Reads a short text field; the rest beyond its limit is dropped. */
async function readShortText(data: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of data) {
    bytes += chunk.byteLength;
    if (bytes <= SHORT_MAX_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Reads and drops the rest, because a client reads the answer only after it has sent everything. */
async function drain(data: AsyncIterable<unknown> | null): Promise<undefined> {
  if (data) for await (const _ of data);
  return undefined;
}
