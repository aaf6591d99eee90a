import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { fileQueryOfPage } from "#app/api/file-query.server.ts";
import { fileOnWire } from "#app/api/file-wire.server.ts";
import { Alert } from "#app/components/alert.tsx";
import { EmptyState } from "#app/components/empty-state.tsx";
import { FileRows } from "#app/components/file-rows.tsx";
import { Icon } from "#app/components/icon.tsx";
import { wantsPage } from "#app/http/accept.ts";
import { requireUser } from "#app/http/gates.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import { listFiles } from "#db/files.server.ts";
import { languageLabel } from "#domain/language.ts";
import { isRefusal } from "#domain/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.shelf;
  const { cursor, ...query } = fileQueryOfPage(new URL(args.request.url));
  const asked = await listFiles(db, user.id, { ...query, cursor });
  const damaged = isRefusal(asked);
  if (damaged && !wantsPage(args.request.headers.get("Accept"))) throw refusalResponse(asked);
  const page = damaged ? await listFiles(db, user.id, query) : asked;
  if (isRefusal(page)) throw refusalResponse(page);
  const { lang, sort } = query;
  return json({
    files: page.files.map(fileOnWire),
    next: page.next_cursor,
    lang,
    sort,
    damaged,
    first: damaged || !cursor,
  });
}

export const handle: Titled = { title: (text) => text.files.title };

export default function Files() {
  const { files, next, lang, sort, damaged, first } = useLoaderData<typeof loader>();
  const text = useText().files;
  const link = (change: Record<string, string | undefined>) => `/files${queryOf({ lang, sort, ...change })}`;
  const newestFirst = sort === "created_at_desc";
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
        {files.length > 1 && (
          <a className="sort" href={link({ sort: newestFirst ? "created_at_asc" : undefined })}>
            <Icon name="sort" />
            {newestFirst ? text.oldest : text.newest}
          </a>
        )}
      </div>
      {damaged && <Alert caution>{text.cursorDamaged}</Alert>}
      {lang && (
        <div className="filters">
          <LanguageChip lang={lang} href={link({ lang: undefined })} />
        </div>
      )}
      {files.length > 0 ? <FileRows files={files} /> : <NoFiles filtered={lang !== undefined} />}
      {(next || !first) && (
        <nav className="pager" aria-label={text.pages}>
          {!first && (
            <a className="button" href={link({})}>
              {text.first}
            </a>
          )}
          {next && (
            <a className="button" href={link({ cursor: next })} rel="next">
              {text.next}
              <Icon name="forward" />
            </a>
          )}
        </nav>
      )}
    </>
  );
}

function LanguageChip({ lang, href }: { lang: string; href: string }) {
  const text = useText().files;
  const label = languageLabel(lang);
  return (
    <a className="chip" href={href} aria-label={text.removeFilter(label)}>
      {label}
      <Icon name="remove" />
    </a>
  );
}

function NoFiles({ filtered }: { filtered: boolean }) {
  const text = useText();
  return filtered ? (
    <EmptyState icon="files" title={text.files.noneMatchTitle}>
      <p className="soft">{text.files.noneMatch}</p>
    </EmptyState>
  ) : (
    <EmptyState icon="book" title={text.files.emptyTitle}>
      <p className="soft">{text.files.empty}</p>
      <a className="button button-primary" href="/upload">
        <Icon name="plus" />
        {text.dashboard.emptyAction}
      </a>
    </EmptyState>
  );
}

function queryOf(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = new URLSearchParams(
    given.filter(([name, value]) => name !== "sort" || value !== "created_at_desc"),
  );
  return query.size > 0 ? `?${query}` : "";
}
