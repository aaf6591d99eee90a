import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import { useText } from "#app/i18n/text.ts";
import type { PageHandle } from "#app/page-handle.ts";
import { findSuggestions } from "#app/search/suggestions.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { FileName } from "#app/web/ui/file-name.tsx";
import { type Command, useCommands } from "#app/web/ui/frame/commands.ts";
import { usePlaces } from "#app/web/ui/frame/rail.tsx";
import { SearchInput } from "#app/web/ui/frame/search-input.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { FOLDER_CHOICES_MAX, listFolderPaths } from "#domain/files/folders/folder-choices.ts";
import { isFileId } from "#domain/files/selection.ts";
import { toSearchAddress } from "#domain/search/search-place.ts";
import { foldCase, NEEDLE_MAX } from "#domain/text/folded.ts";
import { cutToCharacters } from "#domain/text/text.ts";
import {
  CommandSuggestion,
  FileSuggestion,
  FilterSuggestion,
  HitSuggestion,
  LinkSuggestion,
  RecentSearches,
  SuggestionGroup,
} from "./suggestions.tsx";

/** The suggestions of the search box. Without JavaScript they are a page of their own. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const { searchParams } = new URL(args.request.url);
  const q = cutToCharacters(searchParams.get("q") ?? "", NEEDLE_MAX);
  const file = searchParams.get("file") ?? "";
  const openFile = isFileId(file) && q.trim() !== "" ? file : null;
  const [suggestions, tree] = await Promise.all([
    findSuggestions(db, user.id, q, clock()),
    openFile ? readFolders(db, user.id) : null,
  ]);
  const targets = tree ? listFolderPaths(tree, FOLDER_CHOICES_MAX) : [];
  return json({ q, opened: openFile, targets, ...suggestions });
}

export const handle: PageHandle = { title: (text) => text.keys.goTitle };

export default function Go() {
  const { q } = useLoaderData<typeof loader>();
  const text = useText().keys;
  return (
    <div className="go grid column gap-4 form-wide">
      <h1>{text.goTitle}</h1>
      <search>
        <form className="flex gap-2" method="get" action="/go">
          <SearchInput label={text.goLabel} query={q} />
          <button className="button" type="submit">
            {text.goButton}
          </button>
        </form>
      </search>
      <Suggestions />
    </div>
  );
}

/** Hits come first, unless the typed words begin the name of a page or a command, or a filter is being typed. */
function Suggestions() {
  const { q, hits, files, filters, folders, meant } = useLoaderData<typeof loader>();
  const { keys: text, search, folders: folderText } = useText();
  const needle = foldCase(q.trim());
  const isMeant = ({ name }: { name: string }) => foldCase(name).includes(needle);
  const isNamed = ({ name }: { name: string }) =>
    needle !== "" && `${foldCase(name)} `.startsWith(`${needle} `);
  const places = usePlaces().filter(isMeant);
  const commands = [...useCommands().filter(isMeant), ...useMoveCommands(needle)];
  const filterGroup = filters.length > 0 && (
    <SuggestionGroup id="go-filters" title={text.goFilters}>
      {filters.map((suggestion) => (
        <FilterSuggestion key={suggestion.filter} {...suggestion} />
      ))}
    </SuggestionGroup>
  );
  const pages = <Pages places={places} />;
  const actions = <Commands commands={commands} />;
  const isFilter = /\S:\S*$/.test(q);
  return (
    <div className="go-results grid column gap-2" data-go-results>
      {isFilter && filterGroup}
      {places.some(isNamed) && pages}
      {commands.some(isNamed) && actions}
      {needle === "" && <RecentSearches />}
      {files.length > 0 && (
        <SuggestionGroup id="go-files" title={text.goFiles}>
          {files.map((file) => (
            <FileSuggestion key={file.id} file={file} />
          ))}
        </SuggestionGroup>
      )}
      {folders.length > 0 && (
        <SuggestionGroup id="go-folders" title={folderText.title}>
          {folders.map(({ id, path }) => (
            <LinkSuggestion key={id} href={folderAddress(id)} icon={<Icon name="folder" />}>
              <FileName name={path} className="suggestion-name" />
            </LinkSuggestion>
          ))}
        </SuggestionGroup>
      )}
      {meant !== null && (
        <ul>
          <LinkSuggestion href={toSearchAddress({ q: meant })} fill={meant} icon={<Icon name="search" />}>
            <span>
              {search.didYouMean} <bdi>{meant}</bdi>
            </span>
          </LinkSuggestion>
        </ul>
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
      {!isFilter && filterGroup}
      {needle !== "" && (
        <ul>
          <LinkSuggestion href={toSearchAddress({ q: q.trim() })} icon={<Icon name="search" />}>
            {text.goEverything(q.trim())}
          </LinkSuggestion>
        </ul>
      )}
    </div>
  );
}

const MOVES_SHOWN = 5;
const ISOLATES = /[\u2066-\u2069]/g;

/** Offers to move the open file to each folder whose path is typed, or to all if the command's first words are. */
function useMoveCommands(needle: string): Command[] {
  const { opened, targets } = useLoaderData<typeof loader>();
  const text = useText().folders;
  if (opened === null) return [];
  return targets
    .map(({ id, path }): Command => {
      const field = { name: "intent", value: `move:${opened}:${id}` };
      return { name: text.moveHere(path), icon: "folder", action: "/files/actions", field };
    })
    .filter(({ name }) => foldCase(name.replace(ISOLATES, "")).includes(needle))
    .slice(0, MOVES_SHOWN);
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
