import { z } from "zod";
import type { WebServices } from "#app/http/request-context.ts";
import { type Flash, keepRefusedForm } from "#app/http/session/flash.ts";
import { DETAIL_NAMES, mapDetails } from "#domain/files/file-details.ts";
import type { Locale } from "#domain/locale.ts";
import type { Refusal } from "#domain/refusal.ts";
import { mapKeys } from "#domain/typed-keys.ts";

/**
 * Every form that looks after files and folders sends its intent here; a button of one row adds that row's id to it
 * (`star:<id>`), so that it works inside the form of all rows. The verbs are those of the JSON API.
 */
const listed = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat()));

const EVERY_MAX = 2_000;

export const fileActionForm = z.object({
  intent: z.string().max(60),
  file_ids: listed,
  /** The query of a list, of which all files are meant, as many as a selection has. */
  every: z.string().max(EVERY_MAX).optional(),
  ...mapDetails(() => z.string().optional()),
  /** What a file is called. */
  file_name: z.string().optional(),
  /** A folder by its id or its path, `root`, or one to be made. */
  folder: z.string().optional(),
  /** Where a new folder is made, by its id or its path, or `root`. */
  parent: z.string().optional(),
  /** Files and the folders they were in, each as `file:folder`. */
  moved: listed,
  /** What a folder is called. */
  name: z.string().optional(),
  /** Of the link to a folder: whether it follows it, and how long it is there. */
  mode: z.enum(["now", "follow"]).optional(),
  lifetime: z.string().optional(),
  expires_on: z.string().optional(),
  password: z.string().optional(),
  /** Of the link to a folder: ticked to share files that may hold secrets, too. */
  with_secrets: z.string().optional(),
  at: z.coerce.number().int().min(0).max(8.64e15).optional(),
  next: z.string().optional(),
});

export type FileActionForm = z.output<typeof fileActionForm>;

/** The bar below a list has two fields for typing, and a button for each. */
const CHOSEN_FIELDS = ["tags", "folder", "name"] as const;

/** The fields that each form with something to type has. A password is typed again. */
const TYPED_FIELDS: Record<string, readonly (keyof FileActionForm)[]> = {
  "folder-create": ["name"],
  "folder-edit": ["name", "folder"],
  "folder-share": ["mode", "lifetime", "expires_on", "with_secrets"],
  describe: ["file_name", "folder", ...DETAIL_NAMES],
  tag: CHOSEN_FIELDS,
  move: CHOSEN_FIELDS,
  return: CHOSEN_FIELDS,
};

/** What goes back to the form; nothing where nothing is typed into it. */
export function keepTyped(form: FileActionForm) {
  const { intent, file_ids } = form;
  const [verb = ""] = intent.split(":");
  const names = Object.hasOwn(TYPED_FIELDS, verb) ? TYPED_FIELDS[verb] : undefined;
  if (!names) return undefined;
  const fields = mapKeys(names, (name) => (typeof form[name] === "string" ? form[name] : undefined));
  return keepRefusedForm(intent, fields, file_ids);
}

export type FileActionRequest = {
  request: Request;
  services: WebServices;
  locale(): Promise<Locale>;
  ownerId: string;
  ownZone: string | null;
  form: FileActionForm;
  /** What the intent names: a file, or the folder that the verb is about. */
  fileId: string;
  /** The folder that the intent names beside a file. */
  placeId: string;
  now: Date;
};
export type FileActionResult = { flash?: Flash; goTo?: string } | Refusal | Response;
export type Verb = (action: FileActionRequest) => Promise<FileActionResult>;
export type FileChange = Extract<Flash, { say: "files_changed" }>["what"];
