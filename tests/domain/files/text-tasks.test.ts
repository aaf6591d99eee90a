import { describe, expect, it } from "vitest";
import { listTextTasks, setTextTask } from "#domain/files/text-tasks.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

const words = (body: string) => listTextTasks(body).map(({ text }) => text);

describe("lines of a text that may be tasks", () => {
  it.each([
    ["every kind of list", "- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n22) [x] e\n", ["a", "b", "c", "d", "e"]],
    [
      "lists in lists and in quotations",
      "- a\n  - [ ] b\n    1. [ ] c\n> - [ ] d\n> > 1. [ ] e\n",
      ["b", "c", "d", "e"],
    ],
    ["every line end", "- [ ] a\r\n- [ ] b\n- [ ] c", ["a", "b", "c"]],
    ["Hebrew", "- [ ] לקנות חלב\n1. [x] לשלוח מכתב\n", ["לקנות חלב", "לשלוח מכתב"]],
    ["two lists on one line", "- 1. [ ] a\n", ["a"]],
  ])("are found in %s", (_, body, tasks) => {
    expect(words(body)).toEqual(tasks);
  });

  it.each([
    ["no list", "[ ] a\nsay [x] b\n"],
    ["another mark", "- [y] a\n- [] b\n- [  ] c\n"],
    ["no blank", "- [ ]a\n-[ ] b\n"],
    ["no words", "- [ ]\n- [ ] \n"],
    ["words that begin a block", "- [ ] # a\n- [ ] > b\n- [ ] - c\n- [ ] ```\n"],
  ])("are none with %s", (_, body) => {
    expect(words(body)).toEqual([]);
  });

  it("are ticked by one character, whatever stands around it", () => {
    const body = "1. [ ] אחת\r\n> - [x] two\r\n- [ ] 😀 three\r\n";
    for (const [index, { at, checked }] of listTextTasks(body).entries()) {
      const ticked = setTextTask(body, index, !checked);
      expect(ticked).toBe(`${body.slice(0, at)}${checked ? " " : "x"}${body.slice(at + 1)}`);
      expect(setTextTask(body, index, checked)).toBe(body);
    }
    expect(setTextTask(body, 3, true)).toBeNull();
  });

  it("are found in a moment in a hostile text", async () => {
    const bodies = [
      " ".repeat(500_000),
      "> ".repeat(250_000),
      "- ".repeat(250_000),
      `${"- ".repeat(80)}[ ] a\n`.repeat(5_000),
    ];
    const ms = await ownProcessorMs(() => {
      for (const body of bodies) listTextTasks(body);
    });
    expect(ms).toBeLessThan(2_000);
  });
});
