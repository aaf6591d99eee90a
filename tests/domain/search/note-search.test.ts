import { describe, expect, it } from "vitest";
import { checkNoteSearch, noteMatcher, notePreview } from "#domain/search/note-search.ts";

const hit = (needle: string, title: string | null, content: string) =>
  noteMatcher(needle)({ title, content });

describe("the one rule by which notes are found", () => {
  it.each([
    ["plan", "The Plan", "", "title"],
    ["PLAN", null, "a plan", "body"],
    ["plan", "Plan", "plan", "title"],
    ["שלום", null, "אמר: שלום!", "body"],
    ["straße", null, "STRAẞE", "body"],
    ["ΟΔΟΣ", null, "οδος", "body"],
    ["a\nb", null, "xa\nby", "body"],
    [".*", null, "a.*b", "body"],
    [".*", null, "anything", null],
    ["x", null, "", null],
    ["%_\\", null, "100%_\\", "body"],
  ])("%j in title %j and body %j is in the %s", (needle, title, content, wanted) => {
    expect(hit(needle, title, content)).toBe(wanted);
  });

  it("shows the part around the first hit, in whole characters", () => {
    const content = `${"👋".repeat(300)}needle${"ש".repeat(300)}`;
    const { preview, preview_truncated } = notePreview(content, "NEEDLE");
    expect(preview_truncated).toBe(true);
    expect([...preview]).toHaveLength(200);
    expect(preview).toMatch(/^(👋){60}needleש+$/u);
    expect(notePreview("short", "none")).toEqual({ preview: "short", preview_truncated: false });
  });

  it("shows the beginning where the hit is in the title, and the end where it is there", () => {
    const content = "x".repeat(300);
    expect(notePreview(`start${content}`, "title").preview.startsWith("start")).toBe(true);
    expect(notePreview(`İİİİ${content}end`, "end").preview.endsWith("end")).toBe(true);
  });

  it("takes a limit as it is, up to 50", () => {
    expect(checkNoteSearch({ q: "x" })).toEqual({ needle: "x", limit: 30 });
    expect(checkNoteSearch({ q: "x", limit: "50", color: "#ABCDEF" })).toEqual({
      needle: "x",
      limit: 50,
      color: "#abcdef",
    });
    expect(checkNoteSearch({ q: "x", limit: "51" })).toMatchObject({ limit: 50 });
  });
});
