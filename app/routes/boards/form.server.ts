import { z } from "zod";
import type { WebServices } from "#app/web/request-context.ts";
import type { Flash } from "#app/web/session/flash.ts";
import { createBoard, removeBoard, updateBoard } from "#db/notes/boards/boards.server.ts";
import { boardRequest } from "#domain/boards/board-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";

/** `intent` is a verb, followed by a colon and the board it is about. */
export const boardForm = z.object({ intent: z.string(), name: z.string().optional() });

type BoardForm = z.output<typeof boardForm>;
type Outcome = { what: "created" | "renamed"; id: string; name: string } | { what: "removed"; moved: number };
type BoardChange = { services: WebServices; ownerId: string; boardId: string; name: string; now: Date };

const VERBS: Record<string, (change: BoardChange) => Promise<Outcome | Refusal>> = {
  create: async ({ services: { db }, ownerId, name, now }) => {
    const fields = checkBySchema(boardRequest, { name });
    if (isRefusal(fields)) return fields;
    const board = await createBoard(db, ownerId, fields.name, now);
    return isRefusal(board) ? board : { what: "created", id: board.id, name: board.name };
  },
  rename: async ({ services: { db }, ownerId, boardId, name, now }) => {
    const fields = checkBySchema(boardRequest, { name });
    if (isRefusal(fields)) return fields;
    const board = await updateBoard(db, ownerId, boardId, fields, now);
    return isRefusal(board) ? board : { what: "renamed", id: board.id, name: board.name };
  },
  remove: async ({ services: { db }, ownerId, boardId, now }) => {
    const result = await removeBoard(db, ownerId, boardId, now);
    return isRefusal(result) ? result : { what: "removed", moved: result.moved };
  },
};

export async function changeBoards(
  services: WebServices,
  ownerId: string,
  form: BoardForm,
): Promise<Outcome | Refusal> {
  const [verb = "", boardId = ""] = form.intent.split(":");
  const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!act) return Refusal("invalid_payload", { field: "intent" });
  return act({ services, ownerId, boardId, name: form.name ?? "", now: services.clock() });
}

export function toBoardFlash(result: Outcome): Flash {
  return result.what === "removed"
    ? { say: "board_removed", moved: result.moved }
    : { say: "board_named", what: result.what, name: result.name };
}

/** Creating a board opens it; every other action returns to the list. */
export const pageAfterBoards = (result: Outcome) =>
  result.what === "created" ? `/boards/${result.id}` : "/boards";
