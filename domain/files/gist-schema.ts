import { z } from "zod";
import { checkBody, checkFileName } from "#domain/files/file.ts";
import { GIST_FILES_MAX, GIST_URL_MAX, GISTS_MAX, type Gist, type GistFile } from "#domain/files/gist.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema, toRefusalText } from "#domain/schema.ts";

const gistFile = z.object({
  filename: z.string().nullish(),
  content: z.string().nullish(),
  truncated: z.boolean().nullish(),
});
const gist = z.object({
  description: z.string().nullish(),
  files: z.record(z.string(), gistFile).meta({ minProperties: 1, maxProperties: GIST_FILES_MAX }),
});
const gistFrame = gist.extend({ files: z.record(z.string(), z.unknown()) });

/**
 * A gist or a list of gists as the code host's API returns them. The check stops at the first misfit file: an issue for each of
 * a million would not fit into memory.
 */
const gists = z
  .preprocess(
    (input, context) => {
      const misfit = findGistsRefusal(input);
      if (misfit)
        context.addIssue({ code: "custom", message: toRefusalText(misfit.refused, misfit.context) });
      return input;
    },
    z.union([gist, z.array(gist).min(1).max(GISTS_MAX)]),
  )
  .transform((input): Gist[] => [input].flat().map(toGist))
  .meta({ description: "A gist as the code host's API answers it, or a list of them." });

export const gistImport = z
  .strictObject({ gist: gists.optional(), url: z.string().max(GIST_URL_MAX).optional() })
  .refine(({ gist, url }) => (gist === undefined) !== (url === undefined), { message: "Send gist or url." });

export const parseGists = (input: unknown): Gist[] | Refusal => checkBySchema(gists, input);

function findGistsRefusal(input: unknown): Refusal | null {
  const records = Array.isArray(input) ? input : [input];
  if (records.length === 0 || records.length > GISTS_MAX) return Refusal("invalid_gist", { max: GISTS_MAX });
  for (const [i, record] of records.entries()) {
    const misfit = findGistRefusal(record, Array.isArray(input) ? `${i}.` : "");
    if (misfit) return misfit;
  }
  return null;
}

function findGistRefusal(input: unknown, path: string): Refusal | null {
  const record = gistFrame.safeParse(input);
  if (!record.success) return toMisfit(record.error, path);
  const entries = Object.entries(record.data.files);
  if (entries.length === 0) return Refusal("invalid_gist", { field: `${path}files` });
  if (entries.length > GIST_FILES_MAX)
    return Refusal("invalid_gist", { field: `${path}files`, max: GIST_FILES_MAX });
  for (const [key, value] of entries) {
    const file = gistFile.safeParse(value);
    if (!file.success) return toMisfit(file.error, `${path}files.${key}.`);
  }
  return null;
}

const toGist = ({ description, files }: z.output<typeof gist>): Gist => ({
  description: description ?? "",
  files: Object.entries(files).map(([key, file]) => toGistFile(key, file)),
});

function toGistFile(key: string, { filename, content, truncated }: z.output<typeof gistFile>): GistFile {
  const name = filename ?? key;
  if (truncated) return { name, missing: "truncated" };
  return content === null || content === undefined
    ? { name, missing: "no_content" }
    : { name, body: content };
}

const toMisfit = ({ issues }: z.ZodError, path: string) =>
  Refusal("invalid_gist", { field: `${path}${issues[0]?.path.join(".") ?? ""}`.replace(/\.$/, "") });

export function checkGistFile({ name, body }: { name: string; body: string }): Refusal | null {
  return [checkFileName(name), checkBody(body)].find(isRefusal) ?? null;
}
