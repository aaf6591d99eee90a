import { setImmediate } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { readEachNote } from "#db/search/each-note.server.ts";
import { findLivingFileNames } from "#db/search/note-search.server.ts";
import {
  findDefiningLine,
  LINES_MAX,
  NO_HITS,
  type SearchHit,
  type SearchPart,
  type SearchRequest,
  toTitle,
} from "#db/search/search-part.ts";
import { getFirstPlainLine, plainLines } from "#domain/notes/note-markdown.ts";
import { itemAt } from "#domain/required.ts";
import { contains, type MatchingLines, matchingLines } from "#domain/search/matching-line.ts";
import { rankAll, toReadText } from "#domain/search/rank.ts";

const NOTE_READ = { title: 1, content: 1, updated_at: 1, file_id: 1 } as const;

/** Reads every note: the quota keeps them few enough for that. Notes of files in the trash are left out. */
export async function rankNotes(db: Db, request: SearchRequest, limit: number): Promise<SearchPart> {
  const { languages, tags, path, folder } = request.query;
  if (languages.length + tags.length > 0 || path !== null || folder !== null) return NO_HITS;
  type NoteRead = Pick<NoteDoc, "_id" | keyof typeof NOTE_READ>;
  const ranked = [];
  for await (const note of readEachNote<NoteRead>(db, request.ownerId, NOTE_READ)) {
    const fields = { name: note.title ?? "", description: "", tags: [], language: "markdown" };
    const text = toReadText(note.content, "markdown");
    const rank = rankAll(fields, request.needles, text);
    if (rank !== null && request.excluded.every((needle) => rankAll(fields, [needle], text) === null))
      ranked.push({ note, rank });
  }
  const living = await findLivingFileNames(
    db,
    request.ownerId,
    ranked.map(({ note }) => note.file_id),
  );
  const visible = ranked.filter(({ note: { file_id } }) => file_id === null || living.has(file_id));
  const best = visible.sort((a, b) => a.rank - b.rank).slice(0, limit);
  const needles = request.needles.map((needle) => needle.folded);
  return {
    ranks: best.map(({ rank }) => rank),
    toHits: async (places) => {
      const hits: SearchHit[] = [];
      for (const place of places) {
        const { note, rank } = itemAt(best, place);
        const text = toReadText(note.content, "markdown");
        const readable = readableLines(note.content, needles);
        const defining = findDefiningLine({ rank, text }, request.needles);
        hits.push({
          ...{ kind: "note", id: note._id.toHexString(), repo: null, language: null, tags: [] },
          path: living.get(note.file_id ?? "") ?? null,
          ...toTitle(note.title ?? getFirstPlainLine(note.content), request),
          ...removeTitleLine(note, matchingLines(readable, needles, LINES_MAX, defining)),
          isNamed: false,
          updatedAt: note.updated_at,
        });
        await setImmediate();
      }
      return hits;
    },
    count: visible.length,
    precision: "exact",
  };
}

/** A note without a title is called by its first line, which is then not shown twice. */
function removeTitleLine(
  { title, content }: Pick<NoteDoc, "title" | "content">,
  matches: MatchingLines,
): MatchingLines {
  if (title !== null) return matches;
  const first = content.slice(0, Math.max(0, content.search(/\S/))).split("\n").length;
  const lines = matches.lines.filter(({ number }) => number !== first);
  return { lines, lineCount: matches.lineCount - (matches.lines.length - lines.length) };
}

/** Returns the lines without Markdown marks. A line keeps them if they are part of a match. */
function readableLines(content: string, needles: readonly string[]): string {
  return content
    .split("\n")
    .map((line) => {
      const plain = plainLines(line.trim());
      const hides = needles.some((needle) => contains(line, needle) && !contains(plain, needle));
      return hides || plain.includes("\n") ? line : plain;
    })
    .join("\n");
}
