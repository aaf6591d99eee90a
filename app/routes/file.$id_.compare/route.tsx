import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CompareForm } from "#app/files/versions/compare-form.tsx";
import { useText } from "#app/i18n/text.ts";
import { FilePage } from "#app/main/file-page.tsx";
import { loadFileAndHead } from "#app/main/open-history.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/files/versions.css?url";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { VIEWER_JOBS } from "#app/viewers/viewer-jobs.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { listVersions } from "#db/files/file-versions.server.ts";
import { isLanguage } from "#domain/files/language.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";
import { type Compared, readComparedVersions } from "./compared-versions.server.ts";
import { DiffTable, DiffTabs } from "./diff-table.tsx";

/** The number of versions in the form. The compared versions are always among them. */
const OFFERED = 100;

export async function loader(args: LoaderFunctionArgs) {
  const { db, threads } = args.context.services;
  const { file, head } = await loadFileAndHead(args);
  const { from, to, texts } = await readComparedVersions(args, file);
  const isSplit = new URL(args.request.url).searchParams.get("view") === "split";
  const { versions } = await listVersions(db, file.user_id, file, { limit: OFFERED });
  const offeredVersions = new Set([...versions.map(({ version }) => version), from, to]);
  return json({
    head,
    isSplit,
    from,
    to,
    offered: [...offeredVersions].sort((a, b) => b - a),
    ...(await compareTexts(threads, file.user_id, { texts, language: file.language, isSplit })),
  });
}

type CompareInput = Pick<Compared, "texts"> & { language: string; isSplit: boolean };

/** Computes the differences, or the reason why they are not shown. If colouring fails, they are shown without colours. */
async function compareTexts(threads: ThreadPool, owner: string, input: CompareInput) {
  const { texts, isSplit } = input;
  if (!texts) return { diff: null, notCompared: "too_large" as const };
  const [before, after] = texts;
  const language = isLanguage(input.language) ? input.language : "text";
  const colour = async (body: string) => {
    const key = digestKey(language, body);
    const result = await threads.run(VIEWER_JOBS.colourLines, { body, language }, { owner, key });
    return result.ok ? result.value : null;
  };
  const colours = { before: await colour(before), after: await colour(after) };
  const drawn = [language, isSplit, colours.before !== null, colours.after !== null];
  const key = digestKey(before, after, ...drawn.map(String));
  const result = await threads.run(VIEWER_JOBS.diff, { before, after, colours, isSplit }, { owner, key });
  return result.ok ? { diff: result.value, notCompared: null } : { diff: null, notCompared: result.reason };
}

type ComparePageData = SerializeFrom<typeof loader>;

export const handle: PageHandle<ComparePageData> = {
  title: (text, data) =>
    data
      ? `${data.head.file.file_name} · ${text.versions.compareTitle(data.from, data.to)}`
      : text.versions.compare,
};

export const links = linkSheets(viewStyles, styles);

export default function Compare() {
  const { head, from, to, isSplit, offered, diff, notCompared } = useLoaderData<typeof loader>();
  const { file } = head;
  const { versions: text, file: fileText } = useText();
  return (
    <FilePage {...head} view="comparison">
      <CompareForm fileId={file.id} versions={offered} from={from} to={to} isSplit={isSplit} />
      <DiffTabs address={`/file/${file.id}/compare?from=${from}&to=${to}`} isSplit={isSplit} />
      {notCompared && <Alert caution>{text.notCompared[notCompared]}</Alert>}
      {diff?.bidiControls && <Alert caution>{fileText.bidiControls}</Alert>}
      {diff && (
        <>
          {diff.stretches.length === 0 ? (
            <p>{text.same}</p>
          ) : (
            <>
              <p className="cluster small below-3 above-3 gap-4 rows-1">
                {diff.added > 0 && <span className="good">{text.added(diff.added)}</span>}
                {diff.removed > 0 && <span className="wrong">{text.removed(diff.removed)}</span>}
              </p>
              <DiffTable fileId={file.id} to={to} diff={diff} isSplit={isSplit} />
            </>
          )}
          {diff.cut && <Alert caution>{text.tooMany}</Alert>}
        </>
      )}
    </FilePage>
  );
}
