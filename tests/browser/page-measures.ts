import type { Page } from "playwright";
import { expect } from "vitest";

/** Measured inside the page; each answers with what is wrong, a line each. */

/** Controls that a fingertip would miss (WCAG 2.2, 2.5.8). */
export function smallTargets(): string[] {
  return (
    [...document.querySelectorAll("a, button, input, select, textarea, summary")]
      .filter(
        (target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches(".skip-link"),
      )
      // A box to tick is ticked anywhere on the label around it.
      .map((target) => ({ target, box: (target.closest("label") ?? target).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(
        ({ target, box }) =>
          `${box.width}×${box.height} ${target.tagName} ${target.textContent?.slice(0, 30)}`,
      )
  );
}

/**
 * What moved while the page was loading, and by how much. A busy machine paints a long page in parts, and a line at the end of a
 * part moves by a hair when the rest of it comes: less than a hundredth of the 0.1 that is called good counts as nothing.
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

/** Opens a page, of which nothing may move. What moves once and not again was painted in parts by a busy machine. */
export async function openStill(page: Page, path: string): Promise<void> {
  await page.goto(path);
  if ((await page.evaluate(shifted)).length === 0) return;
  await page.reload();
  expect((await page.evaluate(shifted)).join("\n"), `${path} moves while it loads`).toBe("");
}

export function widerThanScreen(): boolean {
  return document.documentElement.scrollWidth > document.documentElement.clientWidth;
}
