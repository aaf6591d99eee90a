/** Notes as their owners would have made them, put straight into the store. */
import type { Db } from "#db/client.ts";
import { createNote, type NoteRecord } from "#db/notes/notes.server.ts";
import type { NoteTarget } from "#domain/notes/note.ts";
import { NEW_NOTE, type NoteFields } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { NOON } from "#tests/support/store.ts";

const ON_A_REPOSITORY: NoteTarget = { kind: "repo", repo_name: "dana/tools", repo_path: "src/main.py" };

export async function givenNote(
  db: Db,
  ownerId: string,
  fields: Partial<NoteFields> = {},
  target = ON_A_REPOSITORY,
): Promise<NoteRecord> {
  const note = await createNote(db, ownerId, {
    target,
    fields: { ...NEW_NOTE, mode: "surface", ...fields },
    quota: { maxPerUser: 1000 },
    now: NOON,
  });
  if (isRefusal(note)) throw new Error(`No note: ${note.refused}`);
  return note;
}
