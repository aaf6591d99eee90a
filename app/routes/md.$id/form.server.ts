import { z } from "zod";
import { RENDER_MAX_LENGTH } from "#app/viewers/render-task.ts";
import type { Db } from "#db/client.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import type { SavedFile } from "#db/files/files.server.ts";
import { isLanguage } from "#domain/files/language.ts";
import { setTextTask } from "#domain/files/text-tasks.ts";
import { Refusal } from "#domain/refusal.ts";

/** The button of a task sends its index and new state; the form sends the version that was on the screen. */
export const taskForm = z.object({
  version: z.coerce.number().int().positive(),
  task: z
    .string()
    .regex(/^\d{1,6}:(?:on|off)$/)
    .transform((value) => {
      const [index, to] = value.split(":");
      return { index: Number(index), checked: to === "on" };
    }),
});

type TaskForm = z.output<typeof taskForm>;

/** Saves the text with one task changed as its next version. Refuses if the text has changed since then. */
export async function setTaskChecked(
  db: Db,
  ownerId: string,
  file_id: string,
  { version, task }: TaskForm,
  now: Date,
): Promise<SavedFile | Refusal> {
  const file = await findFile(db, ownerId, file_id);
  if (!file) return Refusal("file_not_found", { file_id });
  const body = await readBody(db, ownerId, file);
  // A longer text has no preview, and so no checkboxes.
  const newBody = body.length > RENDER_MAX_LENGTH ? null : setTextTask(body, task.index, task.checked);
  if (newBody === null || file.version !== version) return Refusal("stale_edit", { version: file.version });
  const { file_name } = file;
  const language = isLanguage(file.language) ? file.language : undefined;
  return editFile(db, ownerId, { file_name, body: newBody, language, onto: { id: file.id, version } }, now);
}
