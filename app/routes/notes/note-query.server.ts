import { z } from "zod";
import { decodeCursor } from "#domain/cursor.ts";
import { checkColor, NOTE_KINDS } from "#domain/notes/note.ts";
import { isRefusal } from "#domain/refusal.ts";

/** What the address of the list asks for. A filter that means nothing narrows nothing. */
const noteQuery = z.object({
  q: z.string().default(""),
  color: z.string().optional().transform(known),
  kind: z.enum(NOTE_KINDS).optional().catch(undefined),
  /** Null for a cursor that no list made. */
  cursor: z
    .string()
    .optional()
    .transform((text) => (text ? decodeCursor(text) : undefined)),
});

type NoteQuery = z.output<typeof noteQuery>;

function known(color: string | undefined): string | undefined {
  const checked = color ? checkColor(color) : undefined;
  return isRefusal(checked) ? undefined : checked;
}

export function readNoteQuery(request: Request): NoteQuery {
  return noteQuery.parse(Object.fromEntries(new URL(request.url).searchParams));
}
