import { usePage } from "#app/page-context.ts";
import type { NoteHtml } from "#app/viewers/markdown/notes-html.server.ts";

export function NoteBody({ html }: { html: NoteHtml }) {
  const { largePlace } = usePage();
  const markup = typeof html === "string" ? html : `${largePlace}${html.digest}.${html.number};`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made from a tree without markup, every text escaped
  return <div className="note-body" data-note-body="" dangerouslySetInnerHTML={{ __html: markup }} />;
}
