import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { BoardRows, useBoardName } from "#app/notes/boards/board-rows.tsx";
import { MoveToBoard } from "#app/notes/boards/board-tabs.tsx";
import { useNoteName } from "#app/notes/note-card.tsx";
import { findNotePageAddress } from "#app/notes/note-page.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/notes/boards.css?url";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { listBoardsWithCounts } from "#db/notes/boards/boards.server.ts";
import { findNote } from "#db/notes/notes.server.ts";
import { BEGINNING } from "#domain/notes/note-markdown.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { boardForm, changeBoards, pageAfterBoards, toBoardFlash } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const [boards, movedNote] = await Promise.all([
    listBoardsWithCounts(db, user.id, clock()),
    findNoteToMove(args.context.services, user.id, args.request),
  ]);
  return json({
    boards: boards.map(({ id, name, is_default, notes }) => ({ id, name, is_default, notes })),
    moved: movedNote,
  });
}

async function findNoteToMove({ db }: WebServices, ownerId: string, { url }: Request) {
  const noteId = new URL(url).searchParams.get("move");
  const note = noteId === null ? null : await findNote(db, ownerId, noteId);
  if (!note || note.kind === "board") return null;
  const page = (await findNotePageAddress(db, ownerId, note)).replace(/#.*/, "");
  return { id: note.id, title: note.title, beginning: note.content.slice(0, BEGINNING), page };
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, boardForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const result = await changeBoards(args.context.services, user.id, form);
  if (isRefusal(result)) return answerRefusal(args.request, result, form);
  args.context.session.flash(toBoardFlash(result));
  return answerSuccess(args.request, { ok: true }, pageAfterBoards(result));
}

type RefusedBoard = { refusal: RefusalBody; typed: { intent: string; name?: string } | null };

export const handle: PageHandle = { title: (text) => text.boards.title, jsonTwin: "/api/note-boards" };

export const links = linkSheets(styles);

export default function Boards() {
  const { boards, moved } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedBoard>();
  const text = useText().boards;
  const creating = actionData?.typed?.intent === "create";
  const getBoardName = useBoardName();
  const getNoteName = useNoteName();
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      {moved && (
        <MoveToBoard noteId={moved.id} noteName={getNoteName(moved)} boards={boards} page={moved.page} />
      )}
      <p className="soft below-3">{text.lead}</p>
      <RefusalAlert code={actionData?.refusal.code} />
      <form className="toolbar gap-2 below-4" method="post">
        <Field
          name="name"
          label={text.name}
          value={creating ? actionData?.typed?.name : ""}
          invalid={creating}
        />
        <button className="button button-primary" type="submit" name="intent" value="create">
          <Icon name="plus" />
          {text.create}
        </button>
      </form>
      <BoardRows
        boards={boards}
        standard={getBoardName(itemAt(boards, 0))}
        typed={creating ? null : (actionData?.typed ?? null)}
      />
    </>
  );
}
