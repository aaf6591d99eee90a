import { describe, expect, it } from "vitest";
import { toBesideRules, toBoardRules, toColorRules } from "#app/notes/note-places.tsx";
import { markLines, markNotes } from "#app/viewers/code/line-marks.ts";
import { cutAfterHeadings } from "#app/viewers/markdown/prose-cuts.ts";
import { itemAt } from "#domain/required.ts";

const CODE = [1, 2, 3]
  .map((n) => `<span class="line" id="L${n}"><a class="line-number" href="#L${n}">${n}</a>x</span>`)
  .join("\n");

describe("lines with notes", () => {
  it("have one marker that leads to the first note and names all, escaped", () => {
    const html = markNotes(CODE, [
      { id: "a", line: 2, last: 2, color: "pink", label: 'say "<b>"' },
      { id: "b", line: 2, last: 2, color: "blue", label: "two" },
    ]);
    expect(html.match(/line-note/g)).toHaveLength(1);
    expect(html).toContain('id="L2"><a class="line-note middle" href="#note-a" data-color="pink"');
    expect(html).toContain('aria-label="say &quot;&lt;b&gt;&quot;; two"');
  });

  it("are all marked if a note is on several, and only the first leads to it", () => {
    const html = markNotes(CODE, [
      { id: "a", line: 1, last: 3, color: "#a1b2c3", label: "x" },
      { id: "b", line: 2, last: 2, color: "pink", label: "y" },
    ]);
    expect(html).toContain('id="L1"><a class="line-note middle" href="#note-a" data-color="own"');
    expect(html).toContain('id="L2"><a class="line-note middle" href="#note-b" data-color="pink"');
    expect(html).toContain('id="L3"><span class="line-note middle line-note-on" data-color="own"></span>');
  });

  it("are found when the address marks them, and code without notes stays as it is", () => {
    const marked = markLines(CODE, { from: 2, to: 2 });
    expect(markNotes(marked, [{ id: "a", line: 2, last: 2, color: "pink", label: "x" }])).toContain(
      "#note-a",
    );
    expect(markNotes(CODE, [])).toBe(CODE);
  });
});

describe("a rendered text", () => {
  const HTML =
    '<h1 id="one" dir="auto">One</h1><p>a<br>b</p><blockquote><h2 id="in">In</h2></blockquote><h2 id="a&amp;b">&lt;</h2><p>c</p>';

  it("is cut after the wanted headings, and nothing is lost", () => {
    const cuts = cutAfterHeadings(HTML, new Set(["one", "a&b"]));
    expect(cuts.map(({ heading }) => heading)).toEqual(["one", "a&b", null]);
    expect(cuts.map(({ html }) => html).join("")).toBe(HTML);
    expect(itemAt(cuts, 2).html).toBe("<p>c</p>");
  });

  it("is not cut inside something else", () => {
    expect(cutAfterHeadings(HTML, new Set(["in"]))).toEqual([{ html: HTML, heading: null }]);
  });
});

describe("the places of notes", () => {
  const note = (id: string, more: object = {}) => ({
    id,
    title: null,
    beginning: "word",
    color: "yellow",
    position: { x: 10, y: 20 },
    size: { width: 200, height: 160 },
    is_minimized: false,
    hasReminder: false,
    hasNews: false,
    line: 1,
    ...more,
  });

  it("are at their positions on a board, which is large enough for them", () => {
    const rules = toBoardRules([note("a"), note("b", { position: { x: 500, y: 900 } })]);
    expect(rules).toContain(
      "#note-a{inset-inline-start:10px;inset-block-start:20px;inline-size:200px;block-size:160px}",
    );
    expect(rules).toContain(".board-list{inline-size:740px;block-size:1100px}");
  });

  it("are beside their lines, and none covers the next however long its text is", () => {
    const notes = [note("a", { line: 3 }), note("b", { line: 4 }), note("c", { line: 100 })];
    expect(toBesideRules(notes, "normal")).toBe(
      "@media (width>=76rem){" +
        "#note-a{inset-block-start:3.5rem;max-block-size:6.3rem}" +
        "#note-b{inset-block-start:10.55rem;max-block-size:26rem}" +
        "#note-c{position:relative;margin-block-start:149rem;max-block-size:26rem}}",
    );
    expect(toBesideRules(notes, "larger")).toContain("#note-b{inset-block-start:11.55rem;");
  });

  it("give each as much room as its text needs, up to a limit", () => {
    const room = (more: object) =>
      Number(/max-block-size:([\d.]+)rem/.exec(toBesideRules([note("a", more), note("b")], "normal"))?.[1]);
    const short = room({});
    expect(room({ beginning: "word ".repeat(40) })).toBeGreaterThan(short + 5);
    expect(room({ beginning: "one\n\ntwo\n- [ ] task" })).toBeGreaterThan(short + 3);
    expect(room({ title: "Named" })).toBeGreaterThan(short);
    expect(room({ hasReminder: true, hasNews: true })).toBeGreaterThan(short + 5);
    expect(room({ beginning: "long\n".repeat(5000) })).toBe(26);
    expect(room({ is_minimized: true, beginning: "long\n".repeat(5000) })).toBe(4);
  });

  it("accept only valid colours", () => {
    expect(toColorRules([note("a", { color: "#a1b2c3" }), note("b", { color: "red}*{color:red" })])).toBe(
      "#note-a{--note-paper:#a1b2c3}",
    );
  });
});
