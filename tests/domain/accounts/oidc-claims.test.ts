import { describe, expect, it } from "vitest";
import { readGroupRole, readLabel, readNames } from "#domain/accounts/oidc-claims.ts";

const claims = (fields: Record<string, unknown>) => ({ iss: "https://id.example", sub: "1", ...fields });

describe("a person's names", () => {
  it.each<[Record<string, unknown>, string, string | null, string | null]>([
    [{ given_name: "Dana", family_name: "Levi", name: "D. Levi" }, "Dana", "Levi", null],
    [{ name: "Dana Levi", family_name: "Levi" }, "Dana Levi", null, null],
    [{ preferred_username: "dana" }, "dana", null, "dana"],
    [{ given_name: " Dana " }, "Dana", null, null],
    [{ given_name: "  ", name: "Dana" }, "Dana", null, null],
    [{ given_name: 5, name: "a\nb", preferred_username: "\ud800" }, "?", null, null],
    [{ name: "é".repeat(101) }, "é".repeat(100), null, null],
  ])("are read from %j", (fields, first_name, last_name, username) => {
    expect(readNames(claims(fields))).toEqual({ first_name, last_name, username, photo_url: null });
  });
});

describe("the label of a way to sign in", () => {
  it.each([
    [{ email: "dana@example.com", email_verified: true, preferred_username: "dana" }, "dana@example.com"],
    [{ email: "dana@example.com", email_verified: "true", preferred_username: "dana" }, "dana"],
    [{ email: "dana@example.com", name: "Dana" }, "Dana"],
    [{}, ""],
  ])("of %j is an address only where the provider has verified it: %j", (fields, label) => {
    expect(readLabel(claims(fields))).toBe(label);
  });
});

describe("the role by groups", () => {
  const groups = { adminGroup: "admins", premiumGroup: "paying" };

  it.each([
    [["admins"], "admin"],
    [["/admins"], "admin"],
    [["paying"], "premium"],
    [["paying", "admins"], "admin"],
    [["admins2", "x/admins"], null],
    ["admins", null],
    [undefined, null],
  ])("%j is %j", (given, role) => {
    expect(readGroupRole(claims({ groups: given }), groups)).toBe(role);
  });

  it("is none where no group is set", () => {
    const none = { adminGroup: null, premiumGroup: null };
    expect(readGroupRole(claims({ groups: ["admins", "null"] }), none)).toBeNull();
  });
});
