import { z } from "zod";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { checkFileName, decodeBody } from "#domain/files/file.ts";
import { mapDetails, omitEmptyDetails, parseDetails } from "#domain/files/file-details.ts";
import { type FilePath, parseFilePath } from "#domain/files/folders/file-path.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isZipName } from "#domain/library-zip/code-zip.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { plainLineEnds } from "#domain/text/line-ends.ts";

const text = z.string().default("");
// An empty file input is sent as one empty text.
const chosenFiles = z.preprocess(
  (files) => [files].flat().filter((file) => file !== undefined && file !== ""),
  z.array(z.instanceof(File)),
);

export const uploadForm = z.object({
  files: chosenFiles,
  file_name: text,
  text,
  language: text,
  /** The destination folder, by its id or path; empty or `root` for the root. */
  folder: text,
  ...mapDetails(() => text),
  shared_title: text,
  shared_text: text,
  shared_url: text,
});

type UploadForm = z.output<typeof uploadForm>;

/** Returns the uploaded zip, if nothing else was sent. */
export function findChosenZip({ files: [first, ...others], text, file_name }: UploadForm): File | null {
  const isAlone = first !== undefined && others.length === 0 && text === "" && file_name === "";
  return isAlone && isZipName(first.name) ? first : null;
}

/** A file to be saved, and the folders below the selected one that its typed name contains. */
export type PlacedFile = { file: Omit<FileToSave, "folder_id">; folders: string[] };

/** Reads the files to save: the uploaded ones and the pasted text. Unsuitable ones are left out, unless there are no others. */
export async function readFilesToSave(
  form: UploadForm,
): Promise<{ placed: PlacedFile[]; left: Refusal[] } | Refusal> {
  const details = parseDetails(form);
  if (isRefusal(details)) return details;
  if (form.language !== "" && !isLanguage(form.language)) return Refusal("unknown_language");
  const language = form.language === "" ? undefined : form.language;
  const about = { language, ...omitEmptyDetails(details) };

  const [chosen, typed] = [await readUploadedFiles(form.files), readPasted(form)];
  if (isRefusal(typed)) return typed;
  const unsuitable = chosen.filter(isRefusal);
  const drafts = [...chosen, ...(typed ? [typed] : [])].flatMap((draft) => (isRefusal(draft) ? [] : [draft]));
  if (drafts.length === 0) return unsuitable[0] ?? Refusal("no_files");
  const files = drafts.map(({ folders, ...file }) => ({ file: { ...file, ...about }, folders }));
  return { placed: files, left: unsuitable };
}

const TITLE_NAME_MAX = 60;

/**
 * Prefills the form with what another app shared: its text, under a name made from its title, to be reviewed before it is saved. Null if
 * files were shared, which have their own names, or if nothing was shared.
 */
export function readSharedText(form: UploadForm): { file_name: string; text: string } | null {
  const texts = [...new Set([form.shared_text, form.shared_url])].filter((text) => text !== "");
  if (form.files.length > 0 || (texts.length === 0 && form.shared_title === "")) return null;
  const baseName = form.shared_title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, TITLE_NAME_MAX);
  return {
    file_name: `${baseName.replace(/^-+|-+$/g, "") || "shared"}.txt`,
    text: texts.join("\n") || form.shared_title,
  };
}

type Draft = FilePath & { body: string };

async function readUploadedFiles(files: File[]): Promise<(Draft | Refusal)[]> {
  const chosen = files.filter((file) => file.name !== "" || file.size > 0);
  return Promise.all(
    chosen.map(async (file) =>
      toDraft(toSingleNamePath(file.name), decodeBody(await file.bytes()), file.name),
    ),
  );
}

/** Checks the name of an uploaded file, which is never read as a path. */
function toSingleNamePath(name: string): FilePath | Refusal {
  const file_name = checkFileName(name);
  return isRefusal(file_name) ? file_name : { folders: [], file_name };
}

// Browsers send the lines of a text field with CRLF.
function readPasted(form: UploadForm): Draft | Refusal | null {
  if (form.text === "" && form.file_name === "") return null;
  return toDraft(parseFilePath(form.file_name), plainLineEnds(form.text));
}

/** Turns a path and a text into a file to save. `shownAs` names the file in a refusal, if its name is not valid. */
function toDraft(path: FilePath | Refusal, body: string | Refusal, shownAs?: string): Draft | Refusal {
  if (isRefusal(path))
    return shownAs === undefined ? path : Refusal(path.refused, { ...path.context, file_name: shownAs });
  const { file_name } = path;
  if (!isRefusal(body)) return { ...path, body };
  return isZipName(file_name)
    ? Refusal("zip_among_files", { file_name })
    : Refusal(body.refused, { ...body.context, file_name });
}
