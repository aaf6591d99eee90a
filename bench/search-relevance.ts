/**
 * Known things looked for, by rule: of every so-many-th file its whole name, the first three and four letters of its name, its initials, a word of
 * its name, something it defines and a rare word of one of its lines. A file answers a query where the rule holds for it, so two files of the same
 * beginning answer it equally; the figure is the mean of one divided by the place of the first that does.
 */
import type { Db } from "#db/client.ts";
import type { SampleText } from "#db/local/sample/sample-texts.ts";
import { search } from "#db/search/search.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { findDefinitions } from "#domain/search/definitions.ts";
import { splitWords } from "#domain/search/name-words.ts";
import { parseSearchQuery } from "#domain/search/search-query.ts";
import { foldCase } from "#domain/text/folded.ts";

type Rule = { query(text: SampleText): string | null; answers(text: SampleText, q: string): boolean };

const names = (text: SampleText) => splitWords(text.file_name).map(({ word }) => foldCase(word));
const initials = (text: SampleText) => names(text).map((word) => [...word][0] ?? "");
const definedNames = ({ body, language }: SampleText) =>
  findDefinitions(body, language).map(({ name }) => foldCase(name));
const wordsIn = (body: string) => new Set(body.match(/[A-Za-z]{8,20}/g)?.map(foldCase) ?? []);

const RULES: Record<string, Rule> = {
  "full name": {
    query: ({ file_name }) => file_name,
    answers: ({ file_name }, q) => foldCase(file_name) === foldCase(q),
  },
  "prefix of 3": prefixRule(3),
  "prefix of 4": prefixRule(4),
  initials: {
    query: (text) => (initials(text).length >= 3 ? initials(text).join("") : null),
    answers: (text, q) => initials(text).join("").includes(q) || foldCase(text.file_name).includes(q),
  },
  "word of the name": {
    query: (text) => names(text).find((word) => /^\p{L}{4,}$/u.test(word)) ?? null,
    answers: (text, q) => names(text).some((word) => word.startsWith(q)),
  },
  "defined symbol": {
    query: (text) => definedNames(text).find((name) => /^[a-z_]{8,}$/.test(name)) ?? null,
    answers: (text, q) => definedNames(text).includes(q),
  },
  "rare word of a line": {
    query: () => null,
    answers: ({ body }, q) => foldCase(body).includes(q),
  },
};

function prefixRule(length: number): Rule {
  return {
    query: ({ file_name }) => foldCase(file_name).slice(0, length),
    answers: ({ file_name }, q) => foldCase(file_name).startsWith(q),
  };
}

/** Words that one text alone has, each with it. */
function findRareWords(texts: readonly SampleText[]): Map<SampleText, string> {
  const owners = new Map<string, SampleText | null>();
  for (const text of texts)
    for (const word of wordsIn(text.body)) owners.set(word, owners.has(word) ? null : text);
  const rare = new Map<SampleText, string>();
  for (const [word, text] of owners) if (text && !rare.has(text)) rare.set(text, word);
  return rare;
}

/** The mean reciprocal rank of each rule. */
export async function measureRelevance(
  db: Db,
  ownerId: string,
  texts: readonly SampleText[],
  asked: number,
): Promise<Record<string, number>> {
  const rare = findRareWords(texts);
  const byName = new Map(texts.map((text) => [text.file_name, text]));
  const step = Math.max(1, Math.floor(texts.length / asked));
  const found: Record<string, number> = {};
  for (const [name, rule] of Object.entries(RULES)) {
    const ranks: number[] = [];
    for (let i = 0; i < texts.length; i += step) {
      const text = texts[i];
      const q = text && (name === "rare word of a line" ? (rare.get(text) ?? null) : rule.query(text));
      if (!q) continue;
      const query = parseSearchQuery(`"${q}"`.length > 0 && /^[\p{L}\p{N}_.-]+$/u.test(q) ? q : `"${q}"`);
      if (isRefusal(query)) continue;
      const { hits } = await search(db, ownerId, query, { offset: 0, limit: 10, now: new Date() });
      const place = hits.findIndex(({ title }) => {
        const hit = byName.get(title);
        return hit !== undefined && rule.answers(hit, foldCase(q));
      });
      ranks.push(place < 0 ? 0 : 1 / (place + 1));
    }
    found[name] = ranks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, ranks.length);
  }
  return found;
}
