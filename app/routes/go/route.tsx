import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/http/session/gates.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { PageHandle } from "#app/page-handle.ts";
import { searchPlace } from "#app/search/search-place.ts";
import { findSuggestions } from "#app/search/suggestions.server.ts";
import { type Command, useCommands } from "#app/ui/commands.ts";
import { Icon } from "#app/ui/icon.tsx";
import { usePlaces } from "#app/ui/rail.tsx";
import { SearchInput } from "#app/ui/search-input.tsx";
import { folded, NEEDLE_MAX } from "#domain/search/folded.ts";
import {
  CommandSuggestion,
  FileSuggestion,
  FilterSuggestion,
  HitSuggestion,
  LinkSuggestion,
  RecentSearches,
  SuggestionGroup,
} from "./suggestions.tsx";

/** What the box of the search offers while somebody types; a page of its own without JavaScript. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const asked = new URL(args.request.url).searchParams.get("q") ?? "";
  const q = [...asked].slice(0, NEEDLE_MAX).join("");
  return json({ q, ...(await findSuggestions(db, user.id, q, clock())) });
}

export const handle: PageHandle = { title: (text) => text.keys.goTitle };

export default function Go() {
  const { q } = useLoaderData<typeof loader>();
  const text = useText().keys;
  return (
    <div className="go">
      <h1>{text.goTitle}</h1>
      <search>
        <form className="go-form" method="get" action="/go">
          <SearchInput label={text.goLabel} asked={q} />
          <button className="button" type="submit">
            {text.goButton}
          </button>
        </form>
      </search>
      <Suggestions />
    </div>
  );
}

/** Hits come first, unless a page or a command is called so, or its first words are these, or a filter is being typed. */
function Suggestions() {
  const { q, hits, files, filters } = useLoaderData<typeof loader>();
  const { keys: text, search } = useText();
  const wanted = folded(q.trim());
  const isMeant = ({ name }: { name: string }) => folded(name).includes(wanted);
  const isNamed = ({ name }: { name: string }) =>
    wanted !== "" && `${folded(name)} `.startsWith(`${wanted} `);
  const places = usePlaces().filter(isMeant);
  const commands = useCommands().filter(isMeant);
  const offered = filters.length > 0 && (
    <SuggestionGroup id="go-filters" title={text.goFilters}>
      {filters.map((one) => (
        <FilterSuggestion key={one.filter} {...one} />
      ))}
    </SuggestionGroup>
  );
  const pages = <Pages places={places} />;
  const actions = <Commands commands={commands} />;
  const isFilter = /\S:\S*$/.test(q);
  return (
    <div className="go-results" data-go-results>
      {isFilter && offered}
      {places.some(isNamed) && pages}
      {commands.some(isNamed) && actions}
      {wanted === "" && <RecentSearches />}
      {files.length > 0 && (
        <SuggestionGroup id="go-files" title={text.goFiles}>
          {files.map((file) => (
            <FileSuggestion key={file.id} file={file} />
          ))}
        </SuggestionGroup>
      )}
      {hits.length > 0 && (
        <SuggestionGroup id="go-hits" title={search.results}>
          {hits.map((hit) => (
            <HitSuggestion key={hit.url} hit={hit} />
          ))}
        </SuggestionGroup>
      )}
      {!places.some(isNamed) && pages}
      {!commands.some(isNamed) && actions}
      {!isFilter && offered}
      {wanted !== "" && (
        <ul>
          <LinkSuggestion href={searchPlace({ q: q.trim() })} icon={<Icon name="search" />}>
            {text.goEverything(q.trim())}
          </LinkSuggestion>
        </ul>
      )}
    </div>
  );
}

function Pages({ places }: { places: ReturnType<typeof usePlaces> }) {
  const text = useText().keys;
  if (places.length === 0) return null;
  return (
    <SuggestionGroup id="go-pages" title={text.goPlaces}>
      {places.map(({ href, icon, name }) => (
        <LinkSuggestion key={href} href={href} icon={<Icon name={icon} />}>
          {name}
        </LinkSuggestion>
      ))}
    </SuggestionGroup>
  );
}

function Commands({ commands }: { commands: readonly Command[] }) {
  const text = useText().keys;
  if (commands.length === 0) return null;
  return (
    <SuggestionGroup id="go-commands" title={text.goCommands}>
      {commands.map((command) => (
        <CommandSuggestion key={command.name} command={command} />
      ))}
    </SuggestionGroup>
  );
}
