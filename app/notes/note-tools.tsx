import { useText } from "#app/i18n/text.ts";
import toolStyles from "#app/styles/notes/note-tools.css?url";
import noteStyles from "#app/styles/notes/notes.css?url";
import { Icon } from "#app/web/ui/icon.tsx";
import { getPositioning, type NoteKind } from "#domain/notes/note.ts";

/**
 * Holds what JavaScript adds beside code and on boards. `enhance/notes/note-tools.ts` loads it from the form's page, so that reading a file
 * does not wait for it. This page itself shows nothing of it.
 */
export function NoteToolsTemplate({ kind }: { kind: NoteKind }) {
  return (
    <template data-note-tools="">
      <link rel="stylesheet" href={noteStyles} />
      <link rel="stylesheet" href={toolStyles} />
      {getPositioning(kind) === "lines" && <LineBar />}
      <NewNoteCard />
    </template>
  );
}

function LineBar() {
  const text = useText().notes.bar;
  return (
    <div
      className="surface button-strip line-bar flex contained lifted"
      role="toolbar"
      aria-label={text.label}
      hidden
    >
      <button className="button button-small" type="button" data-line-note="">
        <Icon name="note" />
        {text.note}
      </button>
      <button
        className="button button-small"
        type="button"
        data-line-copy=""
        data-copied={text.copied}
        data-copy-failed={text.copyFailed}
      >
        <Icon name="copy" />
        <span>{text.copy}</span>
      </button>
      <a className="button button-small" href="/shares" data-line-share="">
        <Icon name="share" />
        {text.share}
      </a>
      <button className="button button-small" type="button" data-line-run="">
        <Icon name="play" />
        {text.run}
      </button>
    </div>
  );
}

/** A new note beside the code. If saving it in the page is refused, its form opens as a page. */
function NewNoteCard() {
  const text = useText().notes;
  return (
    <article
      className="note note-writing"
      aria-label={text.addTitle}
      data-color="yellow"
      data-said={JSON.stringify(text.said)}
    >
      <form className="note-form grid gap-2 pad-2" method="post" encType="multipart/form-data">
        <textarea name="content" dir="auto" rows={4} aria-label={text.content} placeholder={text.content} />
        <div className="cluster spread">
          <span className="cluster">
            <button className="button button-small" type="submit" data-save={text.save}>
              {text.said.done}
            </button>
            <button className="button button-small button-quiet" type="button" data-note-cancel="">
              {text.cancel}
            </button>
          </span>
          <a href="/notes/new" data-note-full="">
            {text.allFields}
          </a>
        </div>
      </form>
      <p className="note-said tiny pad-3 pad-block-1" data-note-said="" role="status" />
    </article>
  );
}
