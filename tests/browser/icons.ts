/** Draws the icons that need pixels from `public/icon.svg`: `npm run screenshots -- --icons`. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const PUBLIC = join(PROJECT_ROOT, "public");

/** A maskable icon may be cut to any shape: its background fills the square, and the mark stays within the middle four fifths. */
const ICONS = [
  { name: "icon-180.png", size: 180, maskable: true },
  { name: "icon-192.png", size: 192, maskable: false },
  { name: "icon-512.png", size: 512, maskable: false },
  { name: "icon-maskable-512.png", size: 512, maskable: true },
] as const;

export async function makeIcons(browser: Browser): Promise<void> {
  const mark = await readFile(join(PUBLIC, "icon.svg"), "utf8");
  const ground = /<rect [^>]*fill="([^"]+)"/.exec(mark)![1]!;
  for (const { name, size, maskable } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const drawn = maskable ? `<div style="background:${ground};padding:10%">${mark}</div>` : mark;
    await page.setContent(
      `<style>*{margin:0;box-sizing:border-box}div,svg{display:block;width:100vw;height:100vh}div>svg{width:100%;height:100%}</style>${drawn}`,
    );
    await writeFile(join(PUBLIC, name), await page.screenshot({ omitBackground: true }));
    await page.close();
    console.log(`public/${name}`);
  }
}
