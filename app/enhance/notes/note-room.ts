// Notes beside code are where their lines are, so one that grows while it is written would cover those below it. They move down meanwhile.

const GAP_PX = 12;

/** Keeps the notes below one free of it, until it ends. */
export function makeRoomBelow(note: HTMLElement): { end(): void } {
  const all = [...(note.closest(".noted-list")?.querySelectorAll<HTMLElement>(":scope > .note") ?? [])];
  const below = all.slice(all.indexOf(note) + 1);
  const watching = new ResizeObserver(() => moveDown(note, below));
  watching.observe(note);
  return {
    end() {
      watching.disconnect();
      for (const other of below) other.style.translate = "";
    },
  };
}

function moveDown(note: HTMLElement, below: readonly HTMLElement[]): void {
  let { bottom } = note.getBoundingClientRect();
  for (const other of below) {
    other.style.translate = "";
    const place = other.getBoundingClientRect();
    const distance = Math.max(0, bottom + GAP_PX - place.top);
    if (distance > 0) other.style.translate = `0 ${distance}px`;
    bottom = place.bottom + distance;
  }
}
