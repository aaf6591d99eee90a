import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { toWireSavedFile } from "#app/files/file-wire.server.ts";
import { answerMissingFile } from "#app/files/require-file.server.ts";
import { toSavedFlash } from "#app/files/saved-flash.server.ts";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import editorStyles from "#app/styles/files/editor.css?url";
import editStyles from "#app/styles/files/versions.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { DraftOffer } from "#app/web/ui/draft-offer.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { editFile } from "#db/files/file-edits.server.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { NO_DETAILS, toTypedDetails } from "#domain/files/file-details.ts";
import { isRefusal, Refusal, type RefusalBody, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { matchEncoding, removeByteOrderMark } from "#domain/text/line-ends.ts";
import { EditConflict, MergedTextFields } from "./edit-conflict.tsx";
import { EditFields } from "./edit-fields.tsx";
import {
  buildConflict,
  type Conflict,
  editForm,
  findRemainingConflict,
  readEdit,
  type Typed,
  toFormFields,
  toTypedEdit,
} from "./form.server.ts";

// Requests that tried to save a file which no longer exists. Their page shows the typed text without the file.
const savesToMissingFile = new WeakSet<object>();

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.services;
  const file_id = args.params.id ?? "";
  const file = await findFile(db, user.id, file_id);
  if (!file && savesToMissingFile.has(args.context)) return json({ file: null });
  if (!file) throw await answerMissingFile(args, user.id, file_id);
  const text = removeByteOrderMark(await readBody(db, user.id, file));
  const { id, version, folder_id } = file;
  return json({ file: { id, version, folder_id, text, ...toFormFields(file) } });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const form = await readForm(args, editForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const file_id = args.params.id ?? "";
  const file = await findFile(db, user.id, file_id);
  const base = file && (await readVersionBody(db, user.id, file, form.version));
  const body = matchEncoding(base, form.text);
  const draft = file ? readEdit(form, file, body) : Refusal("file_not_found", { file_id });
  const leftConflict = file && findRemainingConflict(form, body, base);
  if (leftConflict) return answerConflict(Refusal("merge_marks"), toTypedEdit(form, file), leftConflict);
  const result = isRefusal(draft) ? draft : await editFile(db, user.id, draft, clock());
  if (!isRefusal(result)) {
    args.context.session.flash(toSavedFlash(result));
    return answerSuccess(args.request, { ok: true, ...toWireSavedFile(result) }, `/file/${result.file.id}`);
  }
  if (result.refused === "file_not_found") savesToMissingFile.add(args.context);
  const current = await findFile(db, user.id, file_id);
  const typed = toTypedEdit(form, current);
  if (result.refused !== "stale_edit" || !current || !wantsPage(args.request.headers.get("Accept")))
    return answerRefusal(args.request, result, typed);
  const text = getDictionary(await args.context.locale()).versions;
  const labels = { mine: text.mine, theirs: text.theirs(current.version) };
  const texts = { from: form.version, base, mine: body };
  return answerConflict(result, typed, await buildConflict(args.context.services, current, texts, labels));
}

const answerConflict = (refusal: Refusal, typed: Typed, conflict: Conflict) =>
  json({ refusal: refusalBody(refusal), typed, conflict }, refusalStatus(refusal));

type EditPageData = SerializeFrom<typeof loader>;
type RefusedEdit = { refusal: RefusalBody; typed: Typed | null; conflict?: Conflict };

export const handle: PageHandle<EditPageData> = {
  title: (text, data) =>
    data?.file ? text.versions.editTitle(data.file.file_name) : text.versions.goneTitle,
  // Above the limit of a file, so that a text that is too large is returned to the page with the reason.
  bodyMaxBytes: 2 * BODY_MAX_BYTES + 1024 * 1024,
};

export const links = linkSheets(editStyles, editorStyles);

export default function Edit() {
  const { file } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedEdit>();
  const text = useText().versions;
  if (!file) return <MissingFileForm typed={actionData?.typed ?? null} />;
  const conflict = actionData?.conflict;
  const typed = actionData?.typed ?? file;
  // A conflict is shown above the form with both texts, so the form does not repeat the refusal.
  const code = actionData?.refusal.code === "stale_edit" && conflict ? undefined : actionData?.refusal.code;
  const fields = conflict ? { ...typed, version: conflict.version, text: conflict.merged } : typed;
  return (
    <>
      <div className="page-head">
        <h1>{text.editTitle(file.file_name)}</h1>
      </div>
      {conflict && <EditConflict file={file} typed={typed} conflict={conflict} />}
      <form
        className="form edit-form"
        method="post"
        encType="multipart/form-data"
        data-editor
        data-draft-for={file.id}
        data-returned={actionData?.typed && ""}
      >
        <p className="soft">
          {text.editLead(fields.version)} <span className="keys-hint needs-script">{text.keyHint}</span>
        </p>
        <RefusalAlert code={code} />
        <DraftOffer />
        {conflict && conflict.collisions > 0 && <MergedTextFields conflict={conflict} />}
        <EditFields shown={fields} file={file} code={code} label={conflict ? text.merged : undefined}>
          {code === "merge_marks" && (
            <button className="button" type="submit" name="keep_marks" value="1">
              {text.keepMarks}
            </button>
          )}
          <a className="button" href={`/file/${file.id}`}>
            {text.cancel}
          </a>
        </EditFields>
      </form>
    </>
  );
}

/** Shown if the file was deleted since then: the typed text can be saved as a new file. */
function MissingFileForm({ typed }: { typed: Typed | null }) {
  const text = useText().versions;
  const fields = typed ?? {
    version: 1,
    text: "",
    file_name: "",
    language: "",
    ...toTypedDetails(NO_DETAILS),
  };
  return (
    <>
      <div className="page-head">
        <h1>{text.goneTitle}</h1>
      </div>
      <form className="form edit-form" method="post" action="/upload" encType="multipart/form-data">
        <p role="alert">{text.gone}</p>
        <EditFields shown={fields} file={null} code={undefined} />
      </form>
    </>
  );
}
