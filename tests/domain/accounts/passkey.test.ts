import { describe, expect, it } from "vitest";
import { checkPasskeyName, toPasskeySite } from "#domain/accounts/passkey.ts";

describe("the site of passkeys", () => {
  it.each([
    ["https://code.example.com", "code.example.com"],
    ["https://code.example.com:8443", "code.example.com"],
    ["http://localhost:3000", "localhost"],
    ["http://code.localhost:3000", "code.localhost"],
  ])("%s has the name %s", (origin, rpId) => expect(toPasskeySite(origin)).toEqual({ origin, rpId }));

  it.each([
    "http://code.example.com",
    "http://127.0.0.1:3000",
    "https://192.0.2.7",
    "https://[2001:db8::1]",
    "http://localhost.example.com",
  ])("%s has none: browsers know no passkeys there", (origin) => expect(toPasskeySite(origin)).toBeNull());
});

describe("the name of a passkey", () => {
  it("is what was typed, without the spaces around it, and may be missing", () => {
    expect(checkPasskeyName("  Work   laptop ")).toBe("Work laptop");
    expect(checkPasskeyName("")).toBe("");
  });

  it("has at most 60 characters and no control characters", () => {
    expect(checkPasskeyName("🔑".repeat(60))).toBe("🔑".repeat(60));
    for (const name of ["x".repeat(61), "a\u0000b", "\ud800"])
      expect(checkPasskeyName(name)).toMatchObject({ refused: "invalid_passkey_name" });
  });
});
