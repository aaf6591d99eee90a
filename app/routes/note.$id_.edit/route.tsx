import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { useText } from "#app/i18n/text.ts";
import { useBoardName } from "#app/notes/boards/board-rows.tsx";
import {
  noteEditForm,
  rebaseEdit,
  type Edit as StoredEdit,
  toEdit,
  toRefusedEdit,
} from "#app/notes/note-edit-form.server.ts";
import { NoteFields, NotePreview, type TypedNote } from "#app/notes/note-fields.tsx";
import { findNotePageAddress } from "#app/notes/note-page.server.ts";
import { toShownNote } from "#app/notes/shown-note.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/notes/note-pages.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { DraftOffer } from "#app/web/ui/draft-offer.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { listBoards } from "#db/notes/boards/boards.server.ts";
import { locateNote } from "#db/notes/note-anchors.server.ts";
import { findNote } from "#db/notes/notes.server.ts";
import { NOTE_FORM_MAX_BYTES } from "#domain/notes/note.ts";
import { moveToCurrentLines, noteName, toNoteAddress } from "#domain/notes/note-place.ts";
import { isRefusal, Refusal, type RefusalBody, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { NoteConflict } from "./note-conflict.tsx";
import { buildConflict, type NoteConflict as Conflict, saveEdit } from "./note-edit.server.ts";

// Requests that sent a text for a note that no longer exists. Their page shows the text without the note.
const savesToMissingNote = new WeakSet<object>();

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const note_id = args.params.id ?? "";
  const note = await findNote(db, user.id, note_id);
  const isMissing = savesToMissingNote.has(args.context);
  if (!note && !isMissing) throw toRefusalResponse(Refusal("note_not_found", { note_id }));
  const notePosition = note && (await locateNote(db, user.id, note));
  // Lost lines stay in their fields, so that the person sees which they were.
  const noteNow = note && notePosition?.line_start ? moveToCurrentLines(note, notePosition) : note;
  const boards = !note || note.kind === "board" ? await listBoards(db, user.id, clock()) : [];
  return json({
    note: noteNow && {
      id: noteNow.id,
      kind: noteNow.kind,
      name: noteName(noteNow),
      place: toNoteAddress(noteNow),
      edit: toEdit(noteNow),
    },
    boards: boards.map(({ id, name, is_default }) => ({ id, name, is_default })),
  });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, noteEditForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const { services } = args.context;
  const note_id = args.params.id ?? "";
  const result = await saveEdit(services, user.id, note_id, form);
  if (!isRefusal(result)) {
    if (wantsPage(args.request.headers.get("Accept"))) args.context.session.flash({ say: "note_saved" });
    const page = await findNotePageAddress(services.db, user.id, result);
    return answerSuccess(args.request, { ok: true, note: toShownNote(result) }, page);
  }
  if (result.refused === "note_not_found") savesToMissingNote.add(args.context);
  const current = result.refused === "conflict" ? await findNote(services.db, user.id, note_id) : null;
  if (!current || !wantsPage(args.request.headers.get("Accept")))
    return answerRefusal(args.request, result, toRefusedEdit(form));
  const { mine, theirs } = getDictionary(await args.context.locale()).notes;
  const conflict = await buildConflict(services, current, form, { mine, theirs });
  const typed = rebaseEdit(form, current, conflict.merged);
  return json({ refusal: refusalBody(result), typed, conflict }, refusalStatus(result));
}

type NotePageData = SerializeFrom<typeof loader>;
type RefusedEdit = { refusal: RefusalBody; typed: StoredEdit | null; conflict?: Conflict };

export const handle: PageHandle<NotePageData> = {
  title: (text, data) => {
    if (!data?.note) return text.notes.goneTitle;
    return text.notes.editNamed(data.note.name || text.notes.untitled);
  },
  bodyMaxBytes: NOTE_FORM_MAX_BYTES,
};

export const links = linkSheets(styles);

export default function EditNote() {
  const { note, boards } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedEdit>();
  const getBoardName = useBoardName();
  const choices = boards.map((board) => ({ id: board.id, name: getBoardName(board) }));
  return note ? (
    <NoteEditor note={note} boards={choices} returned={actionData} />
  ) : (
    <DeletedNoteForm typed={actionData?.typed?.fields ?? null} boards={choices} />
  );
}

type EditProps = {
  note: NonNullable<NotePageData["note"]>;
  boards: { id: string; name: string }[];
  returned: RefusedEdit | undefined;
};

function NoteEditor({ note, boards, returned }: EditProps) {
  const text = useText().notes;
  const conflict = returned?.conflict;
  const { fields, shown, prev_updated_at } = returned?.typed ?? note.edit;
  return (
    <>
      <div className="page-head">
        <h1>{conflict ? text.conflictTitle : text.editTitle}</h1>
      </div>
      {conflict && <NoteConflict conflict={conflict} />}
      <form
        className="form note-fields"
        method="post"
        encType="multipart/form-data"
        data-note-edit-form=""
        data-draft-for={note.id}
        data-returned={returned?.typed && ""}
      >
        <RefusalAlert code={conflict ? undefined : returned?.refusal.code} />
        <DraftOffer />
        <input type="hidden" name="prev_updated_at" value={prev_updated_at} />
        <input type="hidden" name="shown" value={shown} />
        {conflict && <textarea hidden readOnly name="mine" defaultValue={conflict.mine} />}
        <NoteFields
          typed={fields}
          kind={note.kind}
          boards={boards}
          refusal={returned?.refusal}
          label={conflict ? text.merged : undefined}
        />
        {conflict ? <ConflictButtons /> : <EditButtons place={note.place} />}
      </form>
      <NotePreview typed={fields} />
    </>
  );
}

function EditButtons({ place }: { place: string }) {
  const text = useText().notes;
  return (
    <div className="actions">
      <button className="button button-primary" type="submit">
        {text.save}
      </button>
      <a className="button" href={place}>
        {text.cancel}
      </a>
    </div>
  );
}

function ConflictButtons() {
  const text = useText().notes;
  const choices = [
    ["merged", text.keepMerged],
    ["mine", text.keepMine],
    ["theirs", text.keepTheirs],
  ] as const;
  return (
    <div className="actions">
      {choices.map(([use, label]) => (
        <button
          key={use}
          className={use === "merged" ? "button button-primary" : "button"}
          type="submit"
          name="use"
          value={use}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Shows the text of a note that was deleted since then, to be saved as a new note. */
function DeletedNoteForm({
  typed,
  boards,
}: {
  typed: TypedNote | null;
  boards: { id: string; name: string }[];
}) {
  const text = useText().notes;
  const board = itemAt(boards, 0).id;
  const fields = typed && { ...typed, board_id: board, x: "40", y: "40", width: "240", height: "200" };
  return (
    <>
      <div className="page-head">
        <h1>{text.goneTitle}</h1>
      </div>
      <form
        className="form note-fields"
        method="post"
        action={`/notes/new?board=${board}`}
        encType="multipart/form-data"
      >
        <p role="alert">{text.gone}</p>
        {fields && <NoteFields typed={fields} kind="board" boards={boards} />}
        <div className="actions">
          <button className="button button-primary" type="submit">
            {text.keepOnBoard}
          </button>
        </div>
      </form>
    </>
  );
}
