import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodeField } from "#app/code-runs/code-field.tsx";
import { AboutFields } from "#app/files/about-fields.tsx";
import { FileField } from "#app/files/file-field.tsx";
import { toWireSavedFile } from "#app/files/file-wire.server.ts";
import { FolderField } from "#app/files/folders/folder-field.tsx";
import { FolderTrail, folderAddress } from "#app/files/folders/folder-trail.tsx";
import { FolderUpload, UploadFolderButton } from "#app/files/folders/folder-upload.tsx";
import {
  listFolderChoices,
  readChosenFolder,
  requireListedFolder,
} from "#app/files/folders/listed-folder.server.ts";
import { SaveBar } from "#app/files/save-bar.tsx";
import { toSavedFlash } from "#app/files/saved-flash.server.ts";
import { useText } from "#app/i18n/text.ts";
import { receiveZipFile } from "#app/library-zip/uploads.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import editorStyles from "#app/styles/files/editor.css?url";
import folderStyles from "#app/styles/files/folder-list.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { type Flash, offerUndo } from "#app/web/session/flash.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { DraftOffer } from "#app/web/ui/draft-offer.tsx";
import { DropRefusal } from "#app/web/ui/drop-overlay.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { saveFiles } from "#db/files/file-uploads.server.ts";
import type { SavedFile } from "#db/files/files.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { DETAIL_NAMES, FILE_DETAILS, type TypedDetails } from "#domain/files/file-details.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { FILE_PATH_REFUSALS } from "#domain/files/folders/file-path.ts";
import { isRefusal, type RefusalBody, refusalBody } from "#domain/refusal.ts";
import { findChosenZip, readFilesToSave, readSharedText, uploadForm } from "./form.server.ts";
import { createMissingFolders } from "./make-folders.server.ts";

const CREATED = 201;
const ACCEPTED = 202;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const tree = await readFolders(args.context.services.db, user.id);
  const folderId = new URL(args.request.url).searchParams.get("folder") ?? undefined;
  const folder = requireListedFolder(tree, folderId);
  return json({ trail: folder?.trail ?? [], choices: listFolderChoices(tree) });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, uploadForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const sharedFields = readSharedText(form);
  if (sharedFields) return json({ typed: sharedFields });
  const { files: _, ...typed } = form;
  const { db, clock } = args.context.services;
  const folder = await readChosenFolder(db, user.id, form.folder || ROOT_FOLDER);
  if (isRefusal(folder)) return answerRefusal(args.request, folder, typed);
  const zip = findChosenZip(form);
  if (zip) return importZip(args, user.id, zip, folder.id);
  const chosen = await readFilesToSave(form);
  if (isRefusal(chosen)) return answerRefusal(args.request, chosen, typed);
  const drafts = await createMissingFolders(db, user.id, chosen.placed, folder.id, clock());
  if (isRefusal(drafts)) return answerRefusal(args.request, drafts, typed);
  const result = await saveFiles(db, user.id, drafts, clock());
  if (isRefusal(result)) return answerRefusal(args.request, result, typed);
  const unsaved = chosen.left.map(refusalBody);
  if (unsaved.length > 0 && wantsPage(args.request.headers.get("Accept")))
    return json({ typed: { folder: form.folder }, saved: result.length, left: unsaved });
  args.context.session.flash(toUploadFlash(result));
  const single = findSingle(result);
  const folder_id = single ? single.file.folder_id : folder.id;
  const listAddress = folder_id ? folderAddress(folder_id) : "/files";
  return answerSuccess(
    args.request,
    {
      ok: true,
      files: result.map(toWireSavedFile),
      folder_id,
      ...(unsaved.length > 0 ? { left: unsaved } : {}),
    },
    single ? `/file/${single.file.id}` : listAddress,
    CREATED,
  );
}

const findSingle = (saved: readonly SavedFile[]) => (saved.length === 1 ? saved[0] : undefined);

function toUploadFlash(saved: readonly SavedFile[]): Flash {
  const single = findSingle(saved);
  // Undo deletes the saved files, so it is offered only when all of them are new.
  const isAllNew = saved.every(({ version, unchanged }) => version === 1 && !unchanged);
  const undo = isAllNew ? offerUndo(saved.map(({ file }) => file.id)) : undefined;
  if (single) return toSavedFlash(single, { created: undo, replaced: isAllNew ? undefined : single.file.id });
  const count = saved.filter(({ unchanged }) => !unchanged).length;
  return count === 0 ? { say: "no_changes" } : { say: "files_saved", count, created: undo };
}

/** Starts the import of a zip. The import page shows its progress. */
async function importZip(
  { request, context: { services } }: ActionFunctionArgs,
  ownerId: string,
  zip: File,
  folder_id: string | null,
) {
  const import_id = await receiveZipFile(zip, folder_id, services, ownerId);
  if (isRefusal(import_id)) return answerRefusal(request, import_id, {});
  return answerSuccess(request, { ok: true, import_id }, "/settings/export", ACCEPTED);
}

