import { describe, expect, it } from "vitest";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { FOLDER_DEPTH_MAX } from "#domain/files/folders/folder-tree.ts";
import {
  entryMaxBytes,
  isTextPath,
  manifestRecord,
  parseRecordKind,
  RECORD_KINDS,
  RECORDS,
  recordsPath,
  settingsRecord,
} from "#domain/library-zip/export-format.ts";
import { NEW_NOTE } from "#domain/notes/note-schema.ts";

const ID = "0123456789abcdef01234567";
const AT = "2037-01-01T12:00:00.000Z";
const LONGEST_NAME = "a".repeat(510);

const notIncluded = (path: string): [string, null] => [path, null];

describe("the paths of an export", () => {
  it.each<[string, number | null]>([
    ["manifest.json", 1024 * 1024],
    ["settings.json", 1024 * 1024],
    [recordsPath("notes", 3), 32 * 1024 * 1024],
    ["files/a/b.py", BODY_MAX_BYTES],
    [`versions/${ID}/1-a.py`, BODY_MAX_BYTES],
    [`files${`/${LONGEST_NAME}`.repeat(FOLDER_DEPTH_MAX + 1)}`, BODY_MAX_BYTES],
    ...["readme.md", "records/users-1.json", "files/", "files//a.py", "versions/x/1-a.py"].map(notIncluded),
    ...[`versions/${ID}/a.py`, `versions/${ID}/1-${"a".repeat(64 * 1024)}`].map(notIncluded),
    ...[`files/${LONGEST_NAME}a`, `files${"/a".repeat(FOLDER_DEPTH_MAX + 2)}`].map(notIncluded),
  ])("include %s with its greatest size, or not: %j", (path, maxBytes) => {
    expect(entryMaxBytes(path)).toBe(maxBytes);
  });

  it("tell records from texts", () => {
    expect(parseRecordKind("records/boards-1.json")).toBe("boards");
    expect(parseRecordKind("records/users-1.json")).toBeNull();
    expect(isTextPath("versions/x")).toBe(true);
    expect(isTextPath("records/files-1.json")).toBe(false);
  });
});

describe("the record of a file", () => {
  const version = { version: 1, file_name: "a.py", language: "python", created_at: AT, path: "files/a.py" };
  const file = {
    ...{ id: ID, file_name: "a.py", language: "python", repo: null, source_url: null },
    ...{ version: 1, last_version: 1, versions: [version], is_favorite: false, is_pinned: false },
    ...{ created_at: AT, updated_at: AT, last_opened_at: null, deleted_at: null, expires_at: null },
  };
  const isValid = (changes: object) => RECORDS.files.safeParse({ ...file, ...changes }).success;

  it("may lack a folder and details, as older exports do", () => {
    expect(RECORDS.files.parse(file)).toMatchObject({ folder: "", description: "", tags: [] });
  });

  it.each([
    ["a deleted file with both dates", { deleted_at: AT, expires_at: AT }],
    ["a file in a folder", { folder: "a/b" }],
    ["a file that is pinned in the first slot", { is_pinned: true, pin_slot: 0 }],
  ])("takes %s", (_, changes) => {
    expect(isValid(changes)).toBe(true);
  });

  it.each([
    ["lacks the version it shows", { version: 2, last_version: 2 }],
    ["has a version after its last", { versions: [version, { ...version, version: 2 }] }],
    ["has a version twice", { versions: [version, version] }],
    ["is deleted without an end", { deleted_at: AT }],
    ["expires without being deleted", { expires_at: AT }],
    ["began at no moment", { created_at: "yesterday" }],
    ["has a version of no moment", { versions: [{ ...version, created_at: "yesterday" }] }],
    ["lies in no folder that could be", { folder: "a//b" }],
    ["is pinned in a slot before the first", { is_pinned: true, pin_slot: -1 }],
    ["has its versions in no list", { versions: { length: 0 } }],
    ["has its text among the records", { versions: [{ ...version, path: "records/files-1.json" }] }],
  ])("is refused where it %s", (_, changes) => {
    expect(isValid(changes)).toBe(false);
  });

  it("is refused at its first wrong version, by name", () => {
    const record = { ...file, versions: [version, { ...version, version: 0 }, { ...version, version: -1 }] };

    const { error } = RECORDS.files.safeParse(record);

    expect(error?.issues.map(({ path }) => path)).toEqual([["versions", 1, "version"]]);
  });
});

