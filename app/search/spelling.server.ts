import { readSearch } from "#app/search/search-request.ts";
import type { Db } from "#db/client.ts";
import { listNewestNames } from "#db/files/file-names.server.ts";
import { listNewestWords } from "#db/search/newest-words.server.ts";
import { search } from "#db/search/search.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { splitWords } from "#domain/search/name-words.ts";
import { countWords, findNearWord } from "#domain/search/near-words.ts";
import { replaceWords } from "#domain/search/search-query.ts";

/** So many names are read, the newest, and so many words of a search are compared with theirs. */
const NAMES_READ = 2_000;
const WORDS_COMPARED = 4;

/**
 * What a search that found nothing was probably meant to be, by the words of names, of tags, of what the newest files define and of how they
 * begin; null where that finds nothing either.
 */
export async function suggestSpelling(
  db: Db,
  ownerId: string,
  { q, in: kinds }: { q: string; in?: string },
  now: Date,
): Promise<string | null> {
  const [names, newest] = await Promise.all([
    listNewestNames(db, ownerId, NAMES_READ),
    listNewestWords(db, ownerId),
  ]);
  const known = countWords([...names, ...newest]);
  let compared = 0;
  const correct = (term: string) =>
    splitWords(term).reduceRight((text, { word, start }) => {
      compared += 1;
      const near = compared > WORDS_COMPARED ? null : findNearWord(word, known);
      return near === null ? text : text.slice(0, start) + near + text.slice(start + word.length);
    }, term);
  const corrected = replaceWords(q, correct);
  const request = readSearch({ q: corrected, in: kinds, limit: "1" });
  if (corrected === q || isRefusal(request)) return null;
  const { hits } = await search(db, ownerId, request.query, { ...request, now });
  return hits.length > 0 ? corrected : null;
}
