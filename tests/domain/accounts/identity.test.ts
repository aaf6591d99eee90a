import { describe, expect, it } from "vitest";
import {
  CREDENTIAL_KINDS,
  credentialKey,
  hasSameEpoch,
  parseCredentialKey,
} from "#domain/accounts/credential.ts";
import {
  identityKind,
  identitySubject,
  isUserId,
  listAppointableIds,
  listIdentityKeys,
  messengerKey,
} from "#domain/accounts/identity.ts";
import { readGroupRole, readLabel, readNames } from "#domain/accounts/oidc-claims.ts";
import { checkPasskeyName, toPasskeySite } from "#domain/accounts/passkey.ts";
import { canRunCode, effectiveRole, ROLES } from "#domain/accounts/role.ts";

const OPAQUE = "0123456789abcdef01234567";

it("the id of a person has up to 20 digits from the messenger, or 24 of our own", () => {
  const ids = ["7", "12345678901234567890", OPAQUE];
  const digits = ["", "123456789012345678901", "7a", " 7"];
  const opaque = [OPAQUE.slice(1), `${OPAQUE}0`, OPAQUE.toUpperCase()];
  expect([...ids, ...digits, ...opaque].filter(isUserId)).toEqual(ids);
});

it("the key of an identity begins with its kind, and the rest is its subject, including colons", () => {
  const keys = [messengerKey("7"), "oidc:https://id.example:sub", "passkey:abc"];
  expect(keys.map(identityKind)).toEqual(["messenger", "oidc", "passkey"]);
  expect(keys.map(identitySubject)).toEqual(["7", "https://id.example:sub", "abc"]);
  expect(keys[0]).toBe("messenger:7");
});

describe("the identities of an account", () => {
  it("are the messenger's alone if none were ever joined, else those that it names", () => {
    expect(listIdentityKeys({ id: "7" })).toEqual(["messenger:7"]);
    expect(listIdentityKeys({ id: "7", identity_keys: ["oidc:a"] })).toEqual(["oidc:a"]);
  });

  it("appoint a person by the account's id and by those of the messenger", () => {
    const identity_keys = ["oidc:a", "messenger:8", "passkey:b"];

    expect(listAppointableIds({ id: OPAQUE, identity_keys })).toEqual([OPAQUE, "8"]);
  });
});

const appointed = { adminUserIds: ["1"], premiumUserIds: ["1", "2"] };

describe("a role", () => {
  it("is what the environment says before what is stored", () => {
    expect(effectiveRole({ id: "1", role: "regular" }, appointed)).toBe("admin");
    expect(effectiveRole({ id: "2", role: "admin" }, appointed)).toBe("premium");
    expect(effectiveRole({ id: "3", role: "premium" }, appointed)).toBe("premium");
  });

  it("is appointed by the id of the account or of its messenger identity, while it is joined", () => {
    const account = { id: "0123456789abcdef01234567", role: "regular" } as const;
    expect(effectiveRole({ ...account, identity_keys: ["oidc:x"] }, appointed)).toBe("regular");
    expect(effectiveRole({ ...account, identity_keys: ["oidc:x", "messenger:1"] }, appointed)).toBe("admin");
    expect(effectiveRole(account, { adminUserIds: [account.id], premiumUserIds: [] })).toBe("admin");
  });

  it("lets premium users and administrators run code", () => {
    expect([...ROLES]).toEqual(["regular", "premium", "admin"]);
    expect(ROLES.map(canRunCode)).toEqual([false, true, true]);
  });
});

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
    expect(hasSameEpoch({ epoch }, { credential_epoch })).toBe(counts);
  });

  it.each(CREDENTIAL_KINDS)("of kind %s is named by a key that says its kind", (kind) => {
    expect(parseCredentialKey(credentialKey(kind, "abc_-9.x"))).toEqual({ kind, id: "abc_-9.x" });
  });

  it("of no kind that is known is taken for a session, which then is none", () => {
    expect(parseCredentialKey("king.7")).toEqual({ kind: "session", id: "king.7" });
  });
});

const claims = (fields: Record<string, unknown>) => ({ iss: "https://id.example", sub: "1", ...fields });

it.each<[Record<string, unknown>, string, string | null, string | null]>([
  [{ given_name: "Dana", family_name: "Levi", name: "D. Levi" }, "Dana", "Levi", null],
  [{ name: "Dana Levi", family_name: "Levi" }, "Dana Levi", null, null],
  [{ preferred_username: "dana" }, "dana", null, "dana"],
  [{ given_name: " Dana " }, "Dana", null, null],
  [{ given_name: "  ", name: "Dana" }, "Dana", null, null],
  [{ given_name: 5, name: "a\nb", preferred_username: "\ud800" }, "?", null, null],
  [{ name: "é".repeat(101) }, "é".repeat(100), null, null],
])("a person's names are read from %j", (fields, first_name, last_name, username) => {
  expect(readNames(claims(fields))).toEqual({ first_name, last_name, username, photo_url: null });
});

it.each([
  [{ email: "dana@example.com", email_verified: true, preferred_username: "dana" }, "dana@example.com"],
  [{ email: "dana@example.com", email_verified: "true", preferred_username: "dana" }, "dana"],
  [{ email: "dana@example.com", name: "Dana" }, "Dana"],
  [{}, ""],
])("the label of the identity %j is an address only if the provider has verified it: %j", (fields, label) => {
  expect(readLabel(claims(fields))).toBe(label);
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
