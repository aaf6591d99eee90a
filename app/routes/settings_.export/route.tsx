import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsHead } from "#app/accounts/settings.tsx";
import { REFRESHED } from "#app/code-runs/requested-run.server.ts";
import { FileField } from "#app/files/file-field.tsx";
import { isolateLtr } from "#app/i18n/isolate.ts";
import { useText } from "#app/i18n/text.ts";
import { findImportView, toWireImport } from "#app/library-zip/import-view.server.ts";
import { receiveZip } from "#app/library-zip/uploads.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import settingsStyles from "#app/styles/accounts/settings.css?url";
import { passRefreshHeader } from "#app/web/answers/page-headers.server.ts";
import { answerRefusal, answerSuccess, setJsonAnswer } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireReader, requireUser } from "#app/web/session/gates.server.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { formatBytes } from "#app/web/ui/size-text.ts";
import { cancelImport, queueImport, removeImport } from "#db/library-zip/library-imports.server.ts";
import { IMPORT_FORM_MAX_BYTES, ZIP_MAX_BYTES } from "#domain/library-zip/library-import.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { importForm } from "./form.server.ts";
import { ImportStatus } from "./import-status.tsx";

const HERE = "/settings/export";
const ACCEPTED = 202;

/** The latest import, and the forms to export and import. While a worker runs it, the page reloads itself. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireReader(args);
  const { db, clock } = args.context.services;
  const view = await findImportView(db, user.id, clock());
  setJsonAnswer(args.request, { import: toWireImport(view) });
  const isUnderWay = view !== null && ["waiting", "checking", "importing"].includes(view.state);
  return json({ view, isUnderWay, maxBytes: ZIP_MAX_BYTES }, { headers: isUnderWay ? REFRESHED : {} });
}

/** Stores a zip and queues its check. The page then previews the import, and a second form starts it. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const isUpload = /^multipart\//i.test(args.request.headers.get("Content-Type") ?? "");
  return isUpload ? receiveImportZip(args, user.id) : applyImportAction(args, user.id);
}

async function receiveImportZip({ request, context: { services } }: ActionFunctionArgs, ownerId: string) {
  const import_id = await receiveZip(request, services, ownerId);
  if (isRefusal(import_id)) return answerRefusal(request, import_id, {});
  return answerSuccess(request, { ok: true, import_id }, HERE, ACCEPTED);
}

async function applyImportAction({ request, context }: ActionFunctionArgs, ownerId: string) {
  const form = await readForm({ request, context }, importForm);
  if (isRefusal(form)) return answerRefusal(request, form, {});
  const { db, queue, clock } = context.services;
  const importId = { user_id: ownerId, import_id: form.import_id };
  // A missing import counts as removed.
  if (form.intent === "drop") await removeImport(db, importId);
  else {
    const refusal = await (form.intent === "import" ? queueImport : cancelImport)(
      { db, queue },
      importId,
      clock(),
    );
    if (refusal) return answerRefusal(request, refusal, {});
  }
  return answerSuccess(request, { ok: true }, HERE);
}

export const headers = passRefreshHeader;

export const handle: PageHandle = {
  title: (text) => text.settings.exportTitle,
  streamMaxBytes: IMPORT_FORM_MAX_BYTES,
};

export const links = linkSheets(settingsStyles);

type RefusedImport = { refusal: RefusalBody };

export default function ExportImport() {
  const { view, isUnderWay, maxBytes } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedImport>();
  const text = useText().settings;
  return (
    <>
      <SettingsHead title={text.exportTitle} refused={actionData?.refusal.code} />
      <div className="settings grid column gap-8 form-wide">
        {view && <ImportStatus view={view} />}
        <ExportCard />
        {!isUnderWay && view?.state !== "checked" && <ImportForm maxBytes={maxBytes} />}
      </div>
    </>
  );
}

function ExportCard() {
  const text = useText().settings;
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="export-head">
      <h2 id="export-head">{text.exportHead}</h2>
      <p>{text.exportLead}</p>
      <p className="soft">{text.exportSecrets}</p>
      <a className="button button-primary" href="/settings/export/zip" download>
        <Icon name="download" />
        {text.exportAction}
      </a>
    </section>
  );
}

function ImportForm({ maxBytes }: { maxBytes: number }) {
  const text = useText().imports;
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="import-head">
      <h2 id="import-head">{text.head}</h2>
      <p>{text.lead}</p>
      <form className="stack" method="post" encType="multipart/form-data">
        <div className="field">
          <label htmlFor="zip">{text.field}</label>
          <FileField id="zip" name="zip" accept=".zip,application/zip" required aria-describedby="zip-hint" />
          <p className="soft small" id="zip-hint">
            {text.hint(isolateLtr(formatBytes(maxBytes)))}
          </p>
        </div>
        <div className="actions">
          <button className="button" type="submit">
            {text.check}
          </button>
        </div>
      </form>
    </section>
  );
}
