import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import {
  decryptSecret,
  encryptSecret,
  isEncryptedByCurrentKey,
  toKeyId,
} from "#platform/secrets/encrypted-secret.ts";

const [OLD, NEW] = ["the key of last year, long enough", "the key of this year, long enough"];
const under = (current: string, previous: string | null = null, sessionSecret = "") => ({
  current,
  previous,
  sessionSecret,
});

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
    expect(decryptSecret(under(NEW, null, OLD), sealed)).toBeNull();
    const renamed = sealed.replace(toKeyId(OLD), toKeyId(NEW));
    expect(decryptSecret(under(NEW, OLD), renamed)).toBeNull();
    const bytes = Buffer.from(itemAt(sealed.split("."), 2), "base64url");
    const last = bytes.length - 1;
    bytes[last] = required(bytes[last]) ^ 1;
    for (const damaged of [`v1.${toKeyId(OLD)}.${bytes.toString("base64url")}`, "", "AAAA", "v1..", "."])
      expect(decryptSecret(under(OLD, null, "a session secret"), damaged)).toBeNull();
  });

  it("of an edition that sealed under the session secret still opens, with that secret alone", () => {
    const secret = "the session secret of before";
    const key = new Uint8Array(hkdfSync("sha256", secret, "", "codeshelf remote token", 32));
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const text = Buffer.concat([cipher.update("tok", "utf8"), cipher.final()]);
    const earlier = Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");

    expect(decryptSecret(under(NEW, null, secret), earlier)).toBe("tok");
    expect(isEncryptedByCurrentKey(under(NEW, null, secret), earlier)).toBe(false);
    expect(decryptSecret(under(NEW, null, "another"), earlier)).toBeNull();
    expect(decryptSecret(under(NEW), earlier)).toBeNull();
  });
});
