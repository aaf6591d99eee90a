import { describe, expect, it } from "vitest";
import { renderMarkdown } from "#app/viewers/markdown/markdown.ts";
import { setTextTask } from "#domain/files/text-tasks.ts";
import { MARKDOWN_WORDS } from "#tests/viewers/markdown-words.ts";

async function renderHtml(body: string, ticking = true): Promise<string> {
  const rendered = await renderMarkdown({ body, words: MARKDOWN_WORDS, files: {}, ticking });
  if (!rendered.ok) throw new Error(rendered.reason);
  return rendered.html;
}

const TICK = /<button class="task-tick"[^>]*value="(\d+):(on|off)"[^>]*>/g;

/** The changed lines of the text after each checkbox was pressed, one at a time. */
async function tickEach(body: string): Promise<string[]> {
  const ticks = [...(await renderHtml(body)).matchAll(TICK)];
  return ticks.map(([, index, to]) => {
    const ticked = setTextTask(body, Number(index), to === "on") ?? "";
    const [was, now] = [body.split("\n"), ticked.split("\n")];
    const changed = now.filter((line, i) => line !== was[i]);
    return changed.join("|");
  });
}

const countBoxes = (html: string) => html.match(/type="checkbox"/g)?.length ?? 0;

describe("a checkbox of a preview", () => {
  it.each([
    ["plain lists", "- [ ] a\n* [x] b\n", ["- [x] a", "* [ ] b"]],
    ["numbered lists", "1. [ ] a\n2. [x] b\n", ["1. [x] a", "2. [ ] b"]],
    ["quotations", "> - [ ] a\n> - [x] b\n", ["> - [x] a", "> - [ ] b"]],
    [
      "nested lists",
      "- [ ] a\n  - [ ] b\n    1. [x] c\n- d\n  - [ ] e\n",
      ["- [x] a", "  - [x] b", "    1. [ ] c", "  - [x] e"],
    ],
    ["loose lists", "- [ ] a\n\n- [ ] b\n", ["- [x] a", "- [x] b"]],
    ["equal lines", "- [ ] a\n\ntext\n\n- [ ] a\n", ["- [x] a", "- [x] a"]],
    [
      "emphasis and code",
      "- [ ] _a_ b\n- [ ] `c`\n- [ ] **d**\n",
      ["- [x] _a_ b", "- [x] `c`", "- [x] **d**"],
    ],
    ["Windows line ends", "- [ ] a\r\n1. [x] b\r\n", ["- [x] a\r", "1. [ ] b\r"]],
    ["Hebrew", "- [ ] לקנות חלב\n> 1. [x] לשלוח\n", ["- [x] לקנות חלב", "> 1. [ ] לשלוח"]],
    ["texts with footnotes", "- [ ] a[^1]\n- [x] b\n\n[^1]: said\n", ["- [x] a[^1]", "- [ ] b"]],
    ["texts with front matter", "---\nlist: |\n  - [ ] no\n---\n- [ ] a\n", ["- [x] a"]],
  ])("ticks its own line in %s", async (_, body, changed) => {
    expect(await tickEach(body)).toEqual(changed);
    expect(await tickEach(body)).toHaveLength(countBoxes(await renderHtml(body, false)));
  });

  it.each([
    ["a fence", "```\n- [ ] code\n```\n\n- [ ] a\n", ["- [x] a"]],
    ["a fence in a list", "- [ ] a\n\n  ```\n  - [ ] code\n  ```\n\n- [ ] b\n", ["- [x] a", "- [x] b"]],
    ["a fence in a quotation", "> ```\n> - [ ] code\n> ```\n\n- [ ] a\n", ["- [x] a"]],
    ["indented code", "text\n\n    - [ ] code\n\n- [ ] a\n", ["- [x] a"]],
    ["a comment", "<!--\n- [ ] hidden\n-->\n\n- [ ] a\n", ["- [x] a"]],
  ])("never belongs to a line in %s", async (_, body, changed) => {
    expect(await tickEach(body)).toEqual(changed);
  });

  it("cannot be ticked outside a list item, and the others can", async () => {
    const body = '<ul><li><input type="checkbox"> raw</li></ul>\n\n- [ ] a\n';
    expect(await tickEach(body)).toEqual(["- [x] a"]);
    expect(countBoxes(await renderHtml(body))).toBe(1);
  });

  it.each(["\uE000", "&#xE000;1&#xe001;", "&#57344;0&#57345;"])(
    "cannot be ticked where the text has the characters of marks: %j",
    async (mark) => {
      const body = `- [ ] a\n- [ ] b\n<li><input type="checkbox">${mark} c</li>\n`;
      expect(await tickEach(body)).toEqual([]);
    },
  );

  it("is the only difference that ticking makes", async () => {
    const body =
      "# T\n\n1. [ ] a *b*\n\n```js\n- [ ] let\n```\n\n> - [x] [c](https://example.com)[^n]\n\n[^n]: d\n";
    const [ticking, plain] = [await renderHtml(body), await renderHtml(body, false)];
    const without = (html: string) =>
      html.replace(/<(?:button class="task-tick"|input)[^>]*>(?:<\/button>)?/g, "□");
    expect(without(ticking)).toBe(without(plain));
    expect(ticking).not.toMatch(/[\uE000\uE001]/);
  });
});
