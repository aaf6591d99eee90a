import type { AppLoadContext } from "@remix-run/node";
import { parseVersionNumber } from "#app/files/versions/shown-version.server.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { findVersion, listVersions, readVersionBody } from "#db/files/file-versions.server.ts";
import { COMPARE_MAX_BYTES } from "#domain/files/file.ts";
import { Refusal } from "#domain/refusal.ts";

/** Two versions and their texts; null if a text is larger than a page shows. */
export type Compared = { from: number; to: number; texts: [before: string, after: string] | null };
type CompareRequest = { request: Request; context: AppLoadContext };

/** Reads `?from=` and `?to=`. `to` is by default the newest version, `from` the version before `to`. */
export async function readComparedVersions(
  { request, context }: CompareRequest,
  file: FileRecord,
): Promise<Compared> {
  const { db } = context.services;
  const { searchParams } = new URL(request.url);
  const to = readVersionNumber(searchParams, "to") ?? file.version;
  const from = readVersionNumber(searchParams, "from") ?? (await findPrevious(context, file, to));
  const records = await Promise.all(
    [from, to].map(async (version) => {
      const record = await findVersion(db, file.user_id, file, version);
      if (!record) throw toRefusalResponse(Refusal("version_not_found", { file_id: file.id, version }));
      return record;
    }),
  );
  if (records.some(({ size_bytes }) => size_bytes > COMPARE_MAX_BYTES)) return { from, to, texts: null };
  const [before, after] = await Promise.all(
    [from, to].map((version) => readVersionBody(db, file.user_id, file, version)),
  );
  return { from, to, texts: [before ?? "", after ?? ""] };
}

function readVersionNumber(parameters: URLSearchParams, field: "from" | "to"): number | null {
  const text = parameters.get(field);
  if (text === null) return null;
  const version = parseVersionNumber(text);
  if (version === null)
    throw toRefusalResponse(
      Refusal("invalid_query", {
        field,
        message: `The parameter “${field}” must be the number of a version.`,
      }),
    );
  return version;
}

async function findPrevious({ services }: AppLoadContext, file: FileRecord, to: number): Promise<number> {
  const { versions } = await listVersions(services.db, file.user_id, file, { before: to, limit: 1 });
  return versions[0]?.version ?? to;
}
