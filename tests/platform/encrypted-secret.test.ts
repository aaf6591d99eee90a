import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import {
  decryptSecret,
  encryptSecret,
  isEncryptedByCurrentKey,
  toKeyId,
} from "#platform/secrets/encrypted-secret.ts";

const [OLD, NEW] = ["the key of last year, long enough", "the key of this year, long enough"];
const under = (current: string, previous: string | null = null) => ({ current, previous });

describe("a sealed secret", () => {
  const sealed = encryptSecret(under(OLD), "tok שלום");

  it("opens under the key it was sealed with, and is never sealed twice alike", () => {
    expect(decryptSecret(under(OLD), sealed)).toBe("tok שלום");
    expect(encryptSecret(under(OLD), "tok שלום")).not.toBe(sealed);
  });

  it("names its key, so that the right one is chosen while there are two", () => {
    expect(sealed.startsWith(`v1.${toKeyId(OLD)}.`)).toBe(true);
    expect(sealed).not.toContain(OLD);
    expect(decryptSecret(under(NEW, OLD), sealed)).toBe("tok שלום");
    expect(decryptSecret(under(OLD, NEW), sealed)).toBe("tok שלום");
    expect([under(OLD, NEW), under(NEW, OLD)].map((keys) => isEncryptedByCurrentKey(keys, sealed))).toEqual([
      true,
      false,
    ]);
  });

  it("does not open under another key, under another name of its key, or where it was changed", () => {
    expect(decryptSecret(under(NEW), sealed)).toBeNull();
    const renamed = sealed.replace(toKeyId(OLD), toKeyId(NEW));
    expect(decryptSecret(under(NEW, OLD), renamed)).toBeNull();
    const bytes = Buffer.from(itemAt(sealed.split("."), 2), "base64url");
    const last = bytes.length - 1;
    bytes[last] = required(bytes[last]) ^ 1;
    for (const damaged of [`v1.${toKeyId(OLD)}.${bytes.toString("base64url")}`, "", "AAAA", "v1..", "."])
      expect(decryptSecret(under(OLD), damaged)).toBeNull();
  });
});
