import { expect, it } from "vitest";
import {
  createReport,
  IMPORT_FORM_MAX_BYTES,
  isWorking,
  sumAttempts,
  ZIP_MAX_BYTES,
} from "#domain/files/library-import.ts";

it("has a worker while it is checked or imported", () => {
  expect(isWorking("checking")).toBe(true);
  expect(isWorking("importing")).toBe(true);
  expect(isWorking("checked")).toBe(false);
  expect(isWorking("done")).toBe(false);
});

it("begins its report with nothing counted for any kind of record", () => {
  const none = { added: 0, here: 0, left: 0 };

  expect(createReport(null)).toEqual({
    made_at: null,
    kinds: { files: none, versions: none, boards: none, notes: none, reminders: none },
    renamed: 0,
  });
});

it("takes zips of up to 256 MiB, with a MiB for the form around them", () => {
  expect(ZIP_MAX_BYTES).toBe(268_435_456);
  expect(IMPORT_FORM_MAX_BYTES - ZIP_MAX_BYTES).toBe(1_048_576);
});

it("counts what an earlier attempt added as added", () => {
  const plan = createReport(null);
  plan.kinds.files = { added: 5, here: 2, left: 1 };
  plan.renamed = 3;
  const last = createReport(null);
  last.kinds.files = { added: 1, here: 6, left: 1 };
  last.renamed = 1;

  const sum = sumAttempts(plan, last);

  expect(sum.kinds.files).toEqual({ added: 5, here: 2, left: 1 });
  expect(sum.renamed).toBe(3);
});

it("takes fewer as here than planned where some have gone meanwhile", () => {
  const plan = createReport(null);
  plan.kinds.notes = { added: 0, here: 2, left: 0 };
  const last = createReport(null);
  last.kinds.notes = { added: 1, here: 1, left: 0 };

  expect(sumAttempts(plan, last).kinds.notes).toEqual({ added: 1, here: 1, left: 0 });
});
