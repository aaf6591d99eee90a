/** A library of many files of every kind, written directly to the store. */

import { ObjectId } from "mongodb";
import type { FileDoc } from "#db/files/documents.ts";
import { keyedTags } from "#db/files/tags.server.ts";
import { NO_DETAILS } from "#domain/files/file-details.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { LARGE_BYTES } from "#domain/files/file-query.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { itemAt } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";

const LANGUAGES = ["python", "go", "rust", "text"];

/** Every tenth file is in the trash; each property repeats with a period of its own. */
export function manyFiles(user_id: string, count: number): FileDoc[] {
  return Array.from({ length: count }, (_, i): FileDoc => {
    const created_at = new Date(NOON.getTime() - i * 37 * MINUTE_MS);
    const deleted_at = i % 10 === 7 ? new Date(NOON.getTime() - i * 1000) : null;
    return {
      _id: new ObjectId(),
      user_id,
      file_name: `file-${i}.txt`,
      name_order: toNameOrder(`file-${i}.txt`),
      language: itemAt(LANGUAGES, i % LANGUAGES.length),
      ...NO_DETAILS,
      ...keyedTags(["web", "work", "draft", "old", "new"].filter((_, index) => i % (index + 2) === 0)),
      repo: i % 3 === 0 ? `o/${["one", "two"][i % 2]}` : null,
      source_url: null,
      version: 1,
      last_version: 1,
      size_bytes: i % 11 === 0 ? LARGE_BYTES + i : 100 + i,
      lines: 1 + (i % 9),
      is_favorite: i % 5 === 0,
      is_pinned: i % 401 === 0 || i === 7,
      created_at,
      updated_at: new Date(Math.floor(created_at.getTime() / DAY_MS) * DAY_MS),
      last_opened_at: i % 4 === 0 || i % 70 === 7 ? new Date(created_at.getTime() + MINUTE_MS) : null,
      deleted_at,
      expires_at: deleted_at && new Date(NOON.getTime() + 30 * DAY_MS),
      ...(deleted_at ? { expiring: true } : {}),
      n: i,
    };
  });
}

/** Every filter of a list, alone and combined. */
export const NARROWINGS: FileNarrowing[] = [undefined, "python"].flatMap((lang) =>
  [undefined, "recent", "favorites", "pinned", "repo", "large", "other", "web"].flatMap((category) =>
    [undefined, "o/one"].map((repo) => ({ lang, category, repo })),
  ),
);

const CATEGORIES: Record<string, (file: FileDoc) => boolean> = {
  recent: ({ last_opened_at }) => last_opened_at !== null,
  favorites: ({ is_favorite }) => is_favorite,
  pinned: ({ is_pinned }) => is_pinned,
  repo: ({ repo }) => repo !== null,
  large: ({ size_bytes }) => size_bytes >= LARGE_BYTES,
  other: ({ repo }) => repo === null,
};

/** The expected list, by looking at every file. */
export function narrowed(files: FileDoc[], { lang, category, repo }: FileNarrowing): FileDoc[] {
  const isMeant = (file: FileDoc) =>
    (lang === undefined || file.language === lang) &&
    (repo === undefined || file.repo === repo) &&
    (category === undefined || (CATEGORIES[category]?.(file) ?? file.tags.includes(category)));
  return files.filter((file) => file.deleted_at === null && isMeant(file));
}
