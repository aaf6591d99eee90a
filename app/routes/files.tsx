import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { fileQueryOfPage } from "#app/api/file-query.server.ts";
import { fileOnWire } from "#app/api/file-wire.server.ts";
import { FileTable } from "#app/components/file-table.tsx";
import { wantsPage } from "#app/http/accept.ts";
import { requireUser } from "#app/http/gates.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import { titleOf } from "#app/i18n/title.ts";
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

export const meta: MetaFunction = ({ matches }) => titleOf(matches, (text) => text.files.title);

export default function Files() {
  const { files, next, lang, sort, damaged, first } = useLoaderData<typeof loader>();
  const text = useText();
  const link = (change: Record<string, string | undefined>) => `/files${queryOf({ lang, sort, ...change })}`;
  return (
    <section>
      <h1>{text.files.title}</h1>
      {damaged && <p role="alert">{text.files.cursorDamaged}</p>}
      <p>
        {sort === "created_at_desc" ? (
          <a href={link({ sort: "created_at_asc" })}>{text.files.oldest}</a>
        ) : (
          <a href={link({ sort: undefined })}>{text.files.newest}</a>
        )}
        {lang && (
          <>
            {" "}
            <a href={link({ lang: undefined })}>{`${languageLabel(lang)} × ${text.files.allLanguages}`}</a>
          </>
        )}
      </p>
      {files.length > 0 ? (
        <FileTable files={files} />
      ) : (
        <p>{lang ? text.files.noneMatch : text.files.empty}</p>
      )}
      <nav aria-label={text.files.title}>
        {!first && <a href={link({})}>{text.files.first}</a>}
        {next && (
          <a href={link({ cursor: next })} rel="next">
            {text.files.next}
          </a>
        )}
      </nav>
    </section>
  );
}

function queryOf(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = new URLSearchParams(
    given.filter(([name, value]) => name !== "sort" || value !== "created_at_desc"),
  );
  return query.size > 0 ? `?${query}` : "";
}
