import { z } from "zod";
import type { WebServices } from "#app/web/request-context.ts";
import { type Flash, toRefusedFormFields } from "#app/web/session/flash.ts";
import { DETAIL_NAMES, mapDetails } from "#domain/files/file-details.ts";
import type { Locale } from "#domain/locale.ts";
import type { Refusal } from "#domain/refusal.ts";
import { mapKeys } from "#domain/typed-keys.ts";

/**
 * All forms on files and folders post their intent here. A button of one row adds that row's id to it (`star:<id>`), so that it works
 * inside the form of all rows. The verbs are those of the JSON API.
 */
const textList = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat()));

const EVERY_MAX = 2_000;

export const fileActionForm = z.object({
  intent: z.string().max(60),
  file_ids: textList,
  /** The query of a list to select all its files, up to the limit of a selection. */
  every: z.string().max(EVERY_MAX).optional(),
  ...mapDetails(() => z.string().optional()),
  file_name: z.string().optional(),
  /** A folder by its id or path, `root`, or a new one. */
  folder: z.string().optional(),
  /** The parent of a new folder, by its id or path, or `root`. */
  parent: z.string().optional(),
  /** Files and their previous folders, each as `file:folder`. */
  moved: textList,
  name: z.string().optional(),
  /** For a link to a folder: if it follows later changes, and when it expires. */
  mode: z.enum(["now", "follow"]).optional(),
  lifetime: z.string().optional(),
  expires_on: z.string().optional(),
  password: z.string().optional(),
  /** For a link to a folder: ticked to include files that may contain secrets. */
  with_secrets: z.string().optional(),
  at: z.coerce.number().int().min(0).max(8.64e15).optional(),
  next: z.string().optional(),
});

export type FileActionForm = z.output<typeof fileActionForm>;

/** The bar below a list has two text fields with a button each. */
const CHOSEN_FIELDS = ["tags", "folder", "name"] as const;

/** The fields of each form that has something to type. A password has to be typed again. */
const TYPED_FIELDS: Record<string, readonly (keyof FileActionForm)[]> = {
  "folder-create": ["name"],
  "folder-edit": ["name", "folder"],
  "folder-share": ["mode", "lifetime", "expires_on", "with_secrets"],
  describe: ["file_name", "folder", ...DETAIL_NAMES],
  tag: CHOSEN_FIELDS,
  move: CHOSEN_FIELDS,
  return: CHOSEN_FIELDS,
};

export function keepTypedFields(form: FileActionForm) {
  const { intent, file_ids } = form;
  const [verb = ""] = intent.split(":");
  const names = Object.hasOwn(TYPED_FIELDS, verb) ? TYPED_FIELDS[verb] : undefined;
  if (!names) return undefined;
  const fields = mapKeys(names, (name) => (typeof form[name] === "string" ? form[name] : undefined));
  return toRefusedFormFields(intent, fields, file_ids);
}

export type FileActionRequest = {
  request: Request;
  services: WebServices;
  locale(): Promise<Locale>;
  ownerId: string;
  ownZone: string | null;
  form: FileActionForm;
  fileId: string;
  placeId: string;
  now: Date;
};
export type FileActionResult = { flash?: Flash; goTo?: string } | Refusal | Response;
export type Verb = (action: FileActionRequest) => Promise<FileActionResult>;
export type FileChange = Extract<Flash, { say: "files_changed" }>["what"];
