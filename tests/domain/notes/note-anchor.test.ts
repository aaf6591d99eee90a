import { describe, expect, it } from "vitest";
import {
  createAnchor,
  type LineSpan,
  locateLines,
  splitLines,
  type Verdict,
} from "#domain/notes/note-anchor.ts";
import { itemAt, required } from "#domain/required.ts";
import { type EditHistory, HISTORIES } from "#tests/domain/notes/anchor-histories.ts";
import { seeded } from "#tests/support/test-runs/seeded.ts";

/** The lines without their marks, and the marked range. */
function read(text: string, sign: string): { lines: string[]; place: LineSpan | null } {
  const marked = text.split("\n");
  const on = marked.flatMap((line, i) => (line.startsWith(sign) ? [i + 1] : []));
  const lines = marked.map((line) => (line.startsWith(sign) ? line.slice(1) : line));
  return {
    lines,
    place: on.length > 0 ? { line_start: itemAt(on, 0), line_end: required(on.at(-1)) } : null,
  };
}

function judge({ from, to }: EditHistory, withOld = true): Verdict {
  const old = read(from, "»");
  const anchor = required(createAnchor(old.lines, required(old.place), 1));
  return locateLines(anchor, required(old.place), withOld ? old.lines : null, read(to, "«").lines);
}

const wanted = ({ state, to }: EditHistory) => ({
  state,
  ...(read(to, "«").place ?? { line_start: null, line_end: null }),
});

describe("a note's place in a newer version", () => {
  it.each(HISTORIES.map((history) => [history.name, history] as const))("%s", (_, history) => {
    expect(judge(history)).toEqual(wanted(history));
  });

  it("is never moved wrongly from memory alone, where the old version is gone", () => {
    for (const history of HISTORIES) {
      const verdict = judge(history, false);
      if (verdict.state === "same" || verdict.state === "moved")
        expect({ name: history.name, ...verdict }).toEqual({ name: history.name, ...wanted(history) });
    }
  });
});

describe("for any text and any edit", () => {
  it("lines that are only inserted take no note from its line, however little that says", () => {
    for (let seed = 1; seed <= 600; seed += 1) {
      const pick = seeded(seed);
      const words = "}||  return true;|    } catch (error) {|</div>|try {|end|print(line)".split("|");
      const old = Array.from({ length: 1 + pick(60) }, () => itemAt(words, pick(words.length)));
      const position = pick(old.length + 1);
      const added = Array.from({ length: 1 + pick(3) }, (_, i) => `inserted ${seed} ${i}`);
      const line = 1 + pick(old.length);
      const span = { line_start: line, line_end: line };
      const now = position < line ? line + added.length : line;

      const verdict = locateLines(
        required(createAnchor(old, span, 1)),
        span,
        old,
        old.toSpliced(position, 0, ...added),
      );

      const state = now === line ? "same" : "moved";
      expect({ seed, ...verdict }).toEqual({ seed, state, line_start: now, line_end: now });
    }
  });

  it("same and moved name lines that have the very text the note was put on", () => {
    for (let seed = 1; seed <= 600; seed += 1) {
      const pick = seeded(seed);
      const words = ["}", "", "a", "return x", "const value = 1;", "print(line)", "שלום עולם"];
      const line = () => (pick(3) === 0 ? `unique ${pick(1_000_000)}` : itemAt(words, pick(words.length)));
      const old = Array.from({ length: 1 + pick(30) }, line);
      let lines = [...old];
      for (let edit = pick(6); edit > 0; edit -= 1)
        lines = lines.toSpliced(pick(lines.length + 1), pick(4), ...Array.from({ length: pick(4) }, line));
      const start = 1 + pick(old.length);
      const span = { line_start: start, line_end: Math.min(old.length, start + pick(3)) };

      const verdict = locateLines(required(createAnchor(old, span, 1)), span, old, lines);

      if (verdict.state === "lost") continue;
      expect(verdict.line_start).toBeGreaterThanOrEqual(1);
      expect(verdict.line_end).toBeLessThanOrEqual(lines.length);
      if (verdict.state === "changed") continue;
      expect(lines.slice(verdict.line_start - 1, verdict.line_end)).toEqual(
        old.slice(span.line_start - 1, span.line_end),
      );
      expect(verdict.state === "same").toBe(verdict.line_start === span.line_start);
    }
  });

  it("lines that are all different are followed wherever insertions and deletions above push them", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const pick = seeded(seed);
      const old = Array.from({ length: 5 + pick(40) }, (_, i) => `line number ${i} of the text ${seed}`);
      const start = 1 + pick(old.length);
      const added = Array.from({ length: pick(20) }, (_, i) => `a new line ${i}`);
      const removed = pick(start);
      const lines = old.toSpliced(0, removed, ...added);
      const moved = start - removed + added.length;

      const span = { line_start: start, line_end: start };
      expect(locateLines(required(createAnchor(old, span, 1)), span, old, lines)).toEqual({
        state: moved === start ? "same" : "moved",
        line_start: moved,
        line_end: moved,
      });
    }
  });

  it("a line that is there thousands of times moves only with what is inserted above it", () => {
    const old = Array.from({ length: 50_000 }, () => "");
    const span = { line_start: 20, line_end: 20 };
    const anchor = required(createAnchor(old, span, 1));
    expect(locateLines(anchor, span, old, [...old, "end"])).toMatchObject({ state: "same", line_start: 20 });
    expect(locateLines(anchor, span, old, ["head", ...old])).toMatchObject({
      state: "moved",
      line_start: 21,
    });
    const rewritten = ["head", "more", ...old.slice(1)];
    expect(locateLines(anchor, span, old, rewritten)).toMatchObject({ state: "changed", line_start: 21 });
  });

  it("a text is read by lines whatever ends them", () => {
    expect(splitLines("a\r\nb\nc\n")).toEqual(["a", "b", "c"]);
    expect(splitLines("")).toEqual([]);
  });
});
