import { describe, expect, it } from "vitest";
import { checkSelection, filesToTrash } from "#domain/files/selection-schema.ts";
import { belatedExpiry, computeOverdueLimit, numberedName, trashExpiry } from "#domain/files/trash.ts";
import { checkBySchema } from "#domain/schema.ts";
import { codePoints } from "#domain/text/text.ts";

const NOON = new Date("2026-11-14T12:00:00.000Z");
const id = (n: number) => n.toString(16).padStart(24, "0");

describe("the trash", () => {
  it("keeps a file thirty days, or as many as were asked for", () => {
    expect(trashExpiry(NOON).toISOString()).toBe("2026-12-14T12:00:00.000Z");
    expect(trashExpiry(NOON, 1).toISOString()).toBe("2026-11-15T12:00:00.000Z");
  });

  const trashed = (ttl_days: unknown) => checkBySchema(filesToTrash, { file_ids: [id(1)], ttl_days });
  it.each([1, 7, 30, null, undefined])("takes %s days", (days) =>
    expect(trashed(days)).toMatchObject({ file_ids: [id(1)] }),
  );
  it.each([0, 31, 1.5, "7", true, Number.NaN])("refuses %s as days", (days) =>
    expect(trashed(days)).toMatchObject({ refused: "invalid_payload", context: { field: "ttl_days" } }),
  );

  it("breaks its promise only when a sweep is long past", () => {
    const isOverdue = (laterMs: number) => NOON < computeOverdueLimit(new Date(NOON.getTime() + laterMs));
    expect(isOverdue(60_000)).toBe(false);
    expect(isOverdue(11 * 60_000)).toBe(true);
  });

  it("gives a file that came without a date its thirty days, and one day at the least", () => {
    const days = (n: number) => new Date(NOON.getTime() + n * 86_400_000);
    expect(belatedExpiry(NOON, days(1))).toEqual(days(30));
    expect(belatedExpiry(NOON, days(100))).toEqual(days(101));
  });
});

describe("a numbered name", () => {
  it.each([
    ["a.py", "a (2).py"],
    ["Makefile", "Makefile (2)"],
    [".bashrc", ".bashrc (2)"],
    ["archive.tar.gz", "archive.tar (2).gz"],
    ["שלום.md", "שלום (2).md"],
  ])("of %s is %s", (name, numbered) => expect(numberedName(name, 2)).toBe(numbered));

  it.each([`${"🙂".repeat(251)}.txt`, `a.${"x".repeat(253)}`])("never grows beyond the limit", (name) => {
    expect(codePoints(name)).toBe(255);
    expect(codePoints(numberedName(name, 10))).toBeLessThanOrEqual(255);
    expect(numberedName(name, 10)).not.toBe(name);
  });
});

describe("a selection of files", () => {
  it("is each id once, in order", () => {
    expect(checkSelection([id(2), id(1), id(2)])).toEqual([id(2), id(1)]);
  });

  it.each([
    ["nothing", undefined, "no_files"],
    ["null", null, "no_files"],
    ["an empty list", [], "no_files"],
    ["101 files", Array.from({ length: 101 }, (_, n) => id(n)), "too_many_files"],
    ["a malformed id", [id(1), "x"], "invalid_file_id"],
    ["a number", [7], "invalid_file_id"],
    ["an operator object", [{ $ne: null }], "invalid_file_id"],
    ["no list", { $ne: null }, "invalid_file_id"],
  ])("is refused for %s", (_, selection, refused) =>
    expect(checkSelection(selection)).toMatchObject({ refused }),
  );

  it("may be a hundred files", () => {
    expect(checkSelection(Array.from({ length: 100 }, (_, n) => id(n)))).toHaveLength(100);
  });
});
