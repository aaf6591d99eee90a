/** What a note says, as `notesHtml` made it. */
export function NoteBody({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made from a tree without markup, every text escaped
  return <div className="note-body" data-note-body="" dangerouslySetInnerHTML={{ __html: html }} />;
}
