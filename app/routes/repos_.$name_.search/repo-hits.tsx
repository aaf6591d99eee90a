import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { Marked, MatchLink } from "#app/files/list/marked.tsx";
import { useText } from "#app/i18n/text.ts";
import { Bytes } from "#app/ui/bytes.tsx";
import { atLine } from "#app/viewers/views.ts";
import { languageLabel } from "#domain/files/language.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { type MatchingLine, markedParts } from "#domain/search/matching-line.ts";
import { folded } from "#domain/text/folded.ts";

type Hit = { path: string; language: string; size: number; line: MatchingLine | null };
type HitsProps = { name: string; needle: string; found: { rows: readonly Hit[]; more: boolean } };

export function RepoHits({ name, needle, found: { rows, more } }: HitsProps) {
  const text = useText().repos;
  const foldedNeedle = folded(needle);
  return (
    <>
      <h2 className="large below-3 above-6">{text.found(rows.length, more)}</h2>
      <ul className="rows rows-compact repo-hits">
        {rows.map((hit) => (
          <li key={hit.path} className="file-row">
            <LanguageDot language={hit.language} />
            <div className="file-words">
              <a className="file-name mono" href={repoPlace(name, "file", { path: hit.path })} dir="ltr">
                <Marked parts={markedParts(hit.path, foldedNeedle)} />
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
                href={atLine(repoPlace(name, "file", { path: hit.path }), hit.line.number)}
                match={hit.line}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
