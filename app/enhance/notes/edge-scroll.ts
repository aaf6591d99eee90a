// Shared by what is dragged: scrolls a box while the pointer rests near one of its edges.

/** How near to an edge it begins, and how many frames it takes to cross that distance there. */
const EDGE_PX = 64;
const EDGE_FRAMES = 6;

/** How far a point is into the edge before `start` (negative) or the one after `end`. */
export function measureEdge(point: number, start: number, end: number): number {
  const into = Math.max(0, point - end + EDGE_PX) - Math.max(0, start + EDGE_PX - point);
  return Math.max(-EDGE_PX, Math.min(into, EDGE_PX));
}

const toStep = (into: number) => Math.sign(into) * Math.ceil(Math.abs(into) / EDGE_FRAMES);

export class EdgeScroll {
  #frame = 0;

  /** `into`: how far the pointer is in the edges. `scrolled` is called for each step, until the box is at its end. */
  begin(box: HTMLElement, into: { x: number; y: number }, scrolled: () => void): void {
    this.end();
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

  end(): void {
    cancelAnimationFrame(this.#frame);
  }
}
