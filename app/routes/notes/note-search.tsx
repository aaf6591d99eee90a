import { useText } from "#app/i18n/text.ts";
import { Choice } from "#app/ui/choice.tsx";
import { NOTE_COLORS, NOTE_KINDS } from "#domain/notes/note.ts";

export function NoteSearch({ query }: { query: { q: string; color: string; kind: string } }) {
  const text = useText().notes;
  return (
    <search>
      <form className="toolbar note-search gap-2 below-4" method="get" action="/notes">
        <div className="field">
          <label htmlFor="note-q">{text.searchFor}</label>
          <input className="input" id="note-q" type="search" name="q" defaultValue={query.q} dir="auto" />
        </div>
        <Choice
          name="color"
          id="note-color"
          label={text.color}
          chosen={query.color}
          none={text.anyColor}
          options={NOTE_COLORS}
          write={(color) => text.colors[color]}
        />
        <Choice
          name="kind"
          id="note-kind"
          label={text.kind}
          chosen={query.kind}
          none={text.anyPlace}
          options={NOTE_KINDS}
          write={(kind) => text.kinds[kind]}
        />
        <button className="button" type="submit">
          {text.search}
        </button>
      </form>
    </search>
  );
}
