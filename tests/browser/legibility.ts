import type { Page } from "playwright";
import { expect } from "vitest";

/** Measured inside the page; each answers with what is wrong, a line each. */

/** Texts whose colour is too near to what lies behind them (WCAG 2.2, 1.4.3). */
export function paleTexts(): string[] {
  type Colour = { r: number; g: number; b: number; a: number };
  const parse = (text: string): Colour => {
    const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
    return { r, g, b, a };
  };
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ({ r, g, b }: Colour) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (element: Element | null): Colour => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return { r: 255, g: 255, b: 255, a: 1 };
  };
  const wrong = new Set<string>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement!;
    if (text.textContent?.trim() === "" || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(".visually-hidden, .skip-link, option, script, noscript")) continue;
    const style = getComputedStyle(element);
    const [one, other] = [luminance(parse(style.color)), luminance(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5))
      wrong.add(
        `${ratio.toFixed(2)} ${style.color} .${element.className} ${text.textContent!.trim().slice(0, 30)}`,
      );
  }
  return [...wrong];
}

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
