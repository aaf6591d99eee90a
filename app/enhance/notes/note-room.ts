// Notes beside code are at their lines, so one that grows while it is edited would cover those below. They move down until it ends.

const GAP_PX = 12;

/** Keeps the notes below a growing one free of it. */
export function makeRoomBelow(note: HTMLElement): { end(): void } {
  const notes = [...(note.closest(".noted-list")?.querySelectorAll<HTMLElement>(":scope > .note") ?? [])];
  const below = notes.slice(notes.indexOf(note) + 1);
  const observer = new ResizeObserver(() => moveDown(note, below));
  observer.observe(note);
  return {
    end() {
      observer.disconnect();
      for (const other of below) other.style.translate = "";
    },
  };
}

function moveDown(note: HTMLElement, below: readonly HTMLElement[]): void {
  let { bottom } = note.getBoundingClientRect();
  for (const other of below) {
    other.style.translate = "";
    const box = other.getBoundingClientRect();
    const distance = Math.max(0, bottom + GAP_PX - box.top);
    if (distance > 0) other.style.translate = `0 ${distance}px`;
    bottom = box.bottom + distance;
  }
}
