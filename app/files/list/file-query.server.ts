import { z } from "zod";
import { createLimitParam, cursorParam } from "#app/web/api/shapes.server.ts";
import { readFileSortChoice, readFileViewChoice } from "#app/web/session/choices.ts";
import { parseCookies } from "#app/web/session/cookies.ts";
import {
  FILE_SORTS,
  FILES_LIMIT_MAX,
  FILES_PAGE_SIZE,
  type FileSort,
  type FileView,
} from "#domain/files/file.ts";
import { CATEGORIES, type FileQuery, ROOT_FOLDER } from "#domain/files/file-query.ts";
import { isFolderId } from "#domain/files/folders/folder-tree.ts";
import { Refusal } from "#domain/refusal.ts";
import { NEEDLE_MAX } from "#domain/text/folded.ts";
import { codePoints } from "#domain/text/text.ts";

/** An empty parameter, as forms send it, counts as missing. */
const optionalText = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional();

/** Every link of a list repeats its filters, so they must be short. */
const needle = optionalText.refine((text) => codePoints(text ?? "") <= NEEDLE_MAX, {
  message: `must have at most ${NEEDLE_MAX} characters`,
});

// A name like `q[$ne]` tries to pass an operator to a database and is refused.
const OPERATOR_NAME = /[[\]$]/;

export const fileQuery = z
  .looseObject({
    q: needle.describe("Words to find in names, descriptions, tags and texts."),
    lang: needle.describe("Name of a language, such as `python`."),
    category: needle.describe(`One of ${CATEGORIES.join(", ")}, or a tag.`),
    repo: needle.describe("Name of the mirror that the files were imported from."),
    folder: optionalText
      .refine((id) => id === undefined || id === ROOT_FOLDER || isFolderId(id), {
        message: "must be the id of a folder, or root",
      })
      .describe("Id of a folder, for the files directly in it; `root` for the files in no folder."),
    sort: z.enum(FILE_SORTS).default("created_at_desc").describe("Field and direction of the order."),
    cursor: cursorParam,
    before: optionalText.describe("Where the page ends: `prev_cursor` of the page after."),
    limit: createLimitParam(FILES_PAGE_SIZE, FILES_LIMIT_MAX),
  })
  .superRefine((query, context) => {
    for (const name of Object.keys(query).filter((name) => OPERATOR_NAME.test(name)))
      context.addIssue({ code: "custom", path: [name], message: "is not a parameter" });
  })
  .transform(
    ({ q, lang, category, repo, folder, sort, cursor, before, limit }): FileQuery => ({
      q,
      lang,
      category,
      repo,
      folder,
      sort,
      cursor,
      before,
      limit,
    }),
  );

/**
 * The order and view of a list whose address names none: as chosen in this browser, otherwise a folder by name and all files by age.
 * Recently opened files keep their order.
 */
export function readListChoices(request: Request): { sort: FileSort; view: FileView } {
  const cookies = parseCookies(request.headers.get("Cookie") ?? undefined);
  const { protocol, searchParams } = new URL(request.url);
  const secure = protocol === "https:";
  const chosen = searchParams.get("category") === "recent" ? null : readFileSortChoice(cookies, secure);
  const usual = searchParams.get("folder") ? "name_asc" : "created_at_desc";
  return { sort: chosen ?? usual, view: readFileViewChoice(cookies, secure) };
}

/** Invalid values that nobody types lead to the first page instead of an error; search words are typed and are refused. */
export function parsePageQuery(url: URL, usualSort: FileSort): FileQuery | Refusal {
  const { limit: _, ...parameters } = Object.fromEntries(url.searchParams);
  const values = { sort: usualSort, ...parameters };
  const parsed = fileQuery.safeParse(values);
  if (parsed.success) return parsed.data;
  const invalidNames = parsed.error.issues.map(({ path }) => String(path[0]));
  const typedName = invalidNames.find((name) => name === "q" || OPERATOR_NAME.test(name));
  if (typedName) return Refusal("invalid_query", { field: typedName });
  const validEntries = Object.entries(values).filter(([name]) => !invalidNames.includes(name));
  return fileQuery.parse({ sort: usualSort, ...Object.fromEntries(validEntries) });
}
