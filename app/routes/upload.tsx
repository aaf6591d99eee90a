import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { savedOnWire } from "#app/api/file-wire.server.ts";
import { RefusalAlert } from "#app/components/refusal-alert.tsx";
import { readForm } from "#app/http/body.server.ts";
import { requireUser } from "#app/http/gates.server.ts";
import { done, refused } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import { titleOf } from "#app/i18n/title.ts";
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

export const meta: MetaFunction = ({ matches }) => titleOf(matches, (text) => text.upload.title);

type Returned = {
  refusal: RefusalBody;
  typed: Partial<Record<"file_name" | "text" | "language" | "description" | "tags", string>>;
};

export default function Upload() {
  const text = useText().upload;
  const returned = useActionData() as Returned | undefined;
  const typed = returned?.typed ?? {};
  return (
    <section>
      <h1>{text.title}</h1>
      <RefusalAlert code={returned?.refusal.code} />
      <form method="post" encType="multipart/form-data">
        <p>
          <label htmlFor="files">{text.chooseFiles}</label>
          <input id="files" type="file" name="files" multiple />
        </p>
        <fieldset>
          <legend>{text.orPaste}</legend>
          <p>
            <label htmlFor="file_name">{text.fileName}</label>
            <input id="file_name" name="file_name" dir="auto" defaultValue={typed.file_name} />
          </p>
          <p>
            <label htmlFor="text">{text.text}</label>
            <textarea
              id="text"
              name="text"
              rows={12}
              dir="auto"
              spellCheck={false}
              defaultValue={typed.text}
            />
          </p>
        </fieldset>
        <p>
          <label htmlFor="language">{text.language}</label>
          <select id="language" name="language" defaultValue={typed.language ?? ""}>
            <option value="">{text.detect}</option>
            {LANGUAGE_NAMES.map((name) => (
              <option key={name} value={name}>
                {languageLabel(name)}
              </option>
            ))}
          </select>
        </p>
        <p>
          <label htmlFor="description">{text.description}</label>
          <input id="description" name="description" dir="auto" defaultValue={typed.description} />
        </p>
        <p>
          <label htmlFor="tags">{text.tags}</label>
          <input id="tags" name="tags" dir="auto" defaultValue={typed.tags} />
        </p>
        <button type="submit">{text.save}</button>
      </form>
    </section>
  );
}
