import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTasks, setTask } from "#domain/notes/note-tasks.ts";
import { required } from "#domain/required.ts";

const texts = (content: string) => findTasks(content).map(({ text }) => text);

describe("a task", () => {
  it.each([
    ["- [ ] a", [false]],
    ["* [x] a", [true]],
    ["+ [X] a", [true]],
    ["- [ ]", [false]],
    ["- [x]\n", [true]],
    ["    - [ ] deep", [false]],
    ["\t- [ ] by a tab", [false]],
    ["- [ ] a\r\n- [x] b\r\n", [false, true]],
    ["- [ ] ", [false]],
    ["- [ ] שלום 👋", [false]],
  ])("is seen in %j", (content, checked) => {
    expect(findTasks(content).map((task) => task.checked)).toEqual(checked);
  });

  it.each([
    ...[
      "-[ ] a",
      "- [] a",
      "- [  ] a",
      "- [y] a",
      "- [ ]a",
      "-  [ ] two spaces",
      "- \\[ ] a",
      "– [ ] a dash",
    ],
    ...["1. [ ] numbered", "> - [ ] quoted", "[ ] alone", "text - [ ] inside"],
  ])("is not seen in %j", (content) => {
    expect(findTasks(content)).toEqual([]);
  });

  it.each([
    ["```\n- [ ] code\n```\n- [ ] a", ["a"]],
    ["~~~\n- [ ] code\n~~~\n- [ ] a", ["a"]],
    ["```js\n- [ ] code\n```\n- [ ] a", ["a"]],
    ["````\n```\n- [ ] code\n````\n- [ ] a", ["a"]],
    ["```\n~~~\n- [ ] code\n```\n- [ ] a", ["a"]],
    ["- [ ] a\n  ```\n  - [ ] code\n  ```\n- [ ] b", ["a", "b"]],
    ["```\n- [ ] code\n``` not the end\n- [ ] code", []],
    ["```\n- [ ] never closed", []],
    ["``` in `line` ```\n- [ ] a", ["a"]],
    ["``\n- [ ] a\n``", ["a"]],
  ])("is not counted inside fenced code: %j", (content, wanted) => {
    expect(texts(content)).toEqual(wanted);
  });

  it("is ticked and unticked by its mark alone", () => {
    const content = "a\r\n- [ ] 👋 one\r\n\t* [X] two  \r\nend";
    expect(setTask(content, 0, true)).toEqual({ content: content.replace("[ ]", "[x]"), changed: true });
    expect(setTask(content, 1, false)).toEqual({ content: content.replace("[X]", "[ ]"), changed: true });
    expect(setTask(content, 1, true)).toEqual({ content, changed: false });
    expect(setTask(content, 2, true)).toBeNull();
  });
});

const PLAIN = ["- [ ] a", "* [x] b", "+ [X]", "  - [ ] c", "text", "", "- [y]", "👋 שלום", "- [ ]d"];
const contents = (pieces: string[]) =>
  fc
    .tuple(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), fc.constantFrom("\n", "\r\n"))
    .map(([lines, end]) => lines.join(end));

describe("for any text", () => {
  it("ticking one task changes one character, that task, and no other", () => {
    const check = (content: string) => {
      const before = findTasks(content);
      for (const { index, checked } of before) {
        const change = required(setTask(content, index, !checked));
        expect(change.changed).toBe(true);
        expect(change.content).toHaveLength(content.length);
        expect([...change.content].filter((character, i) => character !== [...content][i])).toHaveLength(1);
        const now = before.map((task) => (task.index === index ? { ...task, checked: !checked } : task));
        expect(findTasks(change.content)).toEqual(now);
      }
      expect(setTask(content, before.length, true)).toBeNull();
    };
    fc.assert(fc.property(contents([...PLAIN, "```", "~~~", "````", "```js"]), check), { numRuns: 800 });
  });

  it("tasks are counted line by line as a plain reader would", () => {
    const check = (content: string) => {
      const lines = content.split(/\r?\n/);
      const wanted = lines.flatMap((line, i) => (/^\s*[-*+] \[[ xX]\]( |$)/.test(line) ? [i] : []));
      expect(findTasks(content).map(({ line }) => line)).toEqual(wanted);
    };
    fc.assert(fc.property(contents(PLAIN), check), { numRuns: 400 });
  });
});
