import { readSearch } from "#app/search/search-request.ts";
import type { Db } from "#db/client.ts";
import { listNewestNamesAndTags } from "#db/files/file-names.server.ts";
import { listNewestWords } from "#db/search/newest-words.server.ts";
import { search } from "#db/search/search.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { splitWords } from "#domain/search/name-words.ts";
import { countWords, findNearWord } from "#domain/search/near-words.ts";
import { replaceWords } from "#domain/search/search-query.ts";

/** Only the newest names are read, and only the first words of a search are compared with theirs. */
const NAMES_READ = 2_000;
const WORDS_COMPARED = 4;

/**
 * Guesses what a search without results was meant to be, from the words of names, tags, and the definitions and beginnings of the newest
 * files. Null if the guess finds nothing either.
 */
export async function suggestSpelling(
  db: Db,
  ownerId: string,
  { q, in: kinds }: { q: string; in?: string },
  now: Date,
): Promise<string | null> {
  const [names, newest] = await Promise.all([
    listNewestNamesAndTags(db, ownerId, NAMES_READ),
    listNewestWords(db, ownerId),
  ]);
  const wordCounts = countWords([...names, ...newest]);
  let comparedCount = 0;
  const correct = (term: string) =>
    splitWords(term).reduceRight((text, { word, start }) => {
      comparedCount += 1;
      const near = comparedCount > WORDS_COMPARED ? null : findNearWord(word, wordCounts);
      return near === null ? text : text.slice(0, start) + near + text.slice(start + word.length);
    }, term);
  const correctedQuery = replaceWords(q, correct);
  const request = readSearch({ q: correctedQuery, in: kinds, limit: "1" });
  if (correctedQuery === q || isRefusal(request)) return null;
  const { hits } = await search(db, ownerId, request.query, { ...request, now });
  return hits.length > 0 ? correctedQuery : null;
}
