import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import type { ImportedSettings } from "#domain/library-zip/export-format.ts";

/** Applies the settings that the person has not chosen yet. */
export async function importSettings(
  db: Db,
  ownerId: string,
  settings: Omit<ImportedSettings, "folders">,
): Promise<void> {
  const {
    locale,
    timezone,
    keyboard_shortcuts,
    keep_run_results,
    dismissed_announcements,
    agent_instructions,
  } = settings;
  const unchosen: [filter: object, set: object | null][] = [
    [{ locale: null }, locale ? { locale } : null],
    [{ timezone: null }, timezone ? { timezone } : null],
    [{ keyboard_shortcuts: { $exists: false } }, keyboard_shortcuts === null ? null : { keyboard_shortcuts }],
    [{ keep_run_results: { $exists: false } }, keep_run_results === null ? null : { keep_run_results }],
    [
      { dismissed_announcements: { $exists: false } },
      dismissed_announcements.length > 0 ? { dismissed_announcements } : null,
    ],
    [{}, settings.has_seen_welcome_modal ? { has_seen_welcome_modal: true } : null],
  ];
  for (const [filter, set] of unchosen)
    if (set) await db.users.updateOne({ _id: ownerId, ...filter }, { $set: set });
  if (!agent_instructions) return;
  try {
    await db.agent_instructions.insertOne({ _id: ownerId, ...agent_instructions });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
