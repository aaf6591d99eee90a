import { useText } from "#app/i18n/text.ts";
import { NOTE_COLORS, NOTE_KINDS } from "#domain/notes/note.ts";

/** Words, a colour and a kind of place to look for notes by. */
export function NoteSearch({ asked }: { asked: { q: string; color: string; kind: string } }) {
  const text = useText().notes;
  return (
    <search>
      <form className="toolbar note-search" method="get" action="/notes">
        <div className="field">
          <label htmlFor="note-q">{text.searchFor}</label>
          <input className="input" id="note-q" type="search" name="q" defaultValue={asked.q} dir="auto" />
        </div>
        <div className="field">
          <label htmlFor="note-color">{text.color}</label>
          <select className="input" id="note-color" name="color" defaultValue={asked.color}>
            <option value="">{text.anyColor}</option>
            {NOTE_COLORS.map((color) => (
              <option key={color} value={color}>
                {text.colors[color]}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="note-kind">{text.kind}</label>
          <select className="input" id="note-kind" name="kind" defaultValue={asked.kind}>
            <option value="">{text.anyPlace}</option>
            {NOTE_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {text.kinds[kind]}
              </option>
            ))}
          </select>
        </div>
        <button className="button" type="submit">
          {text.search}
        </button>
      </form>
    </search>
  );
}
