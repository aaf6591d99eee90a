import { z } from "zod";
import { BATCH_MAX, TARGET_FIELDS, type TargetClaims } from "#domain/notes/note.ts";
import {
  NOT_A_NOTE,
  type NoteChanges,
  noteChanges,
  objectIssue,
  withoutUndefined,
  wrongType,
} from "#domain/notes/note-schema.ts";
import type { Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { checkBySchema, cutList, defaultToEmptyObject, toRefusal, toRefusalText } from "#domain/schema.ts";
import { createMomentSchema } from "#domain/time/moment-schema.ts";
import { hasItem, isObject, mapKeys } from "#domain/typed-keys.ts";
import { opaqueId } from "#domain/wire-shapes.ts";

/** Requests about notes: fields to set, the state of the note that the client saw, and the target that it expects. */
const prev_updated_at = createMomentSchema(
  toRefusalText("invalid_prev_updated_at", { field: "prev_updated_at" }),
)
  .nullish()
  .meta({ description: "The moment of the state that this changes; another state refuses it." });

export function checkPrevUpdatedAt(value: unknown): Date | undefined | Refusal {
  return checkBySchema(prev_updated_at, value) ?? undefined;
}

const claim = z.unknown().optional().meta({ description: "Where the note is; any other place is refused." });
const claims = mapKeys(TARGET_FIELDS, () => claim);
const updateShape = { prev_updated_at, ...claims, ...noteChanges.shape };

export type NoteUpdate = { changes: NoteChanges; prev: Date | undefined; claims: TargetClaims };

const isClaim = (name: string) => hasItem(TARGET_FIELDS, name);

function toNoteUpdate({ prev_updated_at, ...fields }: z.output<z.ZodObject<typeof updateShape>>): NoteUpdate {
  const entries = Object.entries(withoutUndefined(fields));
  return {
    // Without the claims, these are the fields that the schema of changes accepted.
    changes: Object.fromEntries(entries.filter(([name]) => !isClaim(name))) as NoteChanges,
    prev: prev_updated_at ?? undefined,
    claims: Object.fromEntries(entries.filter(([name]) => isClaim(name))),
  };
}

export const noteUpdate = z
  .strictObject(updateShape, { error: objectIssue(NOT_A_NOTE) })
  .meta({ id: "NoteUpdate" })
  .transform(toNoteUpdate);

/** A new note follows no state, so `prev_updated_at` is checked and not used. */
export const noteInput = z
  .strictObject(
    { ...updateShape, prev_updated_at: prev_updated_at.meta({ description: "Not used for a new note." }) },
    { error: objectIssue(NOT_A_NOTE) },
  )
  .meta({ id: "NoteInput" })
  .transform(toNoteUpdate);

export type BatchedUpdate = { id: string | null; update: NoteUpdate | Refusal };

const NO_ID = toRefusalText("invalid_payload", {
  field: "id",
  message: "Each update needs the id of a note.",
});
const findId = (input: unknown) => (isObject(input) && typeof input.id === "string" ? input.id : null);

/** One of several updates. A failure is its own result and does not refuse the others. */
const { id: _, ...unnamedUpdate } = updateShape;
const batchedUpdate = z
  .strictObject(
    { id: z.string(NO_ID).meta(opaqueId.meta() ?? {}), ...unnamedUpdate },
    { error: objectIssue(NO_ID) },
  )
  .transform((update): BatchedUpdate => ({ id: update.id, update: toNoteUpdate(update) }))
  .catch(({ error, input }) => ({ id: findId(input), update: toRefusal(itemAt(error.issues, 0)) }));

const WRONG_BATCH = toRefusalText("invalid_payload", {
  field: "updates",
  max: BATCH_MAX,
  message: `updates must be a list of 1 to ${BATCH_MAX} notes.`,
});

export const noteBatch = z.preprocess(
  cutList("updates", { max: BATCH_MAX }),
  z.object({ updates: z.array(batchedUpdate, WRONG_BATCH).min(1).max(BATCH_MAX) }, WRONG_BATCH),
);

export const taskTick = z
  .object(
    {
      index: z.int(wrongType("index", "a whole number from 0 on")).min(0),
      checked: z.boolean(wrongType("checked", "true or false")),
      prev_updated_at,
    },
    toRefusalText("invalid_payload"),
  )
  .transform(({ prev_updated_at, ...tick }) => ({ ...tick, prev: prev_updated_at ?? undefined }));

/** The state that a change without other fields follows. */
export const noteState = defaultToEmptyObject(z.object({ prev_updated_at }));

export const contentRestore = defaultToEmptyObject(
  z.object({
    updated_at: createMomentSchema(toRefusalText("invalid_payload", { field: "updated_at" })),
    prev_updated_at,
  }),
);

export const noteMove = defaultToEmptyObject(
  z.object({
    board_id: z.string(wrongType("board_id", "text")).meta(opaqueId.meta() ?? {}),
    position: noteChanges.shape.position,
  }),
);

export const noteReattachment = defaultToEmptyObject(
  z.object({ repo_path: z.string(wrongType("repo_path", "text")), prev_updated_at }),
);
