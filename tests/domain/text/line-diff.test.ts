import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { type Change, diffLines, splitLines } from "#domain/text/line-diff.ts";

function apply(from: readonly string[], changes: readonly Change[]): string[] {
  const to: string[] = [];
  let position = 0;
  for (const change of changes) {
    to.push(...from.slice(position, change.from));
    expect(from.slice(change.from, change.from + change.removed.length)).toEqual(change.removed);
    expect(to.length).toBe(change.to);
    to.push(...change.added);
    position = change.from + change.removed.length;
  }
  return [...to, ...from.slice(position)];
}

/** The length of the shortest diff, computed the slow way. */
function fewestEdits(from: readonly string[], to: readonly string[]): number {
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (const [i, line] of from.entries()) {
    const next = [i + 1];
    for (const [j, other] of to.entries())
      next.push(line === other ? itemAt(row, j) : 1 + Math.min(itemAt(row, j + 1), itemAt(next, j)));
    row = next;
  }
  return required(row.at(-1));
}

const edits = (changes: readonly Change[]) =>
  changes.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "e", ""), { maxLength: 40 });
const steps = fc.constantFrom(0, 1, 5, 20, 100, 2_000_000);

it("the lines of a text joined again are the text", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "\n", "\r\n", "ש")), (parts) => {
      expect(splitLines(parts.join("")).join("")).toBe(parts.join(""));
    }),
  );
});

describe("a diff", () => {
  it("makes the other text out of the one, however little work it is allowed", () => {
    fc.assert(
      fc.property(lines, lines, steps, (from, to, maxSteps) => {
        expect(apply(from, diffLines(from, to, maxSteps))).toEqual(to);
      }),
      { numRuns: 500 },
    );
  });

  it("has the fewest edits there can be", () => {
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        expect(edits(diffLines(from, to))).toBe(fewestEdits(from, to));
      }),
      { numRuns: 300 },
    );
  });

  it("of a text with itself is empty", () => {
    fc.assert(
      fc.property(lines, (text) => {
        expect(diffLines(text, text)).toEqual([]);
      }),
    );
  });

  it("keeps neighbouring changes apart by an equal line", () => {
    expect(diffLines(["a", "b", "c"], ["x", "b", "y"])).toEqual([
      { from: 0, to: 0, removed: ["a"], added: ["x"] },
      { from: 2, to: 2, removed: ["c"], added: ["y"] },
    ]);
  });

  it("ends where two large texts have little in common, and still finds what they share", () => {
    const some = Array.from({ length: 60_000 }, (_, i) => (i % 100 === 0 ? `shared ${i}` : `left ${i % 7}`));
    const other = Array.from({ length: 60_000 }, (_, i) =>
      i % 100 === 0 ? `shared ${i}` : `right ${i % 11}`,
    );
    const changes = diffLines(some, other);
    expect(changes).toHaveLength(600);
    expect(apply(some, changes).join("\n")).toBe(other.join("\n"));
  });
});
