import { z } from "zod";
import { toCookieHeader, toCookieName } from "#app/web/session/cookies.ts";
import { readSignedValue, signValue } from "#app/web/session/signed-value.ts";
import { CREDENTIAL_KINDS } from "#domain/accounts/credential.ts";
import { QUICK_FIX_ACTIONS } from "#domain/alerts/quick-fixes.ts";
import { type FileDetails, mapDetails, toTypedDetails } from "#domain/files/file-details.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { REASONS } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { listKeys } from "#domain/typed-keys.ts";

const FILE_CHANGES = [
  "restored",
  "purged",
  "emptied",
  "favored",
  "unfavored",
  "tagged",
  "pinned",
  "unpinned",
  "described",
  "sampled",
  "moved_back",
] as const;
const REFUSALS = listKeys(REASONS);

/** A cookie has room for this many ids; for more files no Undo is offered. */
const UNDO_MAX = 40;
const undoable = z.array(z.string()).optional();

export const offerUndo = (names: readonly string[]): string[] | undefined =>
  names.length <= UNDO_MAX ? [...names] : undefined;

/** The name, folder and details of a file before a change, as its form sends them. */
const formerDetails = z.object({
  file_id: z.string(),
  file_name: z.string(),
  folder: z.string(),
  ...mapDetails(() => z.string()),
});
export type FormerDetails = z.output<typeof formerDetails>;

/** Longer details leave no room in a cookie for the other fields. */
const FORMER_DETAILS_MAX_BYTES = 1_500;

type DescribedFile = FileDetails & { id: string; file_name: string; folder_id: string | null };

export function toFormerDetails(file: DescribedFile): FormerDetails | undefined {
  const { id: file_id, file_name, folder_id } = file;
  const former = { file_id, file_name, folder: folder_id ?? ROOT_FOLDER, ...toTypedDetails(file) };
  return utf8Bytes(JSON.stringify(former)) <= FORMER_DETAILS_MAX_BYTES ? former : undefined;
}

const typedForm = z.object({
  intent: z.string(),
  fields: z.record(z.string(), z.string()),
  chosen: undoable,
});

/** Longer texts leave no room in a cookie for the other fields. */
const TYPED_MAX_BYTES = 1_500;

/** Returns the typed fields of a refused form, to be shown again on its page. A field that is too long for the cookie is left out. */
export function toRefusedFormFields(
  intent: string,
  typed: Readonly<Record<string, string | undefined>>,
  chosen: readonly string[] = [],
): z.output<typeof typedForm> {
  let room = TYPED_MAX_BYTES;
  const fields: Record<string, string> = {};
  for (const [name, text] of Object.entries(typed)) {
    const bytes = utf8Bytes(JSON.stringify(text ?? ""));
    if (text === undefined || bytes > room) continue;
    fields[name] = text;
    room -= bytes;
  }
  return { intent, fields, chosen: offerUndo(chosen) };
}

