import { z } from "zod";
import { decodeCursor } from "#domain/cursor.ts";
import { checkColor, NOTE_KINDS } from "#domain/notes/note.ts";
import { isRefusal } from "#domain/refusal.ts";

/** The query of the list's address. An unknown value does not filter. */
const noteQuery = z.object({
  q: z.string().default(""),
  color: z.string().optional().transform(readColor),
  kind: z.enum(NOTE_KINDS).optional().catch(undefined),
  /** Null if no list made the cursor. */
  cursor: z
    .string()
    .optional()
    .transform((text) => (text ? decodeCursor(text) : undefined)),
});

type NoteQuery = z.output<typeof noteQuery>;

function readColor(color: string | undefined): string | undefined {
  const result = color ? checkColor(color) : undefined;
  return isRefusal(result) ? undefined : result;
}

export function readNoteQuery(request: Request): NoteQuery {
  return noteQuery.parse(Object.fromEntries(new URL(request.url).searchParams));
}
