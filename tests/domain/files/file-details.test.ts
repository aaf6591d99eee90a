import { describe, expect, it } from "vitest";
import { DESCRIPTION_MAX } from "#domain/files/file.ts";
import {
  NO_DETAILS,
  omitEmptyDetails,
  parseDetails,
  pickDetails,
  writeDetails,
} from "#domain/files/file-details.ts";

describe("the details of a file", () => {
  it("are empty where nothing is said", () => {
    expect(NO_DETAILS).toEqual({ description: "", tags: [] });
  });

  it("are picked from among other things, those that are given", () => {
    const given = { description: "", tags: undefined, file_name: "a.py" };

    expect(pickDetails(given)).toEqual({ description: "" });
  });

  it("are read from what is typed, each by its own rule", () => {
    expect(parseDetails({ description: "about", tags: "a, b" })).toEqual({
      description: "about",
      tags: ["a", "b"],
    });
    expect(parseDetails({ tags: "" })).toEqual({ tags: [] });
  });

  it("are refused with the reason of the detail that is wrong", () => {
    expect(parseDetails({ description: "x".repeat(DESCRIPTION_MAX + 1), tags: "a" })).toMatchObject({
      refused: "description_too_long",
    });
  });

  it("are written for a form and read back alike", () => {
    const details = { description: "about", tags: ["a", "b"] };

    expect(writeDetails(details)).toEqual({ description: "about", tags: "a, b" });
    expect(parseDetails(writeDetails(details))).toEqual(details);
  });

  it("are left out where they are empty or not given", () => {
    expect(omitEmptyDetails({ description: "", tags: ["a"] })).toEqual({ tags: ["a"] });
    expect(omitEmptyDetails({ description: "about" })).toEqual({ description: "about" });
    expect(omitEmptyDetails({ tags: [] })).toEqual({});
  });
});
