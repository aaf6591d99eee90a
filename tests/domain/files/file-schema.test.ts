import { describe, expect, it } from "vitest";
import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { detailChanges, recordedDetails, toFileFields } from "#domain/files/file-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

describe("the changes of a file's details", () => {
  it.each([{}, { file_name: "a.py" }, { folder_id: null }, { tags: [] }, { language: "python" }])(
    "may be %j",
    (given) => {
      expect(checkBySchema(detailChanges, given)).toEqual(given);
    },
  );

  it.each([
    [{ language: "latin" }, "unknown_language"],
    [{ file_name: "" }, "missing_file_name"],
    [{ file_name: "x".repeat(FILE_NAME_MAX + 1) }, "invalid_file_name"],
  ])("may not be %j", (given, refused) => {
    expect(checkBySchema(detailChanges, given)).toMatchObject({ refused });
  });

  it.each([{ body: "x" }, { folder_id: "x" }])("are strict: not %j", (given) => {
    expect(detailChanges.safeParse(given).success).toBe(false);
  });
});

it("gives a record of an older export the empty value of a detail that it lacks", () => {
  expect(recordedDetails.tags.parse(undefined)).toEqual([]);
  expect(recordedDetails.description.parse(undefined)).toBe("");
  expect(recordedDetails.description.parse("about")).toBe("about");
});

it("takes the fields of a file from a record that has more", () => {
  const fields = {
    file_name: "a.py",
    language: "python",
    description: "",
    tags: [],
    repo: null,
    source_url: null,
    version: 1,
    is_favorite: false,
    is_pinned: true,
  };

  expect(toFileFields({ ...fields, owner: "7" } as typeof fields)).toEqual(fields);
});
