import type { LinePart, MatchingLine } from "#domain/search/matching-line.ts";

/** A text in which what was looked for is marked. */
export function Marked({ parts }: { parts: readonly LinePart[] }) {
  return (
    <>
      {parts.map(({ text, hit }, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line are never reordered
        hit ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>,
      )}
    </>
  );
}

/** The line of a file that has what was looked for, as a link to that line. */
export function MatchLink({ fileId, match }: { fileId: string; match: MatchingLine }) {
  return (
    <a className="match" href={`/file/${fileId}#L${match.number}`} dir="ltr">
      <span className="match-number">{match.number}</span>
      <code dir="auto">
        <Marked parts={match.parts} />
      </code>
    </a>
  );
}
