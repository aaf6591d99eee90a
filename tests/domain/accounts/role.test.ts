import { describe, expect, it } from "vitest";
import { effectiveRole, mayRunCode, ROLES } from "#domain/accounts/role.ts";

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
    expect(ROLES.map(mayRunCode)).toEqual([false, true, true]);
  });
});
