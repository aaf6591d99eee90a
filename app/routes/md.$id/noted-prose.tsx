import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import { noteAnchor } from "#app/notes/note-card.tsx";
import { writePaperRules } from "#app/notes/note-places.tsx";
import { NotedPlace, NoteList } from "#app/notes/noted-code.tsx";
import type { NotedFile } from "#app/notes/noted-file.ts";
import { cutAfterHeadings } from "#app/viewers/markdown/prose-cuts.ts";

type NotedProps = { html: string; on: NotedFile; notes: readonly PlacedNote[] };

/** A rendered text with each note after its heading. Notes without a heading come last. */
export function NotedProse({ html, on, notes }: NotedProps) {
  const notesByHeading = Map.groupBy(notes, ({ at }) => at?.anchor_id ?? "");
  const cuts = cutAfterHeadings(html, new Set(notesByHeading.keys()));
  const shownHeadings = new Set(cuts.map(({ heading }) => heading));
  const otherNotes = notes.filter(({ at }) => !shownHeadings.has(at?.anchor_id ?? ""));
  return (
    <NotedPlace on={on} rules={writePaperRules(notes)} className="prose noted-prose">
      {cuts.map(({ heading, html: sectionHtml }) => (
        <div className="prose-part" key={heading ?? noteAnchor("end")}>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text */}
          <div className="prose-part" dangerouslySetInnerHTML={{ __html: sectionHtml }} />
          {heading !== null && <NoteList on={on} notes={notesByHeading.get(heading) ?? []} />}
        </div>
      ))}
      {otherNotes.length > 0 && <NoteList on={on} notes={otherNotes} />}
    </NotedPlace>
  );
}
