// Scrolls a box while something is dragged near one of its edges.

/** The distance from an edge at which scrolling begins, and the frames to cross it. */
const EDGE_PX = 64;
const EDGE_FRAMES = 6;

/** How far a point is within the margin at `start` (negative) or at `end`. */
export function measureMarginDepth(point: number, start: number, end: number): number {
  const into = Math.max(0, point - end + EDGE_PX) - Math.max(0, start + EDGE_PX - point);
  return Math.max(-EDGE_PX, Math.min(into, EDGE_PX));
}

const toStep = (into: number) => Math.sign(into) * Math.ceil(Math.abs(into) / EDGE_FRAMES);

export class EdgeScroll {
  #frame = 0;

  /** `into` is the pointer's depth in the margins. `scrolled` is called for each step until the box is at its end. */
  startScrolling(box: HTMLElement, into: { x: number; y: number }, scrolled: () => void): void {
    this.stopScrolling();
    if (into.x === 0 && into.y === 0) return;
    const scroll = () => {
      const { scrollLeft, scrollTop } = box;
      box.scrollBy({ left: toStep(into.x), top: toStep(into.y), behavior: "instant" });
      if (box.scrollLeft === scrollLeft && box.scrollTop === scrollTop) return;
      scrolled();
      this.#frame = requestAnimationFrame(scroll);
    };
    this.#frame = requestAnimationFrame(scroll);
  }

  stopScrolling(): void {
    cancelAnimationFrame(this.#frame);
  }
}
