import { describe, expect, it } from "vitest";
import {
  identityKind,
  identitySubject,
  isUserId,
  listAppointableIds,
  listIdentityKeys,
  messengerKey,
} from "#domain/accounts/identity.ts";

const OPAQUE = "0123456789abcdef01234567";

describe("the id of a person", () => {
  it.each(["7", "12345678901234567890", OPAQUE])("may be %s", (id) => {
    expect(isUserId(id)).toBe(true);
  });

  it.each(["", "123456789012345678901", "7a", OPAQUE.slice(1), `${OPAQUE}0`, OPAQUE.toUpperCase(), " 7"])(
    "may not be %j",
    (id) => {
      expect(isUserId(id)).toBe(false);
    },
  );
});

describe("the key of an identity", () => {
  it("has the kind first, and the rest is its subject, colons included", () => {
    expect(messengerKey("7")).toBe("messenger:7");
    expect(identityKind("oidc:https://id.example:sub")).toBe("oidc");
    expect(identitySubject("oidc:https://id.example:sub")).toBe("https://id.example:sub");
    expect(identityKind("passkey:abc")).toBe("passkey");
    expect(identityKind("messenger:7")).toBe("messenger");
  });
});

describe("the identities of an account", () => {
  it("are the messenger's alone where none were ever joined", () => {
    expect(listIdentityKeys({ id: "7" })).toEqual(["messenger:7"]);
  });

  it("are those that it names, and no others", () => {
    expect(listIdentityKeys({ id: "7", identity_keys: ["oidc:a"] })).toEqual(["oidc:a"]);
  });

  it("appoint a person by the account's id and by those of the messenger", () => {
    const identity_keys = ["oidc:a", "messenger:8", "passkey:b"];

    expect(listAppointableIds({ id: OPAQUE, identity_keys })).toEqual([OPAQUE, "8"]);
  });
});
