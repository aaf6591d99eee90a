import { describe, expect, it } from "vitest";
import {
  CREDENTIAL_KINDS,
  credentialKey,
  isOfEpoch,
  parseCredentialKey,
} from "#domain/accounts/credential.ts";

describe("a credential", () => {
  it.each([
    [undefined, undefined, true],
    [undefined, 0, true],
    [0, undefined, true],
    [2, 2, true],
    [undefined, 1, false],
    [1, 2, false],
    [2, 1, false],
  ])("of epoch %s counts for an account of epoch %s: %s", (epoch, credential_epoch, counts) => {
    expect(isOfEpoch({ epoch }, { credential_epoch })).toBe(counts);
  });

  it.each(CREDENTIAL_KINDS)("of kind %s is named by a key that says its kind", (kind) => {
    expect(parseCredentialKey(credentialKey(kind, "abc_-9.x"))).toEqual({ kind, id: "abc_-9.x" });
  });

  it("of no kind that is known is taken for a session, which then is none", () => {
    expect(parseCredentialKey("king.7")).toEqual({ kind: "session", id: "king.7" });
  });
});
