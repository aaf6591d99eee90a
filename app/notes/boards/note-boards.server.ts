import { z } from "zod";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import {
  countNotesByBoard,
  createBoard,
  listBoardsWithCounts,
  removeBoard,
  updateBoard,
} from "#db/notes/boards/boards.server.ts";
import { boardRequest } from "#domain/boards/board-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";

const boardShape = z
  .object({
    id: opaqueId,
    name: z.string(),
    is_default: z.boolean(),
    notes: count,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Board" });
const boardAnswer = z.object({ ok, board: boardShape });

export const boardEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/note-boards",
    gate: "user",
    summary: "List boards",
    returns: { 200: z.object({ ok, boards: z.array(boardShape) }) },
    answer: async ({ services: { db, clock }, signedIn: { user } }) => {
      const boards = await listBoardsWithCounts(db, user.id, clock());
      return { ok: true, boards: boards.map(writeTimestamps) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/note-boards",
    gate: "user",
    summary: "Create a board",
    refuses: ["invalid_board_name", "board_quota_exceeded"],
    returns: { 201: boardAnswer },
    body: boardRequest,
    answer: async ({ services: { db, clock }, signedIn: { user }, body }) => {
      const board = await createBoard(db, user.id, body.name, clock());
      if (isRefusal(board)) return board;
      return Response.json({ ok: true, board: writeTimestamps({ ...board, notes: 0 }) }, { status: 201 });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/api/note-boards/:board_id",
    gate: "user",
    summary: "Rename a board",
    refuses: ["invalid_board_name"],
    returns: { 200: boardAnswer },
    body: boardRequest,
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { board_id }, body }) => {
      const board = await updateBoard(db, user.id, board_id, body, clock());
      if (isRefusal(board)) return board;
      const counts = await countNotesByBoard(db, user.id);
      return { ok: true, board: writeTimestamps({ ...board, notes: counts.get(board_id) ?? 0 }) };
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/note-boards/:board_id",
    gate: "user",
    summary: "Delete a board; its notes move to the default board",
    refuses: ["cannot_delete_default"],
    returns: { 200: z.object({ ok, moved: count }) },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { board_id } }) => {
      const result = await removeBoard(db, user.id, board_id, clock());
      return isRefusal(result) ? result : { ok: true, moved: result.moved };
    },
  }),
]);
