import { findFile, readBody } from "#db/files/files.server.ts";
import { saveUnderFreeName } from "#db/files/free-name.server.ts";
import { createNote, listNotes } from "#db/notes/notes.server.ts";
import { isLanguage } from "#domain/files/language.ts";
import { checkDraft } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Verb } from "./form.server.ts";

/** Actions of the menu of one file that lists of files do not have. */
export const SINGLE_VERBS: Record<string, Verb> = {
  duplicate: async ({ services: { db }, ownerId, fileId, now }) => {
    const file = await findFile(db, ownerId, fileId);
    if (!file) return Refusal("file_not_found", { file_id: fileId });
    const { file_name, folder_id, description, tags } = file;
    const body = await readBody(db, ownerId, file);
    const language = isLanguage(file.language) ? file.language : undefined;
    const copy = { file_name, folder_id, language, description, tags, body };
    const saved = await saveUnderFreeName(db, ownerId, copy, now);
    if (isRefusal(saved)) return saved;
    const flash = { say: "file_saved", name: saved.file.file_name, version: saved.version } as const;
    return { flash, goTo: `/file/${saved.file.id}` };
  },
  /** A reminder belongs to a note. The file gets one note with its name, however often the form is sent. */
  remind: async ({ services: { db, env }, ownerId, fileId, now }) => {
    const file = await findFile(db, ownerId, fileId);
    if (!file) return Refusal("file_not_found", { file_id: fileId });
    const target = { kind: "file", file_id: fileId } as const;
    const notes = await listNotes(db, ownerId, target);
    if (isRefusal(notes)) return notes;
    const known = notes.find(({ content }) => content === file.file_name);
    if (known) return { goTo: `/reminders/${known.id}` };
    const fields = checkDraft({ content: file.file_name });
    if (isRefusal(fields)) return fields;
    const note = await createNote(db, ownerId, {
      target,
      fields,
      quota: { maxPerUser: env.maxNotesPerUser },
      now,
    });
    return isRefusal(note) ? note : { goTo: `/reminders/${note.id}` };
  },
};
