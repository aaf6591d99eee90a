import type { LinePart, MatchingLine } from "#domain/search/matching-line.ts";

export function MarkedText({ parts }: { parts: readonly LinePart[] }) {
  return (
    <>
      {parts.map(({ text, hit }, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line are never reordered
        hit ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>,
      )}
    </>
  );
}

export function MatchLink({ href, match }: { href: string; match: MatchingLine }) {
  return (
    <a
      className="match over-row at-start contained flex gap-2 shrinks soft small plain"
      href={href}
      dir="ltr"
    >
      <span className="tiny mono numbers soft rigid">{match.number}</span>
      <code dir="auto">
        <MarkedText parts={match.parts} />
      </code>
    </a>
  );
}
