import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { SelectionForm } from "#app/files/file-actions.tsx";
import { FileCards } from "#app/files/file-cards.tsx";
import { FacetLinks, FilterChips, listAddress, type Narrowed } from "#app/files/file-filters.tsx";
import { listFilePage } from "#app/files/file-listing.server.ts";
import { fileQueryOfPage, readListChoices } from "#app/files/file-query.server.ts";
import { FileRows } from "#app/files/file-rows.tsx";
import { ListChoices } from "#app/files/list-choices.tsx";
import { wantsPage } from "#app/http/answers/accept.ts";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import type { PageHandle } from "#app/page-handle.ts";
import cardStyles from "#app/styles/file-cards.css?url";
import { Alert } from "#app/ui/alert.tsx";
import { DropOverlay } from "#app/ui/drop-overlay.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { listFacets } from "#db/files/file-facets.server.ts";
import { findBodyStarts } from "#db/files/file-versions.server.ts";
import { type Category, isCategory } from "#domain/files/file-query.ts";
import { isRefusal } from "#domain/refusal.ts";
import { firstLines } from "#domain/text/first-lines.ts";

/** Of each file, as many characters are read as the first lines of a card may have. */
const CARD = { lines: 12, characters: 100 };
const START_MAX = CARD.lines * (CARD.characters + 1);
const cutStart = (start: string) => firstLines(start, CARD);

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.services;
  const choices = readListChoices(args.request);
  const query = fileQueryOfPage(new URL(args.request.url), choices.sort);
  if (isRefusal(query)) throw refusalResponse(query);
  const { cursor, before, limit, ...asked } = query;
  const [wanted, facets] = await Promise.all([listFilePage(db, user.id, query), listFacets(db, user.id)]);
  const damaged = isRefusal(wanted);
  if (damaged && !wantsPage(args.request.headers.get("Accept"))) throw refusalResponse(wanted);
  const page = damaged ? await listFilePage(db, user.id, { ...asked, limit }) : wanted;
  if (isRefusal(page)) throw refusalResponse(page);
  const first = damaged || !(cursor || before);
  const starts = choices.view === "cards" ? await findBodyStarts(db, user.id, page.files, START_MAX) : null;
  const cards = starts && page.files.map((file, at) => ({ ...file, start: cutStart(starts[at] ?? "") }));
  const shown = { ...asked, usualSort: choices.sort };
  return json({ ...page, cards, asked: shown, view: choices.view, facets, damaged, first });
}

export const links: LinksFunction = () => [{ rel: "stylesheet", href: cardStyles }];

export const handle: PageHandle = {
  title: (text) => text.files.title,
  jsonTwin: "/api/files",
  // Nobody but its reader gets the page; Lighthouse looks at it with their session and asks for this.
  robots: "index",
};

export default function Files() {
  const { files, cards, asked, view, facets, damaged, ...pages } = useLoaderData<typeof loader>();
  const text = useText();
  return (
    <>
      <div className="page-head">
        <h1>{chooseTitle(asked, text)}</h1>
        {files.length > 1 && <ListChoices asked={asked} view={view} />}
      </div>
      {damaged && <Alert caution>{text.files.cursorDamaged}</Alert>}
      <FilterChips asked={asked} />
      <FacetLinks asked={asked} {...facets} />
      {files.length > 0 ? (
        <SelectionForm every={isPaged(pages) ? listQuery(asked) : undefined}>
          {cards ? (
            <FileCards files={cards} needle={asked.q} />
          ) : (
            <FileRows files={files} needle={asked.q} choosable />
          )}
        </SelectionForm>
      ) : (
        <NoFiles asked={asked} more={pages.next_cursor !== null} />
      )}
      <Pager asked={asked} {...pages} />
      <DropOverlay />
    </>
  );
}

const isPaged = ({ first, next_cursor }: { first: boolean; next_cursor: string | null }) =>
  !first || next_cursor !== null;

/** All that the list is narrowed to, as its address says it. */
const listQuery = ({ q, lang, category, repo, sort }: Narrowed) =>
  new URL(listAddress({ q, lang, category, repo, sort, usualSort: sort }, { sort }), "http://list").search;

function chooseTitle({ category }: Narrowed, text: Dictionary): string {
  return category && isCategory(category) ? text.finding.categories[category] : text.files.title;
}

type PagerProps = {
  asked: Narrowed;
  first: boolean;
  prev_cursor: string | null;
  next_cursor: string | null;
};

function Pager({ asked, first, prev_cursor, next_cursor }: PagerProps) {
  const { files, finding } = useText();
  if (first && !next_cursor) return null;
  return (
    <nav className="pager" aria-label={files.pages}>
      {!first && (
        <a className="button" href={listAddress(asked, {})}>
          {files.first}
        </a>
      )}
      {prev_cursor && (
        <a className="button" href={listAddress(asked, { before: prev_cursor })} rel="prev">
          <Icon name="back" />
          {finding.previous}
        </a>
      )}
      {next_cursor && (
        <a className="button" href={listAddress(asked, { cursor: next_cursor })} rel="next">
          {files.next}
          <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}

const CATEGORY_ICONS: Record<Category, IconName> = {
  recent: "clock",
  favorites: "star",
  pinned: "pin",
  repo: "repo",
  large: "files",
  other: "files",
};

/** Nothing to show says why, and what to do next. */
function NoFiles({ asked, more }: { asked: Narrowed; more: boolean }) {
  const { finding, files, dashboard } = useText();
  const { q, lang, category, repo } = asked;
  if (more)
    return (
      <EmptyState icon="search" title={finding.notYetTitle}>
        <p className="soft">{finding.notYet}</p>
      </EmptyState>
    );
  if (q)
    return (
      <EmptyState icon="search" title={finding.noHitTitle(q)}>
        <p className="soft">{finding.noHit}</p>
        {(lang || category || repo) && (
          <a className="button" href={listAddress({ q, sort: asked.sort, usualSort: asked.usualSort }, {})}>
            {finding.everywhere}
          </a>
        )}
      </EmptyState>
    );
  if (category && isCategory(category) && !lang && !repo)
    return (
      <EmptyState icon={CATEGORY_ICONS[category]} title={finding.noneYet}>
        <p className="soft">{finding.noneOf[category]}</p>
        <a className="button" href="/files">
          {finding.all}
        </a>
      </EmptyState>
    );
  if (lang || category || repo)
    return (
      <EmptyState icon="files" title={files.noneMatchTitle}>
        <p className="soft">{files.noneMatch}</p>
        <a className="button" href="/files">
          {finding.all}
        </a>
      </EmptyState>
    );
  return (
    <EmptyState icon="book" title={files.emptyTitle}>
      <p className="soft">{files.empty}</p>
      <a className="button button-primary" href="/upload">
        <Icon name="plus" />
        {dashboard.emptyAction}
      </a>
    </EmptyState>
  );
}
