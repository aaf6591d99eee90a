import { describe, expect, it } from "vitest";
import type { RecordKind } from "#domain/files/export-format.ts";
import { createReport, type ImportReport, measureProgress } from "#domain/files/library-import.ts";

const reportWith = (files: Partial<ImportReport["kinds"]["files"]>): ImportReport => {
  const report = createReport(null);
  Object.assign(report.kinds.files, files);
  return report;
};

describe("how far an import is", () => {
  const plan = reportWith({ added: 24, here: 2, left: 3 });
  const counts = { files: 29, notes: 5 };

  it("is told in the numbers of its plan, whatever else the zip has", () => {
    const report = reportWith({ added: 11, here: 1, left: 2 });
    expect(measureProgress("files", { plan, report, counts, read: 14 })).toEqual({
      kind: "files",
      processed: 11,
      total: 24,
    });
  });

  it("counts what an earlier attempt added, and never more than planned", () => {
    const progress = (files: Partial<ImportReport["kinds"]["files"]>) =>
      measureProgress("files", { plan, report: reportWith(files), counts, read: 20 }).processed;
    expect(progress({ added: 4, here: 12 })).toBe(14);
    expect(progress({ added: 24, here: 9 })).toBe(24);
  });

  it("is told by what was read of the same kind while it is checked, and where the plan adds nothing of it", () => {
    const report = createReport(null);
    const told = { kind: "notes", processed: 4, total: 5 };
    expect(measureProgress("notes", { plan: null, report, counts, read: 4 })).toEqual(told);
    expect(measureProgress("notes", { plan, report, counts, read: 4 })).toEqual(told);
  });

  it("is told in the numbers of a plan that adds a single record", () => {
    const single = { plan: reportWith({ added: 1 }), report: reportWith({ added: 1 }), counts, read: 29 };
    expect(measureProgress("files", single)).toEqual({ kind: "files", processed: 1, total: 1 });
  });

  it("has a total until more is read than the zip says it has", () => {
    const totalAfter = (kind: RecordKind, read: number) =>
      measureProgress(kind, { plan: null, report: createReport(null), counts, read }).total;
    expect([totalAfter("notes", 5), totalAfter("notes", 6)]).toEqual([5, null]);
    expect([totalAfter("boards", 0), totalAfter("boards", 1)]).toEqual([0, null]);
  });
});
