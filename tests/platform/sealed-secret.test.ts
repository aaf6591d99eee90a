import { describe, expect, it } from "vitest";
import { openSecret, sealSecret } from "#platform/sealed-secret.ts";

describe("a sealed secret", () => {
  const sealed = sealSecret("the secret of the installation", "tok שלום");

  it("opens under the secret it was sealed with, and is never sealed twice alike", () => {
    expect(openSecret("the secret of the installation", sealed)).toBe("tok שלום");
    expect(sealSecret("the secret of the installation", "tok שלום")).not.toBe(sealed);
  });

  it("does not open under another secret, under none, or where it was changed", () => {
    const bytes = Buffer.from(sealed, "base64url");
    bytes[bytes.length - 1] ^= 1;
    expect(openSecret("another secret", sealed)).toBeNull();
    expect(openSecret("", sealed)).toBeNull();
    for (const damaged of [bytes.toString("base64url"), "", "AAAA"])
      expect(openSecret("the secret of the installation", damaged)).toBeNull();
  });
});
