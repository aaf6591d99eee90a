import { describe, expect, it } from "vitest";
import { checkAnnouncement } from "#domain/accounts/announcement.ts";

describe("an announcement", () => {
  it("is one line of at most 280 characters, counted as people count them", () => {
    const most = "😀".repeat(280);
    expect(checkAnnouncement(` ${most} `, "")).toEqual({ text: most, link: null });
    for (const text of ["", "  ", `${most}a`, "two\nlines"])
      expect(checkAnnouncement(text, "")).toMatchObject({ refused: "invalid_announcement_text" });
  });

  it("leads to a place of this site or nowhere", () => {
    expect(checkAnnouncement("x", " /files?category=recent#a ")).toMatchObject({
      link: "/files?category=recent#a",
    });
    const elsewhere = "//elsewhere.example https://elsewhere.example javascript:alert(1) files /\\x";
    for (const link of elsewhere.split(" "))
      expect(checkAnnouncement("x", link), link).toMatchObject({ refused: "invalid_announcement_link" });
  });
});
