import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  redirect,
  type SerializeFrom,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { explainForPerson } from "#app/code-runs/explain.server.ts";
import { type Explained, isExplained } from "#app/code-runs/explain-panel.tsx";
import type { RunAnswer } from "#app/code-runs/file-runs.tsx";
import { readFileRuns, runFile } from "#app/code-runs/run-form.server.ts";
import { CodeView } from "#app/files/code/code-view.tsx";
import { redirectToFileBeside } from "#app/files/code/go-to-beside.server.ts";
import { redirectToTypedLine } from "#app/files/code/go-to-line.server.ts";
import { OutlinedCode } from "#app/files/code/outlined-code.tsx";
import { PlainReason } from "#app/files/code/plain-reason.tsx";
import { readFileHeadData } from "#app/files/file-offers.server.ts";
import { toWireFile } from "#app/files/file-wire.server.ts";
import { recordOpening } from "#app/files/open-view.server.ts";
import { requireFile } from "#app/files/require-file.server.ts";
import { requireShownVersion } from "#app/files/versions/shown-version.server.ts";
import { useText } from "#app/i18n/text.ts";
import { FilePage, getOldVersion } from "#app/main/file-page.tsx";
import { NotedCode } from "#app/notes/noted-code.tsx";
import { toNotedLibraryFile } from "#app/notes/noted-file.ts";
import { listPlacedNotes } from "#app/notes/placed-notes.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { toLineQuery } from "#app/viewers/code/code-lines.ts";
import { readShownLine, toCodeMarks } from "#app/viewers/code/code-marks.server.ts";
import { highlight } from "#app/viewers/code/highlight.server.ts";
import { outlineText } from "#app/viewers/code/outline.server.ts";
import { choosePreview } from "#app/viewers/preview.server.ts";
import { atVersion, rawAddress } from "#app/viewers/views.ts";
import { answerRefusal, answerSuccess, SEE_OTHER } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { removeRunResults } from "#db/code-runs/run-results.server.ts";
import { type FileRecord, readBody } from "#db/files/file-records.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { FilePreview } from "./file-preview.tsx";
import { type ExplainForm, fileForm, toExplainRequest } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { signedIn, file: current } = await requireFile(args);
  const { user } = signedIn;
  const { db } = args.context.services;
  await redirectToFileBeside(db, args.request.url, current);
  await recordOpening(args, current);
  const newest = current.version;
  const offers = await readFileHeadData(args.context.services, current);
  const file = await requireShownVersion(args, user.id, current);
  redirectToTypedLine(args.request.url, file);
  const old = file.version === newest ? null : file.version;
  const [body, notes, runs] = await Promise.all([
    readBody(db, user.id, file),
    listPlacedNotes(args.context, file, newest),
    readFileRuns(args.context.services, signedIn, file, args.request.url),
  ]);
  const preview = await choosePreview(args.context, args.request, file, body, old);
  const text = { owner: user.id, body, language: file.language };
  const lineQuery = toLineQuery(old === null ? {} : { v: `${old}` });
  const [code, outline] = await Promise.all([
    preview
      ? null
      : highlight(args.context, {
          ...text,
          line: readShownLine(args.request),
          marks: toCodeMarks(args.request, notes),
          lineQuery,
        }),
    preview ? null : outlineText(args.context, text),
  ]);
  return json({ file: toWireFile(file), newest, code, outline, preview, notes, runs, ...offers });
}

/** A saved run redirects to its own address. An unsaved run and an explanation are shown in this answer only. */
export async function action(args: ActionFunctionArgs) {
  const { signedIn, file } = await requireFile(args);
  const { services } = args.context;
  const form = await readForm(args, fileForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  if (form.intent === "opened") {
    await recordOpening(args, file);
    return answerSuccess(args.request, { ok: true }, `/file/${file.id}`);
  }
  if (form.intent === "explain") return explainFile(args, signedIn.user.id, file, form);
  const old = new URL(args.request.url).searchParams.has("v") ? form.version : null;
  const results = (id: string) => `${atVersion(`/file/${file.id}?run=${id}`, old)}#runs`;
  if (form.intent === "forget") {
    await removeRunResults(services.db, signedIn.user.id, file.id, services.clock());
    return redirect(results("last"), SEE_OTHER);
  }
  const ran = await runFile({ services, signedIn, file, form, signal: args.context.clientGone() });
  if (isRefusal(ran)) return answerRefusal(args.request, ran, form);
  if (ran.kept) return answerSuccess(args.request, { ok: true, ...ran }, results(ran.kept));
  return json({ ran, typed: form }, { headers: { "Cache-Control": "no-store" } });
}

async function explainFile(
  args: ActionFunctionArgs,
  ownerId: string,
  current: FileRecord,
  form: ExplainForm,
) {
  const file = await requireShownVersion(args, ownerId, current);
  const code = await readBody(args.context.services.db, ownerId, file);
  const request = toExplainRequest(form, code, file.language);
  const explanation = isRefusal(request) ? request : await explainForPerson(args.context, ownerId, request);
  return isRefusal(explanation)
    ? answerRefusal(args.request, explanation, form)
    : json({ explanation, typed: form });
}

type FilePageData = SerializeFrom<typeof loader>;

export const handle: PageHandle<FilePageData> = {
  title: (text, data) => data?.file.file_name ?? text.files.title,
  jsonTwin: "/api/file/:id",
  // Only its owner can open the page; indexing is allowed because Lighthouse checks for it.
  robots: "index",
};

export const links = linkSheets(viewStyles);

export default function FileView() {
  const { file, newest, code, outline, preview, notes, runs, provider, sendable, placing } =
    useLoaderData<typeof loader>();
  const actionData = useActionData<RunAnswer | Explained>();
  const explanationData = isExplained(actionData) ? actionData : undefined;
  const answer = isExplained(actionData) ? undefined : actionData;
  const old = getOldVersion({ file, newest });
  const raw = rawAddress(file.id, old);
  const view = preview ? "preview" : "source";
  return (
    <FilePage
      file={file}
      newest={newest}
      view={view}
      provider={provider}
      sendable={sendable}
      placing={placing}
      runs={runs}
      ran={answer}
      explained={explanationData}
    >
      {preview && <FilePreview file={file} old={old} preview={preview} />}
      {code && <PlainReason code={code} />}
      {code && file.size_bytes === 0 && !notes && <EmptyFile id={file.id} />}
      {code && (file.size_bytes > 0 || notes) && (
        <OutlinedCode file={file} old={old} outline={outline} isNoted={notes !== null}>
          {notes ? (
            <NotedCode code={code} raw={raw} on={toNotedLibraryFile(file.id)} notes={notes} />
          ) : (
            <CodeView code={code} raw={raw} />
          )}
        </OutlinedCode>
      )}
    </FilePage>
  );
}

function EmptyFile({ id }: { id: string }) {
  const { file: text, versions } = useText();
  return (
    <EmptyState icon="files" title={text.blank}>
      <a className="button" href={`/edit/${id}`}>
        <Icon name="edit" />
        {versions.edit}
      </a>
    </EmptyState>
  );
}
