import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { nextCursor, previousCursor, readSearch, toTypedQuery } from "#app/search/search-request.ts";
import { toShownHit } from "#app/search/shown-hit.server.ts";
import { suggestSpelling } from "#app/search/spelling.server.ts";
import { findFoldersByName } from "#app/search/suggestions.server.ts";
import styles from "#app/styles/search/search-page.css?url";
import { requireUser } from "#app/web/session/gates.server.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { SearchBox } from "#app/web/ui/frame/search-box.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { search } from "#db/search/search.server.ts";
import type { FolderPath } from "#domain/files/folders/folder-choices.ts";
import { isRefusal } from "#domain/refusal.ts";
import { toSearchAddress } from "#domain/search/search-place.ts";
import {
  listUnknownKinds,
  listUnknownLanguages,
  removeFilters,
  SEARCH_QUERY_MAX,
} from "#domain/search/search-query.ts";
import { cutToCharacters } from "#domain/text/text.ts";
import { SearchHits } from "./search-hits.tsx";
import { KindTabs, SearchChips, SearchHelp } from "./search-narrowing.tsx";

/** Searches files, notes and repositories: `?q=retry lang:py&in=notes`. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const parameters = Object.fromEntries(new URL(args.request.url).searchParams);
  const typedQuery = toTypedQuery(parameters).trim();
  // A page repeats the query in its chips and links, so it shows nothing beyond the limit.
  const q = cutToCharacters(typedQuery, SEARCH_QUERY_MAX);
  const nothing = { q, kind: null, found: null, refusal: null };
  if (q === "") return json(nothing);
  const request = readSearch({ q: typedQuery, in: parameters.in, cursor: parameters.cursor });
  if (isRefusal(request)) return json({ ...nothing, refusal: request.refused }, 400);
  const { kinds } = request.query;
  const mayBeFolder = parameters.cursor === undefined && (kinds.length === 0 || kinds.includes("files"));
  const [{ hits, more, ...counts }, folders] = await Promise.all([
    search(db, user.id, request.query, { ...request, now: clock() }),
    mayBeFolder ? findFoldersByName(db, user.id, removeFilters(q)) : Promise.resolve([]),
  ]);
  const isEmpty = hits.length === 0 && folders.length === 0 && parameters.cursor === undefined;
  const results = {
    ...counts,
    meant: isEmpty ? await suggestSpelling(db, user.id, { q, in: parameters.in }, clock()) : null,
    unknownLanguages: listUnknownLanguages(request.query),
    unknownKinds: listUnknownKinds(request.query),
    folders,
    hits: hits.map(toShownHit),
    previous: previousCursor(request),
    next: more ? nextCursor(request) : null,
    isCut: more && nextCursor(request) === null,
  };
  return json({ ...nothing, kind: kinds.length === 1 ? (kinds[0] ?? null) : null, found: results });
}

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: ({ search: text }, data) => (data?.q ? text.titleFor(data.q) : text.title),
  jsonTwin: "/api/search",
};

export const links = linkSheets(styles);

type SearchData = SerializeFrom<typeof loader>;

export default function Search() {
  const { q, kind, found, refusal } = useLoaderData<typeof loader>();
  const text = useText().search;
  return (
    <div className="search-page grid column gap-4">
      <h1>{text.title}</h1>
      <SearchBox query={q} withButton />
      <SearchChips q={q} kind={kind} />
      <RefusalAlert code={refusal ?? undefined} />
      {found && <KindTabs q={q} kind={kind} found={found} />}
      {found && found.folders.length > 0 && <FoundFolders folders={found.folders} />}
      {found && found.hits.length > 0 && <SearchHits q={q} hits={found.hits} />}
      {found && <SearchPager q={q} kind={kind} found={found} />}
      {found?.hits.length === 0 && found.folders.length === 0 && <NoHit q={q} kind={kind} found={found} />}
      {q === "" && (
        <EmptyState icon="search" title={text.startTitle}>
          <p className="soft">{text.start}</p>
        </EmptyState>
      )}
      <SearchHelp />
    </div>
  );
}

type FoundProps = Pick<SearchData, "q" | "kind"> & { found: NonNullable<SearchData["found"]> };

function SearchPager({ q, kind, found: { previous, next, isCut } }: FoundProps) {
  const { files, finding, search: text } = useText();
  if (isCut) return <p className="soft">{text.lastPage}</p>;
  if (previous === null && next === null) return null;
  return (
    <nav className="pager screen-only" aria-label={files.pages}>
      {previous !== null && (
        <a
          className="button"
          href={toSearchAddress({ q, in: kind, cursor: previous === "0" ? null : previous })}
          rel="prev"
        >
          <Icon name="back" />
          {finding.previous}
        </a>
      )}
      {next !== null && (
        <a className="button" href={toSearchAddress({ q, in: kind, cursor: next })} rel="next">
          {files.next}
          <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}

/** Offers to remove the filters first, if nothing was found. */
function NoHit({ q, kind, found: { unknownLanguages, unknownKinds, meant } }: FoundProps) {
  const { finding, search: text } = useText();
  const bare = removeFilters(q);
  const reasons = [
    ...(unknownLanguages.length > 0 ? [text.unknownLanguages(unknownLanguages.join(", "))] : []),
    ...unknownKinds.slice(0, 1).map(text.unknownKind),
  ];
  return (
    <EmptyState icon="search" title={finding.noHitTitle(q)}>
      {meant === null ? (
        <p className="soft">{reasons.length > 0 ? reasons.join(" ") : text.noHit}</p>
      ) : (
        <p>
          {text.didYouMean}{" "}
          <a href={toSearchAddress({ q: meant, in: kind })}>
            <bdi>{meant}</bdi>
          </a>
        </p>
      )}
      {bare !== "" && bare !== q && (
        <a className="button" href={toSearchAddress({ q: bare })}>
          {text.dropFilters}
        </a>
      )}
    </EmptyState>
  );
}

function FoundFolders({ folders }: { folders: readonly FolderPath[] }) {
  const text = useText().folders;
  return (
    <nav className="folder-chips shrinks" aria-label={text.title}>
      <ul>
        {folders.map(({ id, path }) => (
          <li key={id}>
            <a
              className="folder-chip inline gap-2 raised edge round ink small plain"
              href={folderAddress(id)}
            >
              <Icon name="folder" />
              <bdi>{removeBidiOverrides(path)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
