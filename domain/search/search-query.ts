import { isLanguage, LANGUAGE_NAMES, LANGUAGES, languageNamed } from "#domain/files/language.ts";
import { eachTagOnce } from "#domain/files/tags.ts";
import { Refusal } from "#domain/refusal.ts";
import { folded } from "#domain/search/folded.ts";
import { codePoints } from "#domain/text/text.ts";

/** A word to search for. A literal term was in quotes and is searched for exactly, blanks included. */
export type SearchTerm = { text: string; literal: boolean };
export const SEARCH_KINDS = ["files", "notes", "repos"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** What a search leaves out by filters with a dash: a result has none of these. */
export type ExcludedFilters = { languages: string[]; tags: string[]; kinds: SearchKind[]; paths: string[] };

/** A parsed search. A result must have every term and every tag; an empty list does not limit the results. */
export type SearchQuery = {
  terms: SearchTerm[];
  excluded: string[];
  /** Any of these. An unknown language is kept and matches no file. */
  languages: string[];
  tags: string[];
  /** Any of these. */
  kinds: SearchKind[];
  path: string | null;
  /** The id of a folder: files in it, and in the folders within it. */
  folder: string | null;
  without: ExcludedFilters;
};

export const SEARCH_QUERY_MAX = 200;
const SEARCH_TERMS_MAX = 8;

/** A search may consist of filters only. A search that only excludes is refused. */
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
  const tokens = readTokens(q);
  for (const token of tokens) addToken(query, token);
  if (query.terms.length > SEARCH_TERMS_MAX || query.excluded.length > SEARCH_TERMS_MAX)
    return Refusal("too_many_words", { max: SEARCH_TERMS_MAX });
  const narrowed = query.languages.length + query.tags.length + query.kinds.length > 0 || query.path !== null;
  if (query.terms.length > 0 || narrowed) return query;
  if (query.excluded.length > 0 || Object.values(query.without).some((values) => values.length > 0))
    return Refusal("only_excluded");
  return Refusal(tokens.some(({ filter }) => filter !== null) ? "empty_filter" : "empty_query");
}

/** What was typed after `in:` and is no kind of result. It is searched for as text. */
export const listUnknownKinds = ({ terms }: SearchQuery): string[] =>
  terms.flatMap(({ text, literal }) => (!literal && text.startsWith("in:") ? text.slice(3) : []));

export const listUnknownLanguages = ({ languages }: SearchQuery): string[] =>
  languages.filter((language) => !isLanguage(language));

const FILTERS = ["lang", "tag", "in", "path"] as const;
type FilterName = (typeof FILTERS)[number];

/** A part of what was typed: `-` before it, the name of a filter before it, quotes around it. */
type Token = { text: string; excluded: boolean; filter: FilterName | null; quoted: boolean };
type PlacedToken = Token & { from: number; to: number };

