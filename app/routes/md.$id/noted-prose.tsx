import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import { noteAnchor } from "#app/notes/note-card.tsx";
import { paperRules } from "#app/notes/note-places.tsx";
import { NotedPlace, NoteList } from "#app/notes/noted-code.tsx";
import type { NotedFile } from "#app/notes/noted-file.ts";
import { cutAfterHeadings } from "#app/viewers/markdown/prose-cuts.ts";

type NotedProps = { html: string; on: NotedFile; notes: readonly PlacedNote[] };

/** A rendered text with its notes, each behind its heading; those without one come last. */
export function NotedProse({ html, on, notes }: NotedProps) {
  const byHeading = Map.groupBy(notes, ({ at }) => at?.anchor_id ?? "");
  const cuts = cutAfterHeadings(html, new Set(byHeading.keys()));
  const placed = new Set(cuts.map(({ heading }) => heading));
  const rest = notes.filter(({ at }) => !placed.has(at?.anchor_id ?? ""));
  return (
    <NotedPlace on={on} rules={paperRules(notes)} className="prose noted-prose">
      {cuts.map(({ heading, html: part }) => (
        <div className="prose-part" key={heading ?? noteAnchor("end")}>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text */}
          <div className="prose-part" dangerouslySetInnerHTML={{ __html: part }} />
          {heading !== null && <NoteList on={on} notes={byHeading.get(heading) ?? []} />}
        </div>
      ))}
      {rest.length > 0 && <NoteList on={on} notes={rest} />}
    </NotedPlace>
  );
}
