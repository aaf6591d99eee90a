import { describe, expect, it } from "vitest";
import {
  EXPORT_FORMAT,
  entryMaxBytes,
  isTextPath,
  manifestRecord,
  RECORDS,
  readRecordKind,
  recordsPath,
} from "#domain/files/export-format.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";

const ID = "0123456789abcdef01234567";
const AT = "2037-01-01T12:00:00.000Z";

describe("the paths of an export", () => {
  it.each([
    ["manifest.json", 1024 * 1024],
    ["settings.json", 1024 * 1024],
    [recordsPath("notes", 3), 32 * 1024 * 1024],
    ["files/a/b.py", BODY_MAX_BYTES],
    [`versions/${ID}/1-a.py`, BODY_MAX_BYTES],
  ])("include %s, with its greatest size", (path, maxBytes) => {
    expect(entryMaxBytes(path)).toBe(maxBytes);
  });

  it.each([
    "readme.md",
    "records/users-1.json",
    "files/",
    "files//a.py",
    "versions/x/1-a.py",
    `versions/${ID}/a.py`,
    `files/${"a".repeat(511)}`,
    `files${"/a".repeat(1_000)}`,
  ])("do not include %s", (path) => {
    expect(entryMaxBytes(path)).toBeNull();
  });

  it("tell records from texts", () => {
    expect(readRecordKind("records/boards-1.json")).toBe("boards");
    expect(readRecordKind("records/users-1.json")).toBeNull();
    expect(isTextPath("versions/x")).toBe(true);
    expect(isTextPath("records/files-1.json")).toBe(false);
  });
});

describe("the record of a file", () => {
  const version = { version: 1, file_name: "a.py", language: "python", created_at: AT, path: "files/a.py" };
  const file = {
    id: ID,
    file_name: "a.py",
    language: "python",
    repo: null,
    source_url: null,
    version: 1,
    is_favorite: false,
    is_pinned: false,
    last_version: 1,
    created_at: AT,
    updated_at: AT,
    last_opened_at: null,
    deleted_at: null,
    expires_at: null,
    versions: [version],
  };
  const isValid = (changes: object) => RECORDS.files.safeParse({ ...file, ...changes }).success;

  it("may lack a folder and details, as older exports do", () => {
    expect(RECORDS.files.parse(file)).toMatchObject({ folder: "", description: "", tags: [] });
  });

  it.each([
    ["a deleted file with both dates", { deleted_at: AT, expires_at: AT }],
    ["a file in a folder", { folder: "a/b" }],
  ])("takes %s", (_, changes) => {
    expect(isValid(changes)).toBe(true);
  });

  it.each([
    ["lacks the version it shows", { version: 2, last_version: 2 }],
    ["has a version after its last", { versions: [version, { ...version, version: 2 }] }],
    ["has a version twice", { versions: [version, version] }],
    ["is deleted without an end", { deleted_at: AT }],
    ["expires without being deleted", { expires_at: AT }],
    ["lies in no folder that could be", { folder: "a//b" }],
    ["has its versions in no list", { versions: { length: 0 } }],
    ["has its text among the records", { versions: [{ ...version, path: "records/files-1.json" }] }],
  ])("is refused where it %s", (_, changes) => {
    expect(isValid(changes)).toBe(false);
  });

  it("is refused at its first wrong version, by name", () => {
    const given = { ...file, versions: [version, { ...version, version: 0 }, { ...version, version: -1 }] };

    const { error } = RECORDS.files.safeParse(given);

    expect(error?.issues.map(({ path }) => path)).toEqual([["versions", 1, "version"]]);
  });
});

it("reads both versions of the format, and no other", () => {
  const isReadable = (format_version: number) =>
    manifestRecord.safeParse({ format: EXPORT_FORMAT, format_version, created_at: AT }).success;

  expect([0, 1, 2, 3].map(isReadable)).toEqual([false, true, true, false]);
});
