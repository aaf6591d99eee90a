import { z } from "zod";
import { checkBody, checkFileName } from "#domain/files/file.ts";
import { GIST_FILES_MAX, GIST_URL_MAX, GISTS_MAX, type Gist, type GistFile } from "#domain/files/gist.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** What is asked of an import: gists as the code host's API answers them, or the address of one. */
export const gistImport = z
  .strictObject({
    gist: z
      .unknown()
      .optional()
      .meta({ description: "A gist as the code host's API answers it, or a list of them." }),
    url: z.string().max(GIST_URL_MAX).optional(),
  })
  .refine(({ gist, url }) => (gist === undefined) !== (url === undefined), {
    message: "Send gist or url.",
  });

const gistRecord = z.object({
  description: z.string().nullish(),
  files: z.record(z.string(), z.unknown()),
});
const fileRecord = z.object({
  filename: z.string().nullish(),
  content: z.string().nullish(),
  truncated: z.boolean().nullish(),
});

/** One gist or a list of them. Each record is checked by itself, and the first that does not fit ends it. */
export function parseGists(given: unknown): Gist[] | Refusal {
  const records = Array.isArray(given) ? given : [given];
  if (records.length === 0 || records.length > GISTS_MAX) return Refusal("invalid_gist", { max: GISTS_MAX });
  const gists: Gist[] = [];
  for (const [i, record] of records.entries()) {
    const gist = parseGist(record, Array.isArray(given) ? `${i}.` : "");
    if (isRefusal(gist)) return gist;
    gists.push(gist);
  }
  return gists;
}

function parseGist(given: unknown, path: string): Gist | Refusal {
  const record = gistRecord.safeParse(given);
  if (!record.success) return misfit(record.error, path);
  const entries = Object.entries(record.data.files);
  if (entries.length === 0) return Refusal("invalid_gist", { field: `${path}files` });
  if (entries.length > GIST_FILES_MAX)
    return Refusal("invalid_gist", { field: `${path}files`, max: GIST_FILES_MAX });
  const files: GistFile[] = [];
  for (const [key, value] of entries) {
    const file = fileRecord.safeParse(value);
    if (!file.success) return misfit(file.error, `${path}files.${key}.`);
    files.push(toGistFile(key, file.data));
  }
  return { description: record.data.description ?? "", files };
}

function toGistFile(key: string, { filename, content, truncated }: z.output<typeof fileRecord>): GistFile {
  const name = filename ?? key;
  if (truncated) return { name, missing: "truncated" };
  return content === null || content === undefined
    ? { name, missing: "no_content" }
    : { name, body: content };
}

const misfit = ({ issues }: z.ZodError, path: string) =>
  Refusal("invalid_gist", { field: `${path}${issues[0]?.path.join(".") ?? ""}`.replace(/\.$/, "") });

/** Why a file of a gist cannot be kept under its name. */
export function checkGistFile({ name, body }: { name: string; body: string }): Refusal | null {
  return [checkFileName(name), checkBody(body)].find(isRefusal) ?? null;
}
