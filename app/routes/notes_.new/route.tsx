import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { useBoardName } from "#app/notes/boards/board-rows.tsx";
import { deriveNoteId, newNoteForm, toTypedNote } from "#app/notes/note-edit-form.server.ts";
import { NoteFields, NotePreview, type TypedNote } from "#app/notes/note-fields.tsx";
import { NoteToolsTemplate } from "#app/notes/note-tools.tsx";
import { toShownNote } from "#app/notes/shown-note.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/notes/note-pages.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { DraftOffer } from "#app/web/ui/draft-offer.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { createNoteOnce } from "#db/notes/note-once.server.ts";
import { createNote } from "#db/notes/notes.server.ts";
import { createRepoNote } from "#db/notes/repos/repo-notes.server.ts";
import { NOTE_FORM_MAX_BYTES } from "#domain/notes/note.ts";
import { toNoteAddress } from "#domain/notes/note-place.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { generateToken } from "#platform/ids.ts";
import { findNewNoteTarget, toNoteFields } from "./note-target.server.ts";

/** The address names the target of the note: `?file=…&L=4-8`, `?file=…&heading=…`, `?repo=…&path=…&L=4-8` or `?board=…`. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const newNote = await findNewNoteTarget(args, user.id);
  if (isRefusal(newNote)) throw toRefusalResponse(newNote);
  const { target: _, ...shown } = newNote;
  return json({ ...shown, formKey: generateToken(16) });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, env, clock } = args.context.services;
  const form = await readForm(args, newNoteForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const newNote = await findNewNoteTarget(args, user.id, form.board_id);
  if (isRefusal(newNote)) return answerRefusal(args.request, newNote, toTypedNote(form));
  const fields = toNoteFields(form, newNote);
  const quota = { maxPerUser: env.maxNotesPerUser };
  if (isRefusal(fields)) return answerRefusal(args.request, fields, toTypedNote(form));
  const { target } = newNote;
  const note = await createNoteOnce(db, user.id, deriveNoteId(form, args.request.url, user.id), (id) =>
    target.kind === "repo"
      ? createRepoNote(db, user.id, { target, fields, quota, now: clock(), id })
      : createNote(db, user.id, { target, fields, quota, now: clock(), id }),
  );
  if (isRefusal(note)) return answerRefusal(args.request, note, toTypedNote(form));
  if (wantsPage(args.request.headers.get("Accept"))) args.context.session.flash({ say: "note_saved" });
  return answerSuccess(args.request, { ok: true, note: toShownNote(note) }, toNoteAddress(note), 201);
}

type NewNoteData = SerializeFrom<typeof loader>;
type RefusedNote = { refusal: RefusalBody; typed: TypedNote | null };

export const handle: PageHandle<NewNoteData> = {
  title: (text) => text.notes.addTitle,
  bodyMaxBytes: NOTE_FORM_MAX_BYTES,
};

export const links = linkSheets(styles);

export default function NewNote() {
  const { kind, name, typed, boards, headings, back, formKey } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedNote>();
  const text = useText().notes;
  const { search } = useLocation();
  const getBoardName = useBoardName();
  const fields = actionData?.typed ?? typed;
  const board = boards.find(({ id }) => id === fields.board_id);
  return (
    <>
      <div className="page-head">
        <h1>{text.addTitle}</h1>
      </div>
      {name && <p className="soft below-3">{text.inFile(name)}</p>}
      {board && <p className="soft below-3">{text.onBoard(getBoardName(board))}</p>}
      <form
        className="form note-fields"
        method="post"
        encType="multipart/form-data"
        data-editor
        data-draft-for={`new-note${search}`}
        data-returned={actionData && ""}
      >
        <input type="hidden" name="form_key" value={formKey} />
        <RefusalAlert code={actionData?.refusal.code} />
        <DraftOffer />
        <NoteFields
          typed={fields}
          kind={kind}
          boards={boards.map((board) => ({ id: board.id, name: getBoardName(board) }))}
          headings={headings ?? undefined}
          refusal={actionData?.refusal}
        />
        <div className="actions">
          <button className="button button-primary" type="submit">
            {text.save}
          </button>
          <a className="button" href={back}>
            {text.cancel}
          </a>
        </div>
      </form>
      <NotePreview typed={fields} />
      <NoteToolsTemplate kind={kind} />
    </>
  );
}