describe("the record of a note", () => {
  const note = {
    ...{ id: ID, kind: "file", file_id: ID, board_id: null, repo_name: null, repo_path: null },
    ...{ ...NEW_NOTE, mode: "anchored", line_start: 3, line_end: 4, anchor: null, history: [] },
    ...{ created_at: AT, updated_at: AT, deleted_at: null, expires_at: null, kept_reminder: null },
  };
  const anchorWith = (quote: string[]) => ({
    anchor: { version: 1, quote, before: [], after: [], place: { line_start: 0, line_end: 0 } },
  });
  const makeHistory = (length: number) => ({
    history: Array.from({ length }, () => ({ content: "before", updated_at: AT })),
  });
  const listWrongFields = (changes: object) =>
    RECORDS.notes.safeParse({ ...note, ...changes }).error?.issues.map(({ path }) => path.join(".")) ?? [];

  it.each([
    ["lines in their order", {}],
    ["a quote of 1,000 lines", anchorWith(Array(1_000).fill("a"))],
    ["a line of 20,000 characters", anchorWith(["a".repeat(20_000)])],
    ["a hundred earlier texts", makeHistory(100)],
  ])("takes %s", (_, changes) => {
    expect(listWrongFields(changes)).toEqual([]);
  });

  it.each([
    ["an end before its beginning", { line_end: 2 }, "line_end"],
    ["an end without a beginning", { line_start: null }, "line_end"],
    ["a longer quote", anchorWith(Array(1_001).fill("a")), "anchor.quote"],
    ["a longer line", anchorWith(["a".repeat(20_001)]), "anchor.quote.0"],
    ["more earlier texts", makeHistory(101), "history"],
    ["two targets", { board_id: ID }, ""],
    ["no target", { file_id: null }, ""],
    ["the target of another kind", { kind: "board" }, ""],
  ])("is refused with %s, by the field", (_, changes, field) => {
    expect(listWrongFields(changes)).toEqual([field]);
  });
});

describe("the settings", () => {
  const settings = {
    locale: null,
    timezone: null,
    keyboard_shortcuts: null,
    has_seen_welcome_modal: false,
    dismissed_announcements: [],
    agent_instructions: null,
  };
  const isValid = (dismissed_announcements: string[]) =>
    settingsRecord.safeParse({ ...settings, dismissed_announcements }).success;

  it("may lack folders and whether results are kept, as older exports do", () => {
    expect(settingsRecord.parse(settings)).toMatchObject({ folders: [], keep_run_results: null });
  });

  it("have at most 50 dismissed announcements with ids of at most 100 characters", () => {
    const lists = [Array(50).fill("a"), Array(51).fill("a"), ["a".repeat(100)], ["a".repeat(101)]];
    expect(lists.map(isValid)).toEqual([true, false, true, false]);
  });
});

describe("the manifest", () => {
  const manifest = { format: "codeshelf-export", format_version: 2, created_at: AT };

  it("has either version of the format, and is of no other format", () => {
    const isReadable = (change: object) => manifestRecord.safeParse({ ...manifest, ...change }).success;
    const versions = [0, 1, 2, 3].filter((format_version) => isReadable({ format_version }));
    expect(versions).toEqual([1, 2]);
    expect(isReadable({ format: "another-export" })).toBe(false);
  });

  it("counts the records of every kind, and counts nothing if its counts are wrong", () => {
    const counts = { files: 1, boards: 0, notes: 2, reminders: 3 };
    const readCounts = (written?: object) => manifestRecord.parse({ ...manifest, counts: written }).counts;

    expect([...RECORD_KINDS].sort()).toEqual(Object.keys(RECORDS).sort());
    expect([counts, { files: -1 }, undefined].map(readCounts)).toEqual([counts, {}, {}]);
  });
});