// A dash excludes where a word or quotes follow: `->` and `--flag` are text. Quotes count where they are closed.
const TOKEN = /(?<dash>-(?=[\p{L}\p{N}_"]))?(?<filter>[a-z]+:)?(?:"(?<quoted>[^"]+)"(?!\S)|(?<word>\S+))?/iuy;

function readTokens(q: string): PlacedToken[] {
  const tokens: PlacedToken[] = [];
  for (let at = skipBlanks(q, 0); at < q.length; ) {
    TOKEN.lastIndex = at;
    const { 0: whole = "", groups = {} } = TOKEN.exec(q) ?? {};
    const to = at + Math.max(1, whole.length);
    tokens.push({ ...toToken(whole, groups), from: at, to });
    at = skipBlanks(q, to);
  }
  return tokens;
}

function skipBlanks(q: string, from: number): number {
  let at = from;
  while (at < q.length && /\s/.test(q.charAt(at))) at += 1;
  return at;
}

function toToken(whole: string, groups: Record<string, string | undefined>): Token {
  const excluded = groups.dash !== undefined;
  const filter = FILTERS.find((name) => `${name}:` === groups.filter?.toLowerCase()) ?? null;
  const written = whole.slice(excluded ? 1 : 0);
  if (filter !== null)
    return {
      text: groups.quoted ?? groups.word ?? "",
      excluded,
      filter,
      quoted: groups.quoted !== undefined,
    };
  if (groups.filter === undefined && groups.quoted !== undefined)
    return { text: groups.quoted, excluded, filter: null, quoted: true };
  return { text: written, excluded, filter: null, quoted: false };
}

function addToken(query: SearchQuery, token: Token): void {
  if (token.filter !== null) addFilter(query, token, token.filter);
  else if (token.text.trim() === "") return;
  else if (token.excluded) addOnce(query.excluded, token.text);
  else addTerm(query, { text: token.text, literal: token.quoted });
}

function addTerm({ terms }: SearchQuery, term: SearchTerm): void {
  const same = (other: SearchTerm) =>
    other.literal === term.literal && folded(other.text) === folded(term.text);
  if (!terms.some(same)) terms.push(term);
}

function addFilter(query: SearchQuery, token: Token, filter: FilterName): void {
  const { without } = query;
  if (filter === "path") {
    if (!token.excluded) query.path = token.text || query.path;
    else if (token.text !== "") addOnce(without.paths, token.text);
    return;
  }
  const lists = token.excluded ? without : query;
  const values = (token.quoted ? [token.text] : token.text.split(",")).map((value) => value.trim());
  for (const value of values.filter((given) => given !== "")) {
    const kind = SEARCH_KINDS.find((name) => name === value.toLowerCase());
    if (filter === "lang") addOnce(lists.languages, languageNamed(value) ?? value.toLowerCase());
    else if (filter === "tag") lists.tags = eachTagOnce([...lists.tags, value.replace(/^#(?=.)/, "")]);
    else if (kind !== undefined) addOnce(lists.kinds, kind);
    else if (token.excluded) addOnce(query.excluded, `in:${value}`);
    else addTerm(query, { text: `in:${value}`, literal: false });
  }
}

function addOnce<Item>(list: Item[], item: Item): void {
  if (!list.includes(item)) list.push(item);
}

/** A filter or excluded word as typed, and the search without it. An excluded word has no name. */
type TypedFilter = { typed: string; name: FilterName | null; isExcluded: boolean; rest: string };

export function listTypedFilters(q: string): TypedFilter[] {
  return readTokens(q).flatMap(({ filter, excluded, text, from, to }) => {
    if ((filter === null && !excluded) || text.trim() === "") return [];
    const rest = [q.slice(0, from), q.slice(to)].map((part) => part.trim()).filter((part) => part !== "");
    return [{ typed: q.slice(from, to), name: filter, isExcluded: excluded, rest: rest.join(" ") }];
  });
}

/** The terms of a search without its filters. */
export function dropFilters(q: string): string {
  const words = listTypedFilters(q).reduce((rest, { typed }) => rest.replace(typed, ""), q);
  return words.replace(/\s+/g, " ").trim();
}

/** Replaces the words of a search. Filters, excluded words and quoted words stay. */
export function replaceWords(q: string, replace: (word: string) => string): string {
  return readTokens(q).reduceRight((written, { text, excluded, filter, quoted, from, to }) => {
    if (excluded || filter !== null || quoted) return written;
    return written.slice(0, from) + replace(text) + written.slice(to);
  }, q);
}

/** The languages and tags of a library. */
type FilterChoices = { languages?: readonly string[]; tags?: readonly string[] };

const SHOWN_FILTERS_MAX = 12;

/** Suggestions for the word being typed: names of filters, or values once it has the name of a filter. */
export function completeFilters(
  q: string,
  { languages = LANGUAGE_NAMES, tags = [] }: FilterChoices = {},
): string[] {
  const word = /(?:^|\s)([^\s"]+)$/u.exec(q)?.[1]?.toLowerCase() ?? "";
  if (word === "" || hasOpenQuote(q)) return [];
  const [, dash = "", begun = ""] = /^(-?)(.*)$/u.exec(word) ?? [];
  if (begun === "") return [];
  const [name, ...rest] = begun.replace(/^#/, "tag:").split(":");
  const value = rest.join(":");
  if (rest.length === 0)
    return FILTERS.filter((filter) => filter.startsWith(begun)).map((filter) => `${dash}${filter}:`);
  const values: Partial<Record<string, readonly string[]>> = {
    lang: languages.filter((language) => isLanguageBegun(language, value)),
    tag: tags.filter((tag) => folded(tag).startsWith(folded(value))),
    in: SEARCH_KINDS.filter((kind) => kind.startsWith(value)),
  };
  return (values[name ?? ""] ?? [])
    .filter((offered) => folded(offered) !== folded(value))
    .slice(0, SHOWN_FILTERS_MAX)
    .map((offered) => `${dash}${name}:${/\s/.test(offered) ? `"${offered}"` : offered}`);
}

function isLanguageBegun(name: string, value: string): boolean {
  if (name.startsWith(value)) return true;
  if (!isLanguage(name)) return false;
  const { label, extensions }: { label: string; extensions: readonly string[] } = LANGUAGES[name];
  return label.toLowerCase().startsWith(value) || extensions.includes(value);
}

/** Whether the search has an opening quote without a closing one. */
function hasOpenQuote(q: string): boolean {
  return readTokens(q).some((token) => !token.quoted && token.text.startsWith('"'));
}
