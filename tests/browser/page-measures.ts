import type { Page } from "playwright";
import { expect } from "vitest";

/** These functions run inside the page; each returns one line per fault. */

/** Controls that a fingertip would miss (WCAG 2.2, 2.5.8). */
export function smallTargets(): string[] {
  return (
    [...document.querySelectorAll("a, button, input, select, textarea, summary")]
      .filter(
        (target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches(".skip-link"),
      )
      // A click on its label ticks a checkbox.
      .map((target) => ({ target, box: (target.closest("label") ?? target).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(
        ({ target, box }) =>
          `${box.width}×${box.height} ${target.tagName} ${target.textContent?.slice(0, 30)}`,
      )
  );
}

/**
 * Lists what moved while the page was loading, and by how much. A busy machine paints a long page in parts, and a line at the end of a
 * part moves by a hair when the next part comes: less than a hundredth of 0.1, the limit of "good", is ignored.
 */
async function shifted(): Promise<string[]> {
  const UNNOTICED = 0.001;
  await document.fonts.ready;
  type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
  const moved: string[] = [];
  let sum = 0;
  const add = (shifts: PerformanceEntryList) => {
    for (const { value, sources } of shifts as Shift[]) {
      sum += value;
      for (const { node } of sources)
        moved.push(`${value} ${(node as Element)?.outerHTML?.slice(0, 200) ?? node?.textContent}`);
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  add(observer.takeRecords());
  return sum < UNNOTICED ? [] : moved;
}

/** Opens a page and expects that nothing moves. A shift that does not repeat comes from a busy machine that paints in parts. */
export async function openStill(page: Page, path: string): Promise<void> {
  await page.goto(path);
  if ((await page.evaluate(shifted)).length === 0) return;
  await page.reload();
  expect((await page.evaluate(shifted)).join("\n"), `${path} moves while it loads`).toBe("");
}

export function widerThanScreen(): boolean {
  return document.documentElement.scrollWidth > document.documentElement.clientWidth;
}