const flash = z.discriminatedUnion("say", [
  z.object({ say: z.literal("logged_in") }),
  /** `provider`: where the person may still be logged in. */
  z.object({ say: z.literal("logged_out"), provider: z.string().optional() }),
  z.object({ say: z.literal("logged_out_everywhere") }),
  z.object({
    say: z.literal("file_saved"),
    name: z.string(),
    version: z.number(),
    created: undoable,
    replaced: z.string().optional(),
  }),
  z.object({ say: z.literal("no_changes") }),
  z.object({
    say: z.literal("version_restored"),
    name: z.string(),
    from: z.number(),
    version: z.number(),
  }),
  z.object({ say: z.literal("files_saved"), count: z.number(), created: undoable }),
  z.object({
    say: z.literal("files_trashed"),
    count: z.number(),
    at: z.number(),
    name: z.string().optional(),
  }),
  z.object({
    say: z.literal("files_changed"),
    what: z.enum(FILE_CHANGES),
    count: z.number(),
    name: z.string().optional(),
    undo: formerDetails.optional(),
  }),
  z.object({
    say: z.literal("files_moved"),
    count: z.number(),
    name: z.string().optional(),
    moved: undoable,
  }),
  z.object({
    say: z.literal("folder_changed"),
    what: z.enum(["created", "saved", "restored"]),
    name: z.string(),
    count: z.number(),
    undo: z.object({ folder_id: z.string(), name: z.string(), parent: z.string() }).optional(),
  }),
  z.object({
    say: z.literal("folder_trashed"),
    folder_id: z.string(),
    name: z.string(),
    count: z.number(),
  }),
  z.object({
    say: z.literal("reminded"),
    what: z.enum(["set", "done", "removed", "zoned"]),
    note_id: z.string().optional(),
    at: z.number().optional(),
    /** The time before the change, which Undo restores; null if there was no reminder. */
    before: z.string().nullable().optional(),
  }),
  z.object({
    say: z.literal("task_ticked"),
    file_id: z.string(),
    version: z.number(),
    index: z.number(),
    checked: z.boolean(),
  }),
  z.object({ say: z.literal("note_saved") }),
  z.object({ say: z.literal("note_removed"), note_id: z.string(), name: z.string() }),
  z.object({
    say: z.literal("note_moved"),
    note_id: z.string(),
    name: z.string(),
    place: z.object({ name: z.string(), is_default: z.boolean() }),
    /** Its position on the board before; null if it was on a file, which the note itself remembers. */
    from: z.object({ board_id: z.string(), x: z.number(), y: z.number() }).nullable(),
  }),
  z.object({ say: z.literal("note_unremoved"), name: z.string() }),
  z.object({ say: z.literal("note_restored") }),
  z.object({ say: z.literal("board_named"), what: z.enum(["created", "renamed"]), name: z.string() }),
  z.object({ say: z.literal("board_removed"), moved: z.number() }),
  z.object({
    say: z.literal("shared"),
    count: z.number(),
    name: z.string().optional(),
    /** Set if only part of the file is shared. */
    lines: z.string().optional(),
    url: z.string().optional(),
  }),
  z.object({ say: z.literal("share_revoked") }),
  z.object({
    say: z.literal("refused"),
    code: z.enum(REFUSALS),
    /** The texts of the refused form and the selected rows, to be corrected. */
    typed: typedForm.optional(),
  }),
  z.object({ say: z.literal("token_revoked") }),
  z.object({ say: z.literal("feed_revoked") }),
  z.object({ say: z.literal("settings"), what: z.enum(["instructions", "deleted"]) }),
  z.object({ say: z.literal("sessions_ended"), count: z.number() }),
  z.object({ say: z.literal("identity_changed"), what: z.enum(["joined", "parted"]) }),
  z.object({ say: z.literal("credential_ended"), kind: z.enum(CREDENTIAL_KINDS) }),
  z.object({ say: z.literal("devices_removed"), count: z.number() }),
  z.object({ say: z.literal("push_tested"), sent: z.number(), errors: z.number() }),
  z.object({
    say: z.literal("person_changed"),
    what: z.enum(["role", "revoke", "lock", "unlock", "uninvite", "approve", "decline"]),
  }),
  z.object({ say: z.literal("quick_fixed"), what: z.enum(QUICK_FIX_ACTIONS) }),
  z.object({ say: z.literal("indexes_built"), built: z.number(), failed: z.number() }),
  z.object({ say: z.literal("repo"), what: z.enum(["mirrored", "syncing", "unmirrored"]), name: z.string() }),
  z.object({ say: z.literal("host_upload"), path: z.string(), sync_queued: z.boolean() }),
  z.object({ say: z.literal("reattached"), count: z.number(), path: z.string() }),
  z.object({ say: z.literal("job_queued"), job_id: z.string() }),
  z.object({ say: z.literal("runs_retried"), count: z.number() }),
  z.object({ say: z.literal("runs_dismissed"), count: z.number() }),
  z.object({ say: z.literal("runs_restored"), count: z.number() }),
]);

export type Flash = z.output<typeof flash>;

const FLASH_COOKIE = "flash";
const PURPOSE = "flash";
const LIFETIME_SECONDS = 60;

export function toFlashCookie(message: Flash, secure: boolean, secret: string): string {
  const text = Buffer.from(JSON.stringify(message)).toString("base64url");
  return toCookieHeader(FLASH_COOKIE, signValue(secret, PURPOSE, text), {
    maxAgeSeconds: LIFETIME_SECONDS,
    secure,
  });
}

export function toClearedFlashCookie(secure: boolean): string {
  return toCookieHeader(FLASH_COOKIE, "", { maxAgeSeconds: 0, secure });
}

export const readFlashCookie = (cookies: Map<string, string>, secure: boolean) =>
  cookies.get(toCookieName(FLASH_COOKIE, { secure }));

export function readFlash(cookie: string, secret: string): Flash | null {
  const text = readSignedValue(secret, PURPOSE, cookie);
  if (text === null) return null;
  return flash.safeParse(JSON.parse(Buffer.from(text, "base64url").toString())).data ?? null;
}