export const handle: PageHandle = {
  title: (text) => text.upload.title,
  // Enough for ten files of the largest size and the rest of the form.
  bodyMaxBytes: 10 * BODY_MAX_BYTES + 1024 * 1024,
};

export const links = linkSheets(editorStyles, folderStyles);

type UploadActionData = {
  refusal?: RefusalBody;
  saved?: number;
  /** The uploaded files that were not saved, with their reasons. */
  left?: RefusalBody[];
  typed: Partial<TypedDetails & Record<"file_name" | "text" | "language" | "folder", string>>;
};

/** With JavaScript, these refusals appear beside the selected files, which stay selected. */
const REFUSALS_SHOWN_IN_PLACE = [
  "payload_too_large",
  "too_many_fields",
  "library_full",
  "binary_content",
  "zip_among_files",
  ...FILE_PATH_REFUSALS,
  ...DETAIL_NAMES.map((name) => FILE_DETAILS[name].refusal),
  "rate_limit_exceeded",
  "storage_unavailable",
  "writing_paused",
  "disk_full",
  "folder_not_found",
  "import_under_way",
  "import_store_full",
  "import_too_large",
  "internal",
] as const;

function ImportLink() {
  return (
    <>
      {" "}
      <a href="/settings/export">{useText().upload.importZip}</a>
    </>
  );
}

export default function Upload() {
  const { upload: text, dropped, folders, gists, refusals } = useText();
  const { trail, choices } = useLoaderData<typeof loader>();
  const actionData = useActionData<UploadActionData>();
  const typed = actionData?.typed ?? {};
  const code = actionData?.refusal?.code;
  // A name typed here may be a path.
  const pathErrors = { invalid_file_name: text.invalidPath, invalid_folder_name: text.invalidPath };
  const errorTexts = { ...refusals, ...pathErrors };
  return (
    <>
      {trail.length > 0 && <FolderTrail trail={trail} />}
      <div className="page-head">
        <h1>{text.title}</h1>
        <div className="actions">
          <UploadFolderButton />
          <a className="button" href="/upload/gist">
            {gists.title}
          </a>
        </div>
      </div>
      <FolderUpload folder={trail.at(-1)?.id ?? null} path={trail.map(({ name }) => name)} />
      <form
        className="form"
        method="post"
        encType="multipart/form-data"
        data-upload
        data-editor
        data-draft-for="new-file"
        data-returned={actionData && ""}
        data-words={JSON.stringify(dropped.words)}
        data-refusals={JSON.stringify(
          Object.fromEntries(REFUSALS_SHOWN_IN_PLACE.map((code) => [code, errorTexts[code]])),
        )}
      >
        <p className="soft">{text.lead}</p>
        <RefusalAlert code={code} fileName={actionData?.refusal?.file_name} words={pathErrors}>
          {code === "zip_among_files" && <ImportLink />}
        </RefusalAlert>
        {actionData?.left && (
          <div className="alert alert-caution" role="alert">
            <Icon name="alert" />
            <div>
              <p>
                {text.savedMany(actionData.saved ?? 0)}. {text.notSaved}
              </p>
              <ul>
                {actionData.left.map(({ file_name, code }) => (
                  <li key={String(file_name)}>
                    <bdi dir="ltr">{String(file_name)}</bdi>: {errorTexts[code]}
                    {code === "zip_among_files" && <ImportLink />}
                  </li>
                ))}
              </ul>
            </div>
          </div>
        )}
        <DraftOffer />
        <div className="alert" role="alert" data-upload-alert hidden>
          <Icon name="alert" />
          <p>
            <span data-upload-reason />
            <span data-import-zip hidden>
              <ImportLink />
            </span>
          </p>
        </div>
        <div className="field">
          <label htmlFor="files">{text.chooseFiles}</label>
          <FileField id="files" name="files" multiple aria-describedby="files-hint" />
          <p className="soft small" id="files-hint">
            {text.chooseHint}{" "}
            <span className="needs-script" data-dropped-files-hint>
              {dropped.hint}
            </span>
          </p>
          <ul className="grid gap-1" data-chosen aria-label={dropped.chosen} hidden />
          <div className="cluster chosen-bar bar-foot pad-block-2" data-chosen-bar hidden>
            <button className="button button-primary" type="submit" data-chosen-save>
              {dropped.save}
            </button>
            <button className="button button-primary" type="button" data-chosen-others hidden />
          </div>
        </div>
        <h2>{text.orPaste}</h2>
        <SaveBar shown={typed} code={code} />
        <CodeField
          label={text.text}
          text={typed.text}
          rows={10}
          dir="auto"
          previewIn={{ folder: trail.at(-1)?.id ?? null }}
        />
        <FolderField
          id="folder"
          name={folders.folder}
          choices={choices}
          chosen={typed.folder ?? trail.at(-1)?.id ?? null}
        />
        <AboutFields shown={typed} code={code} />
      </form>
      <DropRefusal />
    </>
  );
}
