import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { toWireSavedFile } from "#app/files/file-wire.server.ts";
import { toSavedFlash } from "#app/files/saved-flash.server.ts";
import { CompareForm } from "#app/files/versions/compare-form.tsx";
import { parseVersionNumber } from "#app/files/versions/shown-version.server.ts";
import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { FilePage } from "#app/main/file-page.tsx";
import { loadFileAndHead } from "#app/main/open-history.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/files/versions.css?url";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { Table } from "#app/web/ui/table.tsx";
import { restoreVersion } from "#db/files/file-history.server.ts";
import { listVersions } from "#db/files/file-versions.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { restoreForm } from "./form.server.ts";

const PAGE_SIZE = 50;

export async function loader(args: LoaderFunctionArgs) {
  const { file, head } = await loadFileAndHead(args);
  const before = parseVersionNumber(new URL(args.request.url).searchParams.get("before") ?? "") ?? undefined;
  const page = await listVersions(args.context.services.db, file.user_id, file, { before, limit: PAGE_SIZE });
  const versions = page.versions.map(({ version, size_bytes, lines, created_at }) => ({
    version,
    size_bytes,
    lines,
    created_at: toTimestamp(created_at),
  }));
  return json({ head, versions, more: page.more });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const form = await readForm(args, restoreForm);
  if (isRefusal(form)) throw toRefusalResponse(form);
  const result = await restoreVersion(db, user.id, args.params.id ?? "", form.version, clock());
  if (isRefusal(result)) throw toRefusalResponse(result);
  const { file, version } = result;
  args.context.session.flash(
    result.unchanged
      ? toSavedFlash(result)
      : { say: "version_restored", name: file.file_name, from: form.version, version },
  );
  return answerSuccess(
    args.request,
    { ok: true, ...toWireSavedFile(result), restored: form.version },
    `/file/${file.id}`,
  );
}

type HistoryPageData = SerializeFrom<typeof loader>;

export const handle: PageHandle<HistoryPageData> = {
  title: (text, data) =>
    data ? text.versions.historyTitle(data.head.file.file_name) : text.versions.history,
};

export const links = linkSheets(viewStyles, styles);

export default function History() {
  const { head, versions, more } = useLoaderData<typeof loader>();
  const { file } = head;
  const text = useText().versions;
  const numbers = versions.map(({ version }) => version);
  const [newest, before] = numbers;
  const headings = [text.version, text.saved, text.size, text.lines, text.actions];
  return (
    <FilePage {...head} view="history">
      {newest !== undefined && before !== undefined && (
        <CompareForm fileId={file.id} versions={numbers} from={before} to={newest} />
      )}
      <div className="version-list">
        <Table name={text.list} headings={headings}>
          {versions.map((row, i) => (
            <Row key={row.version} file={file} row={row} previous={numbers[i + 1]} />
          ))}
        </Table>
      </div>
      {more && (
        <p>
          <a className="button" href={`/file/${file.id}/history?before=${numbers.at(-1)}`}>
            {text.older}
            <Icon name="forward" />
          </a>
        </p>
      )}
    </FilePage>
  );
}

type RowProps = {
  file: HistoryPageData["head"]["file"];
  row: HistoryPageData["versions"][number];
  previous: number | undefined;
};

function Row({ file, row, previous }: RowProps) {
  const text = useText().versions;
  const { version } = row;
  const isNewest = version === file.version;
  return (
    <tr>
      <th scope="row">
        {version} {isNewest && <span className="tag">{text.newest}</span>}
        <span className="block soft regular one-line">
          <Moment at={row.created_at} />
        </span>
      </th>
      <td>
        <Moment at={row.created_at} />
      </td>
      <td>
        <Bytes count={row.size_bytes} />
      </td>
      <td>{amount(row.lines)}</td>
      <td>
        <div className="actions rows-1">
          <a
            className="button button-small"
            href={`/file/${file.id}${isNewest ? "" : `?v=${version}`}`}
            aria-label={text.view(version)}
          >
            {text.viewShort}
          </a>
          <a
            className="button button-small"
            href={`/download/${file.id}?v=${version}`}
            aria-label={text.download(version)}
          >
            {text.downloadShort}
          </a>
          {previous && (
            <a
              className="button button-small"
              href={`/file/${file.id}/compare?from=${previous}&to=${version}`}
              aria-label={text.changes(version)}
            >
              {text.changesShort}
            </a>
          )}
          {!isNewest && (
            <form method="post" action={`/file/${file.id}/history`}>
              <button
                className="button button-small"
                type="submit"
                name="version"
                value={version}
                aria-label={text.restore(version)}
              >
                {text.restoreShort}
              </button>
            </form>
          )}
        </div>
      </td>
    </tr>
  );
}
