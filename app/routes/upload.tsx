import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { savedOnWire } from "#app/api/file-wire.server.ts";
import { Field } from "#app/components/field.tsx";
import { RefusalAlert } from "#app/components/refusal-alert.tsx";
import { readForm } from "#app/http/body.server.ts";
import { requireUser } from "#app/http/gates.server.ts";
import { done, refused } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import { filesToSave, UPLOAD_MAX_BYTES, uploadForm } from "#app/routes/upload-form.server.ts";
import { saveFiles } from "#db/files.server.ts";
import { LANGUAGE_NAMES, languageLabel } from "#domain/language.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return json(null);
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args.request, uploadForm, UPLOAD_MAX_BYTES);
  if (isRefusal(form)) return refused(args.request, form, {});
  const { files: _, ...typed } = form;
  const drafts = await filesToSave(form);
  if (isRefusal(drafts)) return refused(args.request, drafts, typed);
  const { db, clock } = args.context.shelf;
  const saved = await saveFiles(db, user.id, drafts, clock());
  if (isRefusal(saved)) return refused(args.request, saved, typed);
  const [first] = saved;
  const single = saved.length === 1;
  args.context.flash(
    single
      ? { say: "file_saved", name: first.file.file_name, version: first.version }
      : { say: "files_saved", count: saved.length },
  );
  return done(
    args.request,
    { ok: true, files: saved.map(savedOnWire) },
    single ? `/file/${first.file.id}` : "/files",
    201,
  );
}

export const handle: Titled = { title: (text) => text.upload.title };

type Returned = {
  refusal: RefusalBody;
  typed: Partial<Record<"file_name" | "text" | "language" | "description" | "tags", string>>;
};

export default function Upload() {
  const text = useText().upload;
  const returned = useActionData() as Returned | undefined;
  const typed = returned?.typed ?? {};
  const code = returned?.refusal.code;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <form className="form" method="post" encType="multipart/form-data">
        <p className="soft">{text.lead}</p>
        <RefusalAlert code={code} />
        <div className="field">
          <label htmlFor="files">{text.chooseFiles}</label>
          <input
            className="input"
            id="files"
            type="file"
            name="files"
            multiple
            aria-describedby="files-hint"
          />
          <p className="field-hint" id="files-hint">
            {text.chooseHint}
          </p>
        </div>
        <fieldset className="fieldset">
          <legend>{text.orPaste}</legend>
          <Field
            name="file_name"
            label={text.fileName}
            value={typed.file_name}
            code
            invalid={code === "invalid_file_name"}
          />
          <div className="field">
            <label htmlFor="text">{text.text}</label>
            <textarea
              className="input code"
              id="text"
              name="text"
              rows={10}
              dir="auto"
              spellCheck={false}
              defaultValue={typed.text}
            />
          </div>
        </fieldset>
        <fieldset className="fieldset">
          <legend>{text.about}</legend>
          <div className="fields-row">
            <LanguageField chosen={typed.language} />
            <Field
              name="tags"
              label={text.tags}
              value={typed.tags}
              hint={text.tagsHint}
              invalid={code === "invalid_tags"}
            />
          </div>
          <Field
            name="description"
            label={text.description}
            value={typed.description}
            invalid={code === "description_too_long"}
          />
        </fieldset>
        <div className="actions">
          <button className="button button-primary" type="submit">
            {text.save}
          </button>
        </div>
      </form>
    </>
  );
}

function LanguageField({ chosen }: { chosen: string | undefined }) {
  const text = useText().upload;
  return (
    <div className="field">
      <label htmlFor="language">{text.language}</label>
      <select className="input" id="language" name="language" defaultValue={chosen ?? ""}>
        <option value="">{text.detect}</option>
        {LANGUAGE_NAMES.map((name) => (
          <option key={name} value={name}>
            {languageLabel(name)}
          </option>
        ))}
      </select>
    </div>
  );
}
