import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { MarkedText, MatchLink } from "#app/files/list/marked.tsx";
import { Tags } from "#app/files/list/tags.tsx";
import { useText } from "#app/i18n/text.ts";
import type { ShownHit } from "#app/search/shown-hit.server.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { languageLabel } from "#domain/files/language.ts";
import { addSearchFilter, toSearchAddress } from "#domain/search/search-place.ts";

export function SearchHits({ q, hits }: { q: string; hits: readonly ShownHit[] }) {
  const text = useText().search;
  return (
    <section aria-labelledby="results-title">
      <h2 className="visually-hidden" id="results-title">
        {text.results}
      </h2>
      <ul className="rows hits">
        {hits.map((hit) => (
          <Hit key={hit.url} q={q} hit={hit} />
        ))}
      </ul>
    </section>
  );
}

function Hit({ q, hit }: { q: string; hit: ShownHit }) {
  const text = useText().search;
  const [best, ...others] = hit.lines;
  const isNote = hit.kind === "note";
  return (
    <li className="file-row">
      {hit.language === null ? <Icon name="note" /> : <LanguageDot language={hit.language} />}
      <div className="file-words">
        <div className="file-heading">
          <a
            className={isNote ? "file-name" : "file-name mono"}
            href={hit.url}
            dir={isNote ? "auto" : "ltr"}
            data-row
          >
            <Title parts={hit.titleParts} />
          </a>
        </div>
        {(hasPlace(hit) || hit.tags.length > 0) && <Place q={q} hit={hit} />}
      </div>
      <div className="file-facts">
        {hit.language === null ? (
          <span className="file-language plain over-row">{text.note}</span>
        ) : (
          <a
            className="file-language plain over-row"
            href={toSearchAddress({ q: addSearchFilter(q, "lang", hit.language) })}
            aria-label={text.narrowTo(languageLabel(hit.language))}
          >
            {languageLabel(hit.language)}
          </a>
        )}
        <span className="to-end">
          <span className="visually-hidden">{text.edited} </span>
          <Moment at={hit.updated_at} />
        </span>
      </div>
      {best && <MatchLink href={best.url} match={best.match} />}
      {others.length > 0 && (
        <details className="disclosure flush tiny contained at-start over-row">
          <summary>{text.moreLines(hit.lineCount - 1)}</summary>
          {others.map(({ match, url }) => (
            <MatchLink key={match.number} href={url} match={match} />
          ))}
          {hit.lineCount > hit.lines.length && <a href={hit.url}>{text.allLines(hit.lineCount)}</a>}
        </details>
      )}
    </li>
  );
}

function Title({ parts }: { parts: ShownHit["titleParts"] }) {
  return <MarkedText parts={parts.map(({ text, hit }) => ({ text: removeBidiOverrides(text), hit }))} />;
}

const hasPlace = ({ repo, path }: ShownHit) => repo !== null || path?.includes("/") === true;

/** The repository and path of a mirrored file; the folder path and tags of a library file. */
function Place({ q, hit }: { q: string; hit: ShownHit }) {
  const { repo, path, tags } = hit;
  return (
    <div className="cluster file-about small soft shrinks gap-2 rows-1">
      {hasPlace(hit) && (
        <bdi className="cut tiny mono one-line contained" dir="ltr">
          {repo}
          {repo !== null && <span className="soft"> / </span>}
          {removeBidiOverrides(path ?? "")}
        </bdi>
      )}
      <Tags tags={tags} address={(tag) => toSearchAddress({ q: addSearchFilter(q, "tag", tag) })} />
    </div>
  );
}
