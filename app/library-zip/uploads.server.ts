import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { unstable_parseMultipartFormData as parseMultipart, type UploadHandler } from "@remix-run/node";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS } from "#platform/clock.ts";
import { newToken } from "#platform/ids.ts";

/**
 * Zips between the moment they are sent and the moment their owner says go: files of their own under the data directory, named
 * by owner and a key that only the page with the plan knows. Each new one replaces the last, and what is a day old goes.
 */
export const ZIP_MAX_BYTES = 256 * 1024 * 1024;
/** The zip and what surrounds it in a form. */
export const IMPORT_FORM_MAX_BYTES = ZIP_MAX_BYTES + 1024 * 1024;
const KEPT_MS = DAY_MS;
const KEY = /^[\w-]{16,64}$/;

export type Uploads = { dataDir: string; ownerId: string };
const directoryOf = ({ dataDir }: Uploads) => join(dataDir, "imports");
const fileOf = (uploads: Uploads, key: string) => join(directoryOf(uploads), `${uploads.ownerId}.${key}.zip`);

/** Writes the zip of a form to disk as it arrives and answers its key. */
export async function receiveZip(
  request: Request,
  uploads: Uploads,
  nowMs: number,
): Promise<string | Refusal> {
  const key = newToken(16);
  await mkdir(directoryOf(uploads), { recursive: true, mode: 0o700 });
  await removeOld(uploads, nowMs);
  let bytes = 0;
  const store: UploadHandler = async ({ name, filename, data }) => {
    if (name !== "zip" || !filename) return drained(data);
    const file = await open(fileOf(uploads, key), "wx", 0o600);
    try {
      for await (const chunk of data) {
        bytes += chunk.byteLength;
        if (bytes <= ZIP_MAX_BYTES) await file.write(chunk);
      }
    } finally {
      await file.close();
    }
    return key;
  };
  try {
    await parseMultipart(request, store);
  } catch (error) {
    await removeZip(uploads, key);
    if (request.signal.aborted) throw error;
    return Refusal("invalid_payload", { message: "The body is not a form." });
  }
  if (bytes > 0 && bytes <= ZIP_MAX_BYTES) return key;
  await removeZip(uploads, key);
  return bytes === 0 ? Refusal("no_zip") : Refusal("import_too_large", { max: ZIP_MAX_BYTES });
}

/** Read to its end and thrown away. */
async function drained(data: AsyncIterable<Uint8Array>): Promise<undefined> {
  for await (const _ of data);
}

/** Where the zip with this key is, or a refusal where it is gone. */
export async function findZip(uploads: Uploads, key: string): Promise<string | Refusal> {
  const path = KEY.test(key) ? fileOf(uploads, key) : null;
  const there = path !== null && (await stat(path).catch(() => null));
  return path && there ? path : Refusal("import_not_found");
}

export async function removeZip(uploads: Uploads, key: string): Promise<void> {
  if (KEY.test(key)) await rm(fileOf(uploads, key), { force: true });
}

/** Every zip of this person, and whatever anyone left for a day. */
export async function removeOld(uploads: Uploads, nowMs: number): Promise<void> {
  const directory = directoryOf(uploads);
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const isOwn = name.startsWith(`${uploads.ownerId}.`);
    const old = isOwn || nowMs - ((await stat(path).catch(() => null))?.mtimeMs ?? nowMs) > KEPT_MS;
    if (old) await rm(path, { force: true });
  }
}
