import { findLanguage, isLanguage, LANGUAGE_NAMES, LANGUAGES } from "#domain/files/language.ts";
import { dedupeTags } from "#domain/files/tags.ts";
import { Refusal } from "#domain/refusal.ts";
import { foldCase } from "#domain/text/folded.ts";
import { codePoints } from "#domain/text/text.ts";

/** A literal term was in quotes and is searched for exactly, including blanks. */
export type SearchTerm = { text: string; literal: boolean };
export const SEARCH_KINDS = ["files", "notes", "repos"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** The filters with a dash; a result matches none of them. */
export type ExcludedFilters = { languages: string[]; tags: string[]; kinds: SearchKind[]; paths: string[] };

/** A parsed search. A result must match every term and every tag; an empty list does not limit the results. */
export type SearchQuery = {
  terms: SearchTerm[];
  excluded: string[];
  /** Matches any of these. Unknown languages are included and match no file. */
  languages: string[];
  tags: string[];
  /** Matches any of these. */
  kinds: SearchKind[];
  path: string | null;
  /** The id of a folder; also matches files in its subfolders. */
  folder: string | null;
  without: ExcludedFilters;
};

export const SEARCH_QUERY_MAX = 200;
const SEARCH_TERMS_MAX = 8;

/** A search may consist only of filters, but a search that only excludes is refused. */
export function parseSearchQuery(q: string): SearchQuery | Refusal {
  if (codePoints(q.trim()) > SEARCH_QUERY_MAX) return Refusal("query_too_long", { max: SEARCH_QUERY_MAX });
  const query: SearchQuery = {
    terms: [],
    excluded: [],
    languages: [],
    tags: [],
    kinds: [],
    path: null,
    folder: null,
    without: { languages: [], tags: [], kinds: [], paths: [] },
  };
  const tokens = parseTokens(q);
  for (const token of tokens) addToken(query, token);
  if (query.terms.length > SEARCH_TERMS_MAX || query.excluded.length > SEARCH_TERMS_MAX)
    return Refusal("too_many_words", { max: SEARCH_TERMS_MAX });
  const hasFilter =
    query.languages.length + query.tags.length + query.kinds.length > 0 || query.path !== null;
  if (query.terms.length > 0 || hasFilter) return query;
  if (query.excluded.length > 0 || Object.values(query.without).some((values) => values.length > 0))
    return Refusal("only_excluded");
  return Refusal(tokens.some(({ filter }) => filter !== null) ? "empty_filter" : "empty_query");
}

/** Lists values of `in:` that are no kind of result. They are searched for as text. */
export const listUnknownKinds = ({ terms }: SearchQuery): string[] =>
  terms.flatMap(({ text, literal }) => (!literal && text.startsWith("in:") ? text.slice(3) : []));

export const listUnknownLanguages = ({ languages }: SearchQuery): string[] =>
  languages.filter((language) => !isLanguage(language));

const FILTERS = ["lang", "tag", "in", "path"] as const;
type FilterName = (typeof FILTERS)[number];

/** A token of a search: an optional `-`, the name of a filter, and text, perhaps in quotes. */
type Token = { text: string; excluded: boolean; filter: FilterName | null; quoted: boolean };
type PlacedToken = Token & { from: number; to: number };

// A dash excludes only before a word or quotes: `->` and `--flag` are text. Quotes count only if they are closed.
const TOKEN = /(?<dash>-(?=[\p{L}\p{N}_"]))?(?<filter>[a-z]+:)?(?:"(?<quoted>[^"]+)"(?!\S)|(?<word>\S+))?/iuy;

function parseTokens(q: string): PlacedToken[] {
  const tokens: PlacedToken[] = [];
  for (let offset = skipBlanks(q, 0); offset < q.length; ) {
    TOKEN.lastIndex = offset;
    const { 0: match = "", groups = {} } = TOKEN.exec(q) ?? {};
    const to = offset + Math.max(1, match.length);
    tokens.push({ ...toToken(match, groups), from: offset, to });
    offset = skipBlanks(q, to);
  }
  return tokens;
}

function skipBlanks(q: string, from: number): number {
  let index = from;
  while (index < q.length && /\s/.test(q.charAt(index))) index += 1;
  return index;
}

function toToken(match: string, groups: Record<string, string | undefined>): Token {
  const excluded = groups.dash !== undefined;
  const filter = FILTERS.find((name) => `${name}:` === groups.filter?.toLowerCase()) ?? null;
  const text = match.slice(excluded ? 1 : 0);
  if (filter !== null)
    return {
      text: groups.quoted ?? groups.word ?? "",
      excluded,
      filter,
      quoted: groups.quoted !== undefined,
    };
  if (groups.filter === undefined && groups.quoted !== undefined)
    return { text: groups.quoted, excluded, filter: null, quoted: true };
  return { text, excluded, filter: null, quoted: false };
}

function addToken(query: SearchQuery, token: Token): void {
  if (token.filter !== null) addFilter(query, token, token.filter);
  else if (token.text.trim() === "") return;
  else if (token.excluded) addIfAbsent(query.excluded, token.text);
  else addTerm(query, { text: token.text, literal: token.quoted });
}

function addTerm({ terms }: SearchQuery, term: SearchTerm): void {
  const isSame = (other: SearchTerm) =>
    other.literal === term.literal && foldCase(other.text) === foldCase(term.text);
  if (!terms.some(isSame)) terms.push(term);
}

function addFilter(query: SearchQuery, token: Token, filter: FilterName): void {
  const { without } = query;
  if (filter === "path") {
    if (!token.excluded) query.path = token.text || query.path;
    else if (token.text !== "") addIfAbsent(without.paths, token.text);
    return;
  }
  const lists = token.excluded ? without : query;
  const values = (token.quoted ? [token.text] : token.text.split(",")).map((value) => value.trim());
  for (const value of values.filter((text) => text !== "")) {
    const kind = SEARCH_KINDS.find((name) => name === value.toLowerCase());
    if (filter === "lang") addIfAbsent(lists.languages, findLanguage(value) ?? value.toLowerCase());
    else if (filter === "tag") lists.tags = dedupeTags([...lists.tags, value.replace(/^#(?=.)/, "")]);
    else if (kind !== undefined) addIfAbsent(lists.kinds, kind);
    else if (token.excluded) addIfAbsent(query.excluded, `in:${value}`);
    else addTerm(query, { text: `in:${value}`, literal: false });
  }
}

function addIfAbsent<Item>(list: Item[], item: Item): void {
  if (!list.includes(item)) list.push(item);
}

/** A filter or excluded word as typed, and the search without it. `name` is null for an excluded word. */
type TypedFilter = { typed: string; name: FilterName | null; isExcluded: boolean; rest: string };

export function listTypedFilters(q: string): TypedFilter[] {
  return parseTokens(q).flatMap(({ filter, excluded, text, from, to }) => {
    if ((filter === null && !excluded) || text.trim() === "") return [];
    const rest = [q.slice(0, from), q.slice(to)].map((part) => part.trim()).filter((part) => part !== "");
    return [{ typed: q.slice(from, to), name: filter, isExcluded: excluded, rest: rest.join(" ") }];
  });
}

/** Returns a search without its filters. */
export function removeFilters(q: string): string {
  const words = listTypedFilters(q).reduce((rest, { typed }) => rest.replace(typed, ""), q);
  return words.replace(/\s+/g, " ").trim();
}

/** Replaces the words of a search. Filters, excluded words and quoted words stay. */
export function replaceWords(q: string, replace: (word: string) => string): string {
  return parseTokens(q).reduceRight((result, { text, excluded, filter, quoted, from, to }) => {
    if (excluded || filter !== null || quoted) return result;
    return result.slice(0, from) + replace(text) + result.slice(to);
  }, q);
}

/** The languages and tags that suggestions may offer. */
type FilterChoices = { languages?: readonly string[]; tags?: readonly string[] };

const SHOWN_FILTERS_MAX = 12;

/** Completes the last word: names of filters, or values after the name of a filter. */
export function completeFilters(
  q: string,
  { languages = LANGUAGE_NAMES, tags = [] }: FilterChoices = {},
): string[] {
  const word = /(?:^|\s)([^\s"]+)$/u.exec(q)?.[1]?.toLowerCase() ?? "";
  if (word === "" || hasOpenQuote(q)) return [];
  const [, dash = "", typed = ""] = /^(-?)(.*)$/u.exec(word) ?? [];
  if (typed === "") return [];
  const [name, ...rest] = typed.replace(/^#/, "tag:").split(":");
  const value = rest.join(":");
  if (rest.length === 0)
    return FILTERS.filter((filter) => filter.startsWith(typed)).map((filter) => `${dash}${filter}:`);
  const values: Partial<Record<string, readonly string[]>> = {
    lang: languages.filter((language) => isLanguagePrefix(language, value)),
    tag: tags.filter((tag) => foldCase(tag).startsWith(foldCase(value))),
    in: SEARCH_KINDS.filter((kind) => kind.startsWith(value)),
  };
  return (values[name ?? ""] ?? [])
    .filter((suggestion) => foldCase(suggestion) !== foldCase(value))
    .slice(0, SHOWN_FILTERS_MAX)
    .map((suggestion) => `${dash}${name}:${/\s/.test(suggestion) ? `"${suggestion}"` : suggestion}`);
}

function isLanguagePrefix(name: string, value: string): boolean {
  if (name.startsWith(value)) return true;
  if (!isLanguage(name)) return false;
  const { label, extensions }: { label: string; extensions: readonly string[] } = LANGUAGES[name];
  return label.toLowerCase().startsWith(value) || extensions.includes(value);
}

function hasOpenQuote(q: string): boolean {
  return parseTokens(q).some((token) => !token.quoted && token.text.startsWith('"'));
}
