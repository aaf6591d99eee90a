// Without it a new note is saved by its form; with it a note sent while its page was left is confirmed or sent again.
import { listSentDrafts, removeDraft } from "#app/enhance/editor/draft-store.ts";
import { showNewNotes } from "#app/enhance/notes/old-page.ts";

type SentDraft = ReturnType<typeof listSentDrafts>[number];

export function enhanceSentNotes(): void {
  const drafts = listSentDrafts();
  if (drafts.length > 0) void resendDrafts(drafts);
}

async function resendDrafts(drafts: readonly SentDraft[]): Promise<void> {
  const { postNote, toFormData } = await import("#app/enhance/notes/new-note.ts");
  const { post } = await import("#app/enhance/notes/note-saves.ts");
  let isAnySaved = false;
  for (const { key, content, sent } of drafts) {
    const answer = await postNote(sent.path, toFormData(sent));
    // A note that is refused or finds no network stays a draft; its card sends it again.
    if (!answer?.ok) continue;
    const { note }: { note: { id: string; content: string; updated_at: string } } = await answer.json();
    // Text typed during the request is sent afterwards, unless the note has changed since.
    if (content !== sent.fields.content && note.content === sent.fields.content) {
      const update = { id: note.id, content, prev_updated_at: note.updated_at };
      if (!(await post("/api/sticky-notes/batch", { updates: [update] }))?.ok) continue;
    }
    removeDraft(key);
    isAnySaved = true;
  }
  if (isAnySaved) await showNewNotes();
}
