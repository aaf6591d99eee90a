import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { MarkedText, MatchLink } from "#app/files/list/marked.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { requireRepo } from "#app/repos/repo-page.server.ts";
import { RepoNotCopiedNotice } from "#app/repos/repo-unread.tsx";
import styles from "#app/styles/repos/repos.css?url";
import { toLineAddress } from "#app/viewers/views.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { searchRepo } from "#db/search/repo-search.server.ts";
import { languageLabel } from "#domain/files/language.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { type MatchingLine, markedParts } from "#domain/search/matching-line.ts";
import { foldCase, NEEDLE_MAX } from "#domain/text/folded.ts";
import { codePoints, cutToCharacters } from "#domain/text/text.ts";

const SHOWN = 50;

/** Searches the files of a mirror by path or text: `?q=retry`. */
export async function loader(args: LoaderFunctionArgs) {
  const { repo, head } = await requireRepo(args);
  const typedQuery = (new URL(args.request.url).searchParams.get("q") ?? "").trim();
  const q = cutToCharacters(typedQuery, NEEDLE_MAX);
  const empty = { repo: head, q, found: null, refusal: null };
  if (q === "" || !repo.last_sync_time) return json(empty);
  if (codePoints(typedQuery) > NEEDLE_MAX) return json({ ...empty, refusal: "query_too_long" as const }, 400);
  const { hits, more } = await searchRepo(args.context.services.db, repo, { q, limit: SHOWN });
  const rows = hits.map(({ file: { path, language, size }, line }) => ({ path, language, size, line }));
  return json({ ...empty, found: { rows, more } });
}

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => (data ? text.repos.searchTitle(data.repo.repo_name) : text.repos.search),
  jsonTwin: "/api/repos/:name/search",
};

export const links = linkSheets(styles);

export default function RepoSearch() {
  const { repo, q, found, refusal } = useLoaderData<typeof loader>();
  const text = useText().repos;
  return (
    <>
      <RepoHead repo={repo} part="search" />
      <search>
        <form className="repo-line flex wraps top gap-3 around-3" method="get">
          <div className="field">
            <label htmlFor="repo-q">{text.searchFor}</label>
            <input className="input" id="repo-q" type="search" name="q" defaultValue={q} dir="auto" />
          </div>
          <button className="button button-primary" type="submit">
            {text.search}
          </button>
        </form>
      </search>
      <RefusalAlert code={refusal ?? undefined} />
      {!repo.last_sync_time && <RepoNotCopiedNotice repo={repo} />}
      {found && found.rows.length > 0 && <RepoHits name={repo.repo_name} needle={q} found={found} />}
      {found?.rows.length === 0 && (
        <EmptyState icon="search" title={text.noHit(q)}>
          <p className="soft">{text.noHitLead}</p>
        </EmptyState>
      )}
    </>
  );
}

type Hit = { path: string; language: string; size: number; line: MatchingLine | null };
type HitsProps = { name: string; needle: string; found: { rows: readonly Hit[]; more: boolean } };

function RepoHits({ name, needle, found: { rows, more } }: HitsProps) {
  const text = useText().repos;
  const foldedNeedle = foldCase(needle);
  return (
    <>
      <h2 className="large below-3 above-6">{text.found(rows.length, more)}</h2>
      <ul className="rows rows-compact repo-hits">
        {rows.map((hit) => (
          <li key={hit.path} className="file-row">
            <LanguageDot language={hit.language} />
            <div className="file-words">
              <a className="file-name mono" href={repoPlace(name, "file", { path: hit.path })} dir="ltr">
                <MarkedText parts={markedParts(hit.path, foldedNeedle)} />
              </a>
            </div>
            <div className="file-facts">
              <span className="file-language plain over-row">{languageLabel(hit.language)}</span>
              <span className="file-size">
                <Bytes count={hit.size} />
              </span>
            </div>
            {hit.line && (
              <MatchLink
                href={toLineAddress(repoPlace(name, "file", { path: hit.path }), hit.line.number)}
                match={hit.line}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
