import { z } from "zod";
import type { WebServices } from "#app/http/request-context.ts";
import type { Flash } from "#app/http/session/flash.ts";
import { createBoard, removeBoard, updateBoard } from "#db/boards/boards.server.ts";
import { boardRequest } from "#domain/boards/board-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";

/** A verb and, behind a colon, the board it is about. */
export const boardForm = z.object({ intent: z.string(), name: z.string().optional() });

type BoardForm = z.output<typeof boardForm>;
type Changed = { what: "created" | "renamed"; id: string; name: string } | { what: "removed"; moved: number };
type BoardChange = { services: WebServices; ownerId: string; boardId: string; name: string; now: Date };

const VERBS: Record<string, (change: BoardChange) => Promise<Changed | Refusal>> = {
  create: async ({ services: { db }, ownerId, name, now }) => {
    const checked = checkBySchema(boardRequest, { name });
    if (isRefusal(checked)) return checked;
    const board = await createBoard(db, ownerId, checked.name, now);
    return isRefusal(board) ? board : { what: "created", id: board.id, name: board.name };
  },
  rename: async ({ services: { db }, ownerId, boardId, name, now }) => {
    const checked = checkBySchema(boardRequest, { name });
    if (isRefusal(checked)) return checked;
    const board = await updateBoard(db, ownerId, boardId, checked, now);
    return isRefusal(board) ? board : { what: "renamed", id: board.id, name: board.name };
  },
  remove: async ({ services: { db }, ownerId, boardId, now }) => {
    const removed = await removeBoard(db, ownerId, boardId, now);
    return isRefusal(removed) ? removed : { what: "removed", moved: removed.moved };
  },
};

export async function changeBoards(
  services: WebServices,
  ownerId: string,
  form: BoardForm,
): Promise<Changed | Refusal> {
  const [verb = "", boardId = ""] = form.intent.split(":");
  const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!act) return Refusal("invalid_payload", { field: "intent" });
  return act({ services, ownerId, boardId, name: form.name ?? "", now: services.clock() });
}

export function describeChange(changed: Changed): Flash {
  return changed.what === "removed"
    ? { say: "board_removed", moved: changed.moved }
    : { say: "board_named", what: changed.what, name: changed.name };
}

/** After creating a board its page opens; every other action shows the list. */
export const pageAfterBoards = (changed: Changed) =>
  changed.what === "created" ? `/boards/${changed.id}` : "/boards";
