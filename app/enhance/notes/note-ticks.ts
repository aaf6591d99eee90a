// Without it a box of a note is ticked by sending a form; with it in place, and reverted if that failed.
import {
  post,
  readSaveText,
  saveNow,
  setNoteVersion,
  showNoteStatus,
} from "#app/enhance/notes/note-saves.ts";

/** Ticks of one note run one after the other, because each starts from the version that the previous one left. */
const turns = new WeakMap<HTMLElement, Promise<void>>();

export function enhanceNoteTicks(): void {
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    const note = button?.closest<HTMLElement>(".note");
    if (!(button instanceof HTMLButtonElement) || !button.matches(".note-tick") || !note) return;
    event.preventDefault();
    const checked = button.getAttribute("aria-checked") !== "true";
    showTick(button, checked);
    const before = turns.get(note) ?? Promise.resolve();
    turns.set(
      note,
      before.then(() => saveTick(note, button, checked)),
    );
  });
}

async function saveTick(note: HTMLElement, button: HTMLButtonElement, checked: boolean): Promise<void> {
  await saveNow();
  const { note: id, updated: prev_updated_at } = note.dataset;
  const index = readTaskIndex(button);
  const answer = await post(`/api/sticky-notes/note/${id}/task`, { index, checked, prev_updated_at });
  if (answer?.ok) {
    const { updated_at }: { updated_at: string } = await answer.json();
    setNoteVersion(note, updated_at);
    showNoteStatus(note, "");
  } else {
    showTick(button, !checked);
    showNoteStatus(
      note,
      answer?.status === 401
        ? readSaveText().loggedOut
        : answer
          ? readSaveText().tickFailed
          : readSaveText().failed,
    );
  }
}

const readTaskIndex = (button: HTMLButtonElement) => Number(button.value.split(":")[1]);

function showTick(button: HTMLButtonElement, checked: boolean): void {
  button.setAttribute("aria-checked", String(checked));
  button.value = `tick:${readTaskIndex(button)}:${checked ? "off" : "on"}`;
}
