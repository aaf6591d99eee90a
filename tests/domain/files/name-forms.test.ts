import { expect, it } from "vitest";
import { listNameForms, toComposedName } from "#domain/files/name-forms.ts";

const COMPOSED = "caf\u00e9.py";
const DECOMPOSED = "cafe\u0301.py";

it("composes a name", () => {
  expect(toComposedName(DECOMPOSED)).toBe(COMPOSED);
});

it("lists both forms of a name, the given one first", () => {
  expect(listNameForms(DECOMPOSED)).toEqual([DECOMPOSED, COMPOSED]);
  expect(listNameForms(COMPOSED)).toEqual([COMPOSED, DECOMPOSED]);
});

it("lists a name once that is the same in all forms", () => {
  expect(listNameForms("a.py")).toEqual(["a.py"]);
});
