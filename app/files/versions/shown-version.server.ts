import type { AppLoadContext } from "@remix-run/node";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { Db } from "#db/client.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { findVersion } from "#db/files/file-versions.server.ts";
import { Refusal } from "#domain/refusal.ts";

export function parseVersionNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

export async function findFileAt(
  db: Db,
  ownerId: string,
  file: FileRecord,
  number: number,
): Promise<FileRecord | null> {
  if (number === file.version) return file;
  const storedVersion = await findVersion(db, ownerId, file, number);
  if (!storedVersion) return null;
  const { version, language, size_bytes, lines, created_at } = storedVersion;
  return { ...file, version, language, size_bytes, lines, updated_at: created_at };
}

export async function requireShownVersion(
  { request, context }: { request: Request; context: AppLoadContext },
  ownerId: string,
  file: FileRecord,
): Promise<FileRecord> {
  const requested = new URL(request.url).searchParams.get("v");
  const number = requested === null ? file.version : parseVersionNumber(requested);
  const version = number === null ? null : await findFileAt(context.services.db, ownerId, file, number);
  if (!version)
    throw toRefusalResponse(Refusal("version_not_found", { file_id: file.id, version: requested }));
  return version;
}
