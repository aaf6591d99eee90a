import { expect, it } from "vitest";
import { eachTagOnce, findSpelling, listTagKeys } from "#domain/files/tags.ts";

it("counts tags as one that differ in their case alone", () => {
  expect(listTagKeys(["Web", "web", "api"])).toEqual(["web", "api"]);
});

it("keeps each tag once, as it is spelled first", () => {
  expect(eachTagOnce(["Web", "api", "WEB"])).toEqual(["Web", "api"]);
});

it("finds the spelling of a tag in a list", () => {
  expect(findSpelling(["api", "Web"], "web")).toBe("Web");
  expect(findSpelling(["api"], "web")).toBeUndefined();
});
