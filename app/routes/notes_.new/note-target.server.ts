import type { LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import { type newNoteForm, toFormFields } from "#app/notes/note-edit-form.server.ts";
import type { Choice, TypedNote } from "#app/notes/note-fields.tsx";
import { toNotedRepoFile } from "#app/notes/noted-file.ts";
import { findHeadings } from "#app/viewers/markdown/markdown-page.server.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { type BoardRecord, findBoard, listBoards } from "#db/notes/boards/boards.server.ts";
import { listNotes } from "#db/notes/notes.server.ts";
import { findRepoFileRefusal } from "#db/notes/repos/repo-notes.server.ts";
import { freeSpot } from "#domain/boards/free-spot.ts";
import type { NoteKind, NoteTarget } from "#domain/notes/note.ts";
import { checkNewNote, NEW_NOTE, type NoteFields } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { parseLineRange } from "#domain/text/line-range.ts";

type NewNoteTarget = {
  target: NoteTarget;
  kind: NoteKind;
  name: string | null;
  typed: TypedNote;
  boards: Pick<BoardRecord, "id" | "name" | "is_default">[];
  headings: Choice[] | null;
  back: string;
};

type Args = Pick<LoaderFunctionArgs, "request" | "context">;

/**
 * Finds the file, repository or board that a new note belongs to. A board selected in the form takes precedence over the one in the
 * address.
 */
export async function findNewNoteTarget(
  args: Args,
  ownerId: string,
  chosenBoard = "",
): Promise<NewNoteTarget | Refusal> {
  const params = new URL(args.request.url).searchParams;
  const fileId = params.get("file");
  const repoName = params.get("repo");
  if (fileId) return findFileTarget(args, ownerId, fileId, params);
  if (repoName) return findRepoTarget(args, ownerId, repoName, params);
  return findBoardTarget(args, ownerId, chosenBoard || (params.get("board") ?? ""));
}

async function findRepoTarget(
  { context }: Args,
  ownerId: string,
  repo_name: string,
  params: URLSearchParams,
): Promise<NewNoteTarget | Refusal> {
  const target = { kind: "repo", repo_name, repo_path: params.get("path") ?? "" } as const;
  const refusal = await findRepoFileRefusal(context.services.db, ownerId, target);
  if (refusal) return refusal;
  const lines = parseLineRange(params.get("L"));
  const note = { ...NEW_NOTE, line_start: lines?.from ?? null, line_end: lines?.to ?? null };
  return {
    target,
    kind: "repo",
    name: `${repo_name}/${target.repo_path}`,
    typed: toFormFields({ ...note, board_id: null }),
    boards: [],
    headings: null,
    back: toNotedRepoFile(repo_name, target.repo_path).page,
  };
}

async function findFileTarget(
  { context }: Args,
  ownerId: string,
  file_id: string,
  params: URLSearchParams,
): Promise<NewNoteTarget | Refusal> {
  const { db } = context.services;
  const file = await findFile(db, ownerId, file_id);
  if (!file) return Refusal("file_not_found", { file_id });
  const heading = params.get("heading");
  const headings =
    heading !== null && file.language === "markdown"
      ? await findHeadings(context, ownerId, await readBody(db, ownerId, file))
      : null;
  const lines = parseLineRange(params.get("L"));
  const note = { ...NEW_NOTE, line_start: lines?.from ?? null, line_end: lines?.to ?? null };
  return {
    target: { kind: "file", file_id },
    kind: "file",
    name: file.file_name,
    typed: toFormFields({ ...note, anchor_id: headings ? heading : null, board_id: null }),
    boards: [],
    headings: headings?.map(({ id, text }) => ({ id, name: text || id })) ?? null,
    back: headings ? `/md/${file_id}` : `/file/${file_id}`,
  };
}

async function findBoardTarget(
  { context }: Args,
  ownerId: string,
  boardId: string,
): Promise<NewNoteTarget | Refusal> {
  const { db, clock } = context.services;
  const boards = await listBoards(db, ownerId, clock());
  const board = boardId === "" ? itemAt(boards, 0) : await findBoard(db, ownerId, boardId);
  if (!board) return Refusal("board_not_found", { board_id: boardId });
  const target = { kind: "board", board_id: board.id } as const;
  const notes = await listNotes(db, ownerId, target);
  if (isRefusal(notes)) return notes;
  const position = freeSpot(notes, NEW_NOTE.size);
  return {
    target,
    kind: "board",
    name: null,
    typed: toFormFields({ ...NEW_NOTE, position, board_id: board.id }),
    boards: boards.map(({ id, name, is_default }) => ({ id, name, is_default })),
    headings: null,
    back: `/boards/${board.id}`,
  };
}

export function toNoteFields(
  form: z.output<typeof newNoteForm>,
  target: NewNoteTarget,
): NoteFields | Refusal {
  const { typed, headings } = target;
  const number = (name: "x" | "y" | "width" | "height") => Number(form[name].trim() || typed[name]);
  const line = (text: string) => (text.trim() === "" ? null : Number(text));
  const heading = headings?.find(({ id }) => id === form.anchor_id);
  return checkNewNote({
    title: form.title,
    content: form.content,
    color: form.color === "own" ? form.own_color : form.color || undefined,
    is_minimized: form.minimized === "on",
    ...(target.kind === "board"
      ? {
          position: { x: number("x"), y: number("y") },
          size: { width: number("width"), height: number("height") },
        }
      : headings
        ? { anchor_id: heading?.id ?? null, anchor_text: heading?.name ?? null }
        : { line_start: line(form.line_start), line_end: line(form.line_end) }),
  });
}
