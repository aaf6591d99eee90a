import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitJsonArray } from "#domain/files/json-elements.ts";
import type { RecordKind } from "#domain/library-zip/export-format.ts";
import {
  createReport,
  IMPORT_FORM_MAX_BYTES,
  type ImportReport,
  isWorking,
  measureProgress,
  mergeAttemptReports,
  ZIP_MAX_BYTES,
} from "#domain/library-zip/library-import.ts";

it("has a worker while it is checked or imported", () => {
  expect((["checking", "importing", "checked", "done"] as const).filter(isWorking)).toEqual([
    "checking",
    "importing",
  ]);
});

it("begins its report with nothing counted for any kind of record", () => {
  const none = { added: 0, here: 0, left: 0 };
  const kinds = { files: none, versions: none, boards: none, notes: none, reminders: none };
  expect(createReport(null)).toEqual({ made_at: null, kinds, renamed: 0 });
});

it("takes zips of up to 256 MiB, with a MiB for the form around them", () => {
  expect([ZIP_MAX_BYTES, IMPORT_FORM_MAX_BYTES - ZIP_MAX_BYTES]).toEqual([268_435_456, 1_048_576]);
});

it.each([
  ["counts what an earlier attempt added as added", [5, 2, 1, 3], [1, 6, 1, 1], [5, 2, 1, 3]],
  ["takes fewer as here than planned if some have gone meanwhile", [0, 2, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]],
])("%s", (_, planned, done, summed) => {
  const report = ([added = 0, here = 0, left = 0, renamed = 0]: number[]) => {
    const created = createReport(null);
    return { ...created, kinds: { ...created.kinds, files: { added, here, left } }, renamed };
  };
  expect(mergeAttemptReports(report(planned), report(done))).toEqual(report(summed));
});

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
    const progress = { kind: "notes", processed: 4, total: 5 };
    expect(measureProgress("notes", { plan: null, report, counts, read: 4 })).toEqual(progress);
    expect(measureProgress("notes", { plan, report, counts, read: 4 })).toEqual(progress);
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

const split = (text: string, limits = { depthMax: 16, valuesMax: 1_000 }) =>
  [...splitJsonArray(new TextEncoder().encode(text), limits)].map((element) =>
    "fault" in element ? { fault: element.fault } : JSON.parse(new TextDecoder().decode(element.bytes)),
  );

describe("the elements of a JSON array", () => {
  it("are what parsing the whole gives, however it is written", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 }), fc.nat(3), (values, indent) => {
        expect(split(JSON.stringify(values, null, indent))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it("may hold brackets, commas and quotes in their strings", () => {
    const values = ["],[", '"', "\\", '\\"', "{", "ש,]", ""];
    expect(split(JSON.stringify(values))).toEqual(values);
  });

  it("are none where there are none", () => {
    expect(split(" [ ] \n")).toEqual([]);
  });

  it.each([
    ["", "not_a_list"],
    ["{}", "not_a_list"],
    ["0", "not_a_list"],
    ["[", "not_json"],
    ["[0", "not_json"],
    ['["', "not_json"],
    ['["\\', "not_json"],
    ["[}]", "not_json"],
    ["[] 0", "not_json"],
    [`[${"[".repeat(17)}`, "too_deep"],
    [`[[${"0,".repeat(1_000)}0]]`, "too_many_values"],
  ])("of %s are refused", (text, fault) => {
    expect(split(text).at(-1)).toEqual({ fault });
  });

  it("are given before what is wrong behind them", () => {
    expect(split("[1, [2], [[[")).toEqual([1, [2], { fault: "not_json" }]);
  });
});
